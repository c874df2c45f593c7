package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/streamtest"
)

// envHostile is for how long TestFailoverHostile runs. Without it the test is skipped.
const envHostile = "ROSENBLATT_TEST_HOSTILE"

// TestFailoverHostile: beside brokers whose responses take up to 200 ms longer, each of which is restarted once and
// killed once, no daemon is replaced, since all live, and they seldom ask who does. The brokers have Kafka's own
// limits.
func TestFailoverHostile(t *testing.T) {
	faults(t)
	lasts, err := time.ParseDuration(os.Getenv(envHostile))
	if err != nil {
		t.Skipf("it runs for long: set %s to a duration", envHostile)
	}
	n, err := newNodes("-n", "3")
	if err != nil {
		t.Fatal(err)
	}
	x, stop := newMeasured(t, streamtest.Connect(t, n.brokers...))
	defer stop()
	owner, before, began := x.owner(t, nil), x.tookOver(), time.Now()
	x.delay(func() time.Duration { return time.Duration(rand.Int64N(int64(200 * time.Millisecond))) })
	for i := range 2 * len(n.brokers) {
		time.Sleep(time.Until(began.Add(lasts * time.Duration(2*i+1) / time.Duration(4*len(n.brokers)))))
		x.trouble(t, n, i)
	}
	time.Sleep(time.Until(began.Add(lasts)))
	x.delay(nil)
	rebalances, asked := x.suspicions(t)
	t.Logf("%v: %d rebalances by %d suspicions, longest time without a prediction %v", lasts, rebalances, asked,
		x.longest(began))
	if rebalances > 20 {
		t.Errorf("want at most 20 rebalances by suspicion")
	}
	for i, n := range x.tookOver() {
		if m := x.all[i]; n > before[i] && m != owner {
			t.Errorf("%s took over %d times, and %s lives", m.name, n-before[i], owner.name)
		}
		x.all[i].alive(t)
	}
	if t.Failed() {
		x.tellLogs(t)
	}
	sent := stop()
	x.owner(t, nil).await(t, "all", func(d daemonStatus) bool { return d.Seq == int64(sent) })
}

// tookOver are how often each of the daemons took over, by their logs.
func (x *measured) tookOver() (times []int) {
	for _, m := range x.all {
		times = append(times, strings.Count(m.log.String(), `"message":"took over"`))
	}
	return times
}

// delay lets each response of the brokers to the daemons wait; nil lets none.
func (x *measured) delay(long func() time.Duration) {
	for _, m := range x.all {
		if long == nil {
			m.link.Set(nil)
			continue
		}
		m.link.Set(func(message *proxytest.Message) proxytest.Verdict {
			if message.Response {
				time.Sleep(long()) // the delay of the link
			}
			return proxytest.Pass
		})
	}
}

// trouble restarts one node after the other, then kills one after the other, and waits until all are whole again. One
// that was killed comes back when the others have found out that it is gone.
func (x *measured) trouble(t *testing.T, n *nodes, i int) {
	t.Helper()
	all := []string{x.setup.Name, x.setup.Output(), x.setup.DeadLetters(), x.setup.Name + ".checkpoints"}
	n.whole(t, all...)
	node, began, what := i%len(n.brokers)+1, time.Now(), "restarted"
	leads := []any{n.leader(t, x.setup.Name), n.leader(t, x.setup.Output()), n.coordinator(t, x.setup, false)}
	if i < len(n.brokers) {
		if err := kafkaDown(n.dir, "-i", fmt.Sprint(node)); err != nil {
			t.Fatal(err)
		}
	} else {
		what = "killed"
		n.kill(t, node)
		time.Sleep(15 * time.Second)
	}
	n.up(t, "-i", fmt.Sprint(node))
	n.whole(t, all...)
	time.Sleep(5 * time.Second) // of predictions
	rebalances, asked := x.suspicions(t)
	t.Logf("%v: node %d was %s (%v lead partition 0 of input and output and the fence): %v without a prediction; so"+
		" far %d rebalances by %d suspicions", began.Format(time.TimeOnly), node, what, leads, x.longest(began),
		rebalances, asked)
}

var suspectedLine = regexp.MustCompile(`"time":"([^"]+)"[^\n]*"message":"suspected: `)

// suspicions are how often the daemons asked who is alive, and how many rebalances that made: those who ask within two
// seconds meet in one.
func (x *measured) suspicions(t *testing.T) (rebalances, asked int) {
	t.Helper()
	var times []time.Time
	for _, m := range x.all {
		for _, found := range suspectedLine.FindAllStringSubmatch(m.log.String(), -1) {
			at, err := time.Parse(time.RFC3339, found[1])
			if err != nil {
				t.Fatal(err)
			}
			times = append(times, at)
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	for i, at := range times {
		if i == 0 || at.Sub(times[i-1]) > 2*time.Second {
			rebalances++
		}
	}
	return rebalances, len(times)
}
