package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// checkLabels is check with later labels: of the topics events and clicks.
func checkLabels(t *testing.T, brokers string, more ...string) outcome {
	t.Helper()
	return call(t, "", append([]string{"check", "--brokers", brokers, "--input", "events", "--labels", "clicks",
		"--state", t.TempDir()}, more...)...)
}

// TestCheckLabelTopics: both topics are there, or the one that is written can be created.
func TestCheckLabelTopics(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(2, "events", "events.predictions", "events.dlq"), kfake.SeedTopics(3, "clicks"))
	got := checkLabels(t, k)
	got.want(t, cli.ExitFailed, "ok    labels       clicks, 3 partitions", "")
	got.want(t, cli.ExitFailed, "FAIL  outcomes     events.outcomes does not exist (or this user may not see it): "+
		"create it with 1 partition, or start with --create-topics", "")
	got = checkLabels(t, k, "--create-topics")
	got.want(t, cli.ExitDone, "events.outcomes does not exist yet: run --create-topics will create it", "")
	got = checkLabels(t, k, "--create-topics", "--settled-ids", "100", "--output", "events.predictions.1")
	got.want(t, cli.ExitDone, "note  labels       --settled-ids 100 remembers few ids", "")
	got.want(t, cli.ExitDone, "note  output       topic events.predictions exists: if it is the output of another", "")
	got = checkLabels(t, k, "--labels", "clikcs", "--create-topics")
	got.want(t, cli.ExitFailed, "FAIL  labels       clikcs does not exist (or this user may not see it): check its "+
		"spelling, or create it", "")
	checkLabels(t, k, "--labels", "events.dlq").want(t, cli.ExitUsage, "",
		"labels: events.dlq is the topic of dead-letter: want another one")
	checkLabels(t, k, "--labels-format", "vw").want(t, cli.ExitUsage, "", "labels: format vw: label records are")
}

// TestCheckReadsLabels: some label records are read as the daemon does, and ids of another kind than the events' are
// named.
func TestCheckReadsLabels(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(2, "events", "events.predictions", "events.dlq", "events.outcomes"),
		kfake.SeedTopics(3, "clicks"))
	c := streamtest.Connect(t, k)
	checkLabels(t, k).want(t, cli.ExitDone, "ok    labels       clicks holds none yet", "")
	for i := range 20 {
		c.Produce(t, "events", i%2, fmt.Sprintf(`{"id":"%d","x":1}`, i))
		c.Produce(t, "clicks", i%3, fmt.Sprintf(`{"id":%d,"click":true}`, i))
	}
	got := checkLabels(t, k)
	got.want(t, cli.ExitFailed, "FAIL  labels       the newest 20 labels are all rejected, as no-label: ", "")
	got.want(t, cli.ExitFailed, "--labels-label-field NAME names the label", "")
	got = checkLabels(t, k, "--labels-label-field", "click")
	got.want(t, cli.ExitFailed, "ok    labels       the newest 20 labels: 0 rejected", "")
	got.want(t, cli.ExitFailed,
		"FAIL  labels       ids of events are text, those of labels numbers: 7 and \"7\" are", "")
	if strings.Contains(got.stdout, "timestamps are in 1970") {
		t.Error(got.stdout)
	}
	c.ProduceAt(t, "clicks", 0, time.Now().Unix(), `{"id":1,"click":true}`)
	c.ProduceAt(t, "events", 0, time.Now().Unix(), `{"id":"e","x":1}`)
	got = checkLabels(t, k, "--labels-label-field", "click")
	for _, of := range []string{"events", "labels"} {
		got.want(t, cli.ExitFailed, "warn  "+of+
			"       timestamps are in 1970: seconds in place of milliseconds?: 1 record", "")
	}
	c.Produce(t, "clicks", 1, "{", `{"click":true}`)
	got = checkLabels(t, k, "--labels-label-field", "click", "--id-field", "nr")
	got.want(t, cli.ExitFailed, "as no-id", "")
	got = checkLabels(t, k, "--labels-label-field", "click", "--id-field", "nr", "--labels-id-field", "id")
	got.want(t, cli.ExitDone, "warn  labels       1 are rejected as syntax, the first: ", "")
	got.want(t, cli.ExitDone, `warn  labels       no event has an id: name its field with --id-field (now "nr")`, "")
}

