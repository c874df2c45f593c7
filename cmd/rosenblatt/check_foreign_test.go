package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/stops"
)

// foreign is the address of brokers that close the connection at requests of these kinds.
func foreign(t *testing.T, keys ...kmsg.Key) string {
	t.Helper()
	p := proxytest.Start(t, broker(t, kfake.SeedTopics(1, "events")))
	p.Set(func(m *proxytest.Message) proxytest.Verdict {
		if !m.Response && slices.Contains(keys, kmsg.Key(m.Key)) {
			return proxytest.Cut
		}
		return proxytest.Pass
	})
	return p.Brokers()[0]
}

// TestCheckForeignBrokers: a probe that brokers close the connection at says nothing of what it is for, and the next
// steps go on.
func TestCheckForeignBrokers(t *testing.T) {
	t.Parallel()
	k := foreign(t, kmsg.EndTxn, kmsg.DescribeGroups, kmsg.DescribeQuorum, kmsg.CreateTopics, kmsg.DescribeConfigs)
	got := call(t, "", "check", "--brokers", k, "--input", "events", "--state", t.TempDir(), "--create-topics")
	for _, want := range []string{
		"note  clock ", "ok    input        events, 1 partition", "ok    state ",
		"note  output       events.predictions does not exist yet, and whether that can be changed: cannot tell: " +
			"CreateTopics 5 to " + k + " (it offers versions ",
		"note  dead-letter  events.dlq does not exist yet",
		"note  transactions transactional id rosenblatt.events.predictions: cannot tell: EndTxn 3 to " + k,
		"note  group        rosenblatt-events: cannot tell: DescribeGroups ",
		"FAIL  start        would stop with error=unsupported-broker: the broker closes the connection at each" +
			" request DescribeConfigs ", // in one of its forms
		"One thing is wrong.",
	} {
		got.want(t, cli.ExitFailed, want, "")
	}
}

// TestForeignBrokers: each command that meets a request that the brokers do not know ends at once, and names it.
func TestForeignBrokers(t *testing.T) {
	t.Parallel()
	for key, args := range map[kmsg.Key][]string{
		kmsg.ListOffsets:    {"run", "--input", "events", "--create-topics", "--http", "off"},
		kmsg.InitProducerID: {"run", "--input", "events", "--create-topics", "--http", "off"},
		kmsg.CreateTopics:   {"run", "--input", "events", "--create-topics", "--http", "off"},
	} {
		t.Run(key.Name(), func(t *testing.T) {
			t.Parallel()
			k := foreign(t, key)
			got := call(t, "", append(slices.Clone(args), "--brokers", k, "--state", t.TempDir())...)
			if text := got.stderr; got.code != cli.ExitStopped || !strings.Contains(text, stops.UnsupportedBroker) ||
				!strings.Contains(text, "at each request "+key.Name()) {
				t.Errorf("exit %d: %s%s", got.code, got.stdout, text)
			}
		})
	}
}
