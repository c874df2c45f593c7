package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"

	"github.com/twmb/franz-go/pkg/kfake"
)

// rareLast are a hundred events an hour apart, and their labels by time: a common one after an hour, and a rare one,
// every tenth, after days.
func rareLast(event, label func(id string, at time.Duration, label int)) {
	var after [200][]func()
	for i := range 100 {
		came, rare := i+1, 0
		if i%10 == 3 {
			came, rare = i+3*24, 1
		}
		id := fmt.Sprint("e", i)
		event(id, time.Duration(i)*time.Hour, rare)
		after[came] = append(after[came], func() { label(id, time.Duration(came)*time.Hour, rare) })
	}
	for _, labels := range after {
		for _, send := range labels {
			send()
		}
	}
}

// TestReplayLateLabels: replay says of which label most come too late, and the setting that it names mends it.
func TestReplayLateLabels(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var events, labels strings.Builder
	rareLast(func(id string, at time.Duration, _ int) {
		fmt.Fprintf(&events, `{"id":%q,"t":%q,"x":1}`+"\n", id, begin.Add(at).Format(time.RFC3339))
	}, func(id string, at time.Duration, label int) {
		fmt.Fprintf(&labels, `{"id":%q,"t":%q,"label":%d}`+"\n", id, begin.Add(at).Format(time.RFC3339), label)
	})
	args := []string{"replay", write(t, "e.jsonl", events.String()), "--labels", write(t, "l.jsonl", labels.String()),
		"--time-field", "t"}
	const found = "100 % of the labels 1 came too late, 10 of 10: their events no longer waited: "
	got := call(t, "", args...)
	const enough = "--label-wait 4d would be enough for 99 % of them (now 24h)"
	got.want(t, cli.ExitDone, found, "rosenblatt: "+found+enough+"\n")
	got = call(t, "", append(args, "--label-wait", "4d")...)
	got.want(t, cli.ExitDone, "labelled 100", "")
	if text := got.stdout + got.stderr; strings.Contains(text, "too late") {
		t.Error(text)
	}
	got = call(t, "", append(args, "--label-wait", "4d", "--waiting-examples", "5")...)
	got.want(t, cli.ExitDone, "", "came too late, ")
	got.want(t, cli.ExitDone, "", "raise --waiting-examples (now 5)\n")
}

// TestCheckLateLabels: so does check, of the labels that are in the topic.
func TestCheckLateLabels(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(2, "events", "events.predictions", "events.dlq", "events.outcomes"),
		kfake.SeedTopics(1, "clicks"))
	c := streamtest.Connect(t, k)
	begin, n := time.Now().Add(-10*24*time.Hour), 0
	rareLast(func(id string, at time.Duration, _ int) {
		c.ProduceAt(t, "events", n%2, begin.Add(at).UnixMilli(), fmt.Sprintf(`{"id":%q,"x":1}`, id))
		n++
	}, func(id string, at time.Duration, label int) {
		c.ProduceAt(t, "clicks", 0, begin.Add(at).UnixMilli(), fmt.Sprintf(`{"id":%q,"label":%d}`, id, label))
	})
	const warning = "warn  labels       100 % of the labels 1 came too late, 10 of 10: their events no longer " +
		"waited: --label-wait 4d would be enough for 99 % of them (now 24h)"
	checkLabels(t, k).want(t, cli.ExitDone, warning, "")
	if got := checkLabels(t, k, "--label-wait", "4d"); strings.Contains(got.stdout, "too late") {
		t.Error(got.stdout)
	}
}

// TestRunLateLabels: so does a run at its end, also one after it in which no label comes; and inspect has the counts.
func TestRunLateLabels(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events", "clicks"))
	c := streamtest.Connect(t, k)
	begin, state := time.Now().Add(-10*24*time.Hour), t.TempDir()
	rareLast(func(id string, at time.Duration, _ int) {
		c.ProduceAt(t, "events", 0, begin.Add(at).UnixMilli(), fmt.Sprintf(`{"id":%q,"x":1}`, id))
	}, func(id string, at time.Duration, label int) {
		c.ProduceAt(t, "clicks", 0, begin.Add(at).UnixMilli(), fmt.Sprintf(`{"id":%q,"label":%d}`, id, label))
	})
	const late = "100 % of the labels 1 came too late, 10 of 10: their events no longer waited: raise --label-wait" +
		" (now 24h)\n"
	for range 2 {
		got := call(t, "", "run", "--brokers", k, "--input", "events", "--labels", "clicks", "--create-topics",
			"--until-end", "--http", "off", "--state", state)
		got.want(t, cli.ExitDone, "; label 0: 0 of ", "")
		got.want(t, cli.ExitDone, late, "")
	}
	call(t, "", "inspect", state+"/events").want(t, cli.ExitDone,
		"came for 10 events that are known, 10 of them too late (100 %)\n", "")
}

// TestReplayPredictionsLater: with later labels each event has one line, when its outcome is known: with the label, the
// outcome and how late the label was. Those that wait at the end come last.
func TestReplayPredictionsLater(t *testing.T) {
	t.Parallel()
	events, labels := write(t, "e.jsonl", lateEvents), write(t, "l.jsonl", lateLabels)
	for ending, want := range map[string]string{
		".jsonl": `{"line":1,"id":1,"prediction":1,"score":0,"label":1,"mistake":false,"untrained":true,` +
			`"outcome":"labelled","delay":500}` + "\n",
		".csv": "\n1,1,1,0,,1,false,,,true,labelled,500\n",
	} {
		out := filepath.Join(t.TempDir(), "p"+ending)
		call(t, "", "replay", events, "--labels", labels, "--time-field", "t", "--weight-field", "weight",
			"--label-wait", "60s", "--scale", "none", "--predictions", out).want(t, cli.ExitDone, "", "")
		got := read(t, out)
		if !strings.Contains(got, want) {
			t.Errorf("%s\nwant\n%s", got, want)
		}
		lines := strings.Split(strings.TrimSpace(strings.TrimPrefix(got, "line,")), "\n")
		if n := strings.Count(got, "labelled"); n != 4 || len(lines)-strings.Count(ending, "csv") != 10 ||
			strings.Count(got, "expired") != 2 || strings.Count(got, "duplicate") != 1 {
			t.Errorf("%d lines: %s", len(lines), got)
		}
		if last := lines[len(lines)-1]; !strings.Contains(last, "10") || strings.Contains(last, "labelled") {
			t.Errorf("the last line is %s", last)
		}
	}
}
