package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// TestReplayLabelsOfAPart: labels of events that are left out by --partitions or --to are counted apart, and so are
// those of events that were rejected.
func TestReplayLabelsOfAPart(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(2, "events", "events.predictions", "events.other"), kfake.SeedTopics(1, "clicks"))
	c := streamtest.Connect(t, k)
	at := time.Now().Add(-time.Hour).UnixMilli()
	for i := range 20 {
		c.ProduceAt(t, "events", i%2, at+int64(i), fmt.Sprintf(`{"id":%d,"x":%d}`, i, i%3))
		c.ProduceAt(t, "clicks", 0, at+60_000+int64(i), fmt.Sprintf(`{"id":%d,"label":%d}`, i, i%2))
	}
	c.ProduceAt(t, "events", 0, at, `{"id":"bad","x":1,"weight":-1}`)
	c.ProduceAt(t, "clicks", 0, at+60_000, `{"id":"bad","label":1}`)
	replay := []string{"replay", "--brokers", k, "--topic", "events", "--weight-field", "weight", "--labels", "clicks"}
	rejected := "rejected 1 of 21 label records: no-example 1; the events of 1 of them were rejected\n"
	call(t, "", replay...).want(t, cli.ExitDone, "examples: labelled 20\n"+rejected, "1 of 21 labels were rejected,"+
		" most since their events were: those come first\n")
	outside := "label records 21; examples: labelled %d\nlabels of events that were not read, or of none: %d\n"
	call(t, "", append(replay, "--partitions", "0")...).want(t, cli.ExitDone, fmt.Sprintf(outside, 10, 10)+rejected, "")
	call(t, "", append(replay, "--to", "4")...).want(t, cli.ExitDone, fmt.Sprintf(outside, 8, 13), "")
	call(t, "", append(replay, "--partitions", "1", "--to", "0")...).want(t, cli.ExitFailed, "", "there was no event")

	// Whoever has named another topic of outcomes is told the flag.
	journal := append(replay, "--order", "journal")
	call(t, "", journal...).want(t, cli.ExitUsage, "", "outcomes: topic events.outcomes does not exist: name the"+
		" daemon's topic of outcomes with --outcomes\n")
	run := []string{"run", "--brokers", k, "--input", "events", "--weight-field", "weight", "--labels", "clicks",
		"--outcomes", "events.ends", "--create-topics", "--until-end", "--http", "off", "--state", t.TempDir()}
	call(t, "", run...).want(t, cli.ExitDone, "", "")
	call(t, "", append(journal, "--outcomes", "events.other")...).want(t, cli.ExitDone, "", "topic events.other has no"+
		" outcome: if the daemon's are in another topic, name it with --outcomes\n")
	call(t, "", append(journal, "--outcomes", "events.ends")...).want(t, cli.ExitDone, "examples: labelled 20", "")
	c.ProduceAt(t, "events", 0, at+120_000, `{"id":20,"x":1}`)
	call(t, "", run...).want(t, cli.ExitDone, "", "")
	call(t, "", append(journal, "--outcomes", "events.other")...).want(t, cli.ExitFailed, "", "seq 41 follows seq 20:"+
		" the journal has a hole or begins anew, or its outcomes are in another topic (name it with --outcomes)")
}