// TestCheckLabelsBeforeTheFirstRun: labels are read, and the input's retention is compared, before the topics exist
// that are written.
func TestCheckLabelsBeforeTheFirstRun(t *testing.T) {
	k := broker(t, kfake.SeedTopics(1, "clicks"))
	c := streamtest.Connect(t, k)
	c.Topic(t, "events", 1, "retention.ms", "3600000")
	c.Produce(t, "events", 0, `{"id":"e1","x":1}`)
	c.Produce(t, "clicks", 0, `{"id":"e1","click":true}`, `{"id":"e2","click":true}`)
	got := checkLabels(t, k, "--create-topics")
	got.want(t, cli.ExitFailed, "FAIL  labels       the newest 2 labels are all rejected, as no-label: ", "")
	got.want(t, cli.ExitFailed,
		"warn  labels       events keeps events for 1h, and they wait for labels for 24h", "")
}

// TestCheckWaits: how long events are kept, and how many come, are compared with how long they wait for labels.
func TestCheckWaits(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events.predictions", "events.dlq", "events.outcomes", "clicks"))
	c := streamtest.Connect(t, k)
	c.Topic(t, "events", 1, "retention.ms", "3600000", "retention.bytes", "-1")
	c.ProduceAt(t, "events", 0, time.Now().Add(-10*time.Minute).UnixMilli(),
		slices.Repeat([]string{`{"x":1}`}, 6)...)
	got := checkLabels(t, k, "--waiting-examples", "100")
	got.want(t, cli.ExitDone, "warn  labels       events keeps events for 1h, and they wait for labels for 24h", "")
	got.want(t, cli.ExitDone, "set its retention.ms to 86400000 or more", "")
	got.want(t, cli.ExitDone, "6 events came in the last 1h: at this rate 144 come within --label-wait (24h), "+
		"and 100 may wait", "")
	got = checkLabels(t, k, "--waiting-examples", "144", "--label-wait", "1h")
	if strings.Contains(got.stdout, "come within --label-wait") || strings.Contains(got.stdout, "keeps events for") {
		t.Error(got.stdout)
	}
	c.SetConfig(t, "events", "retention.bytes", "1048576")
	checkLabels(t, k, "--label-wait", "1h").want(t, cli.ExitDone,
		"note  labels       events deletes events beyond 1.0 MiB in a partition, however new", "")
}

// TestCheckRightsOnLabels: READ on the labels, and READ and WRITE on the outcomes.
func TestCheckRightsOnLabels(t *testing.T) {
	t.Parallel()
	var acls []kfake.ACL
	for _, topic := range []string{"events", "events.predictions", "events.dlq", "events.outcomes"} {
		for _, op := range []kmsg.ACLOperation{kmsg.ACLOperationRead, kmsg.ACLOperationDescribeConfigs} {
			acls = append(acls, kfake.ACL{Resource: kmsg.ACLResourceTypeTopic, Name: topic,
				Pattern: kmsg.ACLResourcePatternTypeLiteral, Operation: op, Allow: true})
		}
	}
	acls = append(acls, kfake.ACL{Resource: kmsg.ACLResourceTypeTopic, Name: "clicks",
		Pattern: kmsg.ACLResourcePatternTypeLiteral, Operation: kmsg.ACLOperationDescribe, Allow: true})
	k := broker(t, kfake.EnableSASL(), kfake.EnableACLs(), kfake.Superuser("PLAIN", "root", "root"),
		kfake.User("PLAIN", "me", "geheim", acls...),
		kfake.SeedTopics(1, "events", "events.predictions", "events.dlq", "events.outcomes", "clicks"))
	got := checkLabels(t, k, "--sasl", "plain", "--sasl-user", "me", "--sasl-password-file", write(t, "p", "geheim"))
	got.want(t, cli.ExitFailed, "FAIL  labels       clicks: this user lacks READ, DESCRIBE_CONFIGS: add an ACL", "")
	got.want(t, cli.ExitFailed, "FAIL  outcomes     events.outcomes: this user lacks WRITE: add an ACL for it", "")
}
