package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// tailed is a line of tail --json.
type tailed struct {
	Written, Record, Reason, Error, Outcome, Value string

	Seq, Of, Offset int64
	Partition       int32

	Positive  float64
	Threshold *float64
}

func tailJSON(t *testing.T, args ...string) (all []tailed) {
	t.Helper()
	got := call(t, "", append([]string{"tail", "--json"}, args...)...)
	if got.code != cli.ExitDone {
		t.Fatalf("%v: exit %d: %s", args, got.code, got.stderr)
	}
	for line := range strings.Lines(got.stdout) {
		var x tailed
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatalf("%v: %v: %s", args, err, line)
		}
		all = append(all, x)
	}
	return all
}

func seqs(all []tailed) (out []int64) {
	for _, x := range all {
		out = append(out, x.Seq)
	}
	return out
}

// tailWorld is what a daemon with later labels has published over three partitions.
func tailWorld(t *testing.T) (flags []string, s *streamtest.Setup) {
	t.Helper()
	s = streamtest.New(t, streamtest.Start(t), 3)
	labels := s.Name + ".labels"
	s.Cluster.Topic(t, labels, 1)
	var events [3][]string
	var verdicts []string
	for i := range 300 {
		event := fmt.Sprintf(`{"id":"e%d","features":{"x":%d}}`, i, i%7-3)
		switch {
		case i%50 == 13:
			event = fmt.Sprintf("{\"id\":\"e%d\",\"features\":\x1b[31m", i)
		case i%100 == 27:
			event = fmt.Sprintf(`{"id":"e%d","features":7}`, i)
		}
		events[i%3] = append(events[i%3], event)
		if i%50 != 13 && i%100 != 27 {
			verdicts = append(verdicts, fmt.Sprintf(`{"id":"e%d","label":%d}`, i, i%2))
		}
	}
	for p := range events {
		s.Cluster.Produce(t, s.Name, p, events[p]...)
	}
	s.Cluster.Produce(t, labels, 0, verdicts...)
	flags = []string{"--brokers", strings.Join(s.Cluster.Brokers, ","), "--input", s.Name}
	call(t, "", append([]string{"run", "--labels", labels, "--create-topics", "--until-end", "--http", "off", "--state",
		s.Dir, "--bits", "10"}, flags...)...).want(t, cli.ExitDone, "", "")
	return flags, s
}

// TestTail: predictions, outcomes and dead letters come in the order in which they were written, each once, whatever
// is beside them.
func TestTail(t *testing.T) {
	t.Parallel()
	flags, s := tailWorld(t)
	others := []string{"what another program wrote"}
	for range 60 { // behind them are the newest of the partition
		others = append(others, `{"prediction":1,"score":1,"partition":0,"offset":3,"seq":7,"model":"another@1"}`)
	}
	s.Cluster.Produce(t, s.Name+".predictions", 1, others...)
	tail := func(args ...string) []tailed { t.Helper(); return tailJSON(t, append(args, flags...)...) }
	all := tail("--from", "0")
	both := append(slices.Clone(all), tail("outcomes", "--from", "0")...)
	if numbers := seqs(both); len(all) != 291 || !slices.IsSorted(seqs(all)) {
		t.Fatalf("%d predictions: %v", len(all), numbers)
	}
	numbers := seqs(both)
	slices.Sort(numbers)
	for i, seq := range numbers {
		if seq != int64(i+1) {
			t.Fatalf("the journal's seqs are %v", numbers)
		}
	}
	if got := tail(); !slices.Equal(got, all[281:]) {
		t.Errorf("the last ten: %+v", got)
	}
	if got := tail("--lines", "200"); !slices.Equal(got, all[91:]) {
		t.Errorf("the last 200 are %d: %v", len(got), seqs(got))
	}
	if got := tail("--from", "0", "--lines", "4"); !slices.Equal(got, all[:4]) {
		t.Errorf("the first four: %+v", got)
	}
	for _, x := range tail("--from", "5", "--to", "9", "--partitions", "2") {
		if x.Partition != 2 || x.Record < "2:5" || x.Record > "2:8" {
			t.Errorf("%+v", x)
		}
	}
	if got := tail("--from", "2020-01-01T00:00:00Z", "--to", "2021-01-01T00:00:00Z"); len(got) != 0 {
		t.Errorf("of another time: %+v", got)
	}
	letters := tail("dead-letters", "--from", "0")
	if len(letters) != 9 {
		t.Fatalf("%d dead letters: %+v", len(letters), letters)
	}
	for _, x := range letters {
		if x.Reason != "syntax" && x.Reason != "bad-features" || x.Error == "" || !strings.HasPrefix(x.Value, `{"id"`) {
			t.Errorf("%+v", x)
		}
	}
	if got := tail("dead-letters", "--reason", "bad-features", "--lines", "2"); len(got) != 2 ||
		got[1].Reason != "bad-features" { // partitions send theirs in any order
		t.Errorf("%+v", got)
	}
	if got := tail("outcomes", "--reason", "labelled,gone", "--from", "0"); len(got) != 291 || got[0].Of == 0 {
		t.Errorf("%d outcomes", len(got))
	}
	got := call(t, "", append([]string{"tail"}, flags...)...)
	got.want(t, cli.ExitDone, "EVENT", "topic "+s.Name+".predictions: 61 records of other models or programs left out")
	if lines := strings.Split(strings.TrimSpace(got.stdout), "\n"); len(lines) != 11 ||
		strings.Contains(got.stdout, "\x1b") || strings.Contains(lines[0], "THRESHOLD") {
		t.Errorf("%s", got.stdout)
	}
	got = call(t, "", append([]string{"tail", "dead-letters"}, flags...)...)
	if got.want(t, cli.ExitDone, "�[31m", ""); strings.Contains(got.stdout, "\x1b") {
		t.Errorf("an event moves the cursor: %q", got.stdout)
	}
}

// TestTailUsage: what cannot be shown is said, and what to do.
func TestTailUsage(t *testing.T) {
	t.Parallel()
	k := broker(t)
	tail := func(code int, says string, args ...string) {
		t.Helper()
		call(t, "", append([]string{"tail", "--brokers", k}, args...)...).want(t, code, "", says)
	}
	tail(cli.ExitUsage, "input: missing")
	tail(cli.ExitUsage, "topic nothing.predictions does not exist: name the model's topic of predictions with --output",
		"--input", "nothing")
	tail(cli.ExitUsage, "with --outcomes; a model without --labels has none", "outcomes", "--input", "nothing")
	for says, args := range map[string][]string{
		`what is shown: "letters": want predictions, outcomes or dead-letters`: {"letters"},
		"lines: -1: want 0 or more":                     {"--lines=-1"},
		"lines: 0 records: want 1 or more, or --follow": {"--lines", "0"},
		`from: "now": want an offset, or a time`:        {"--from", "now"},
		"follow: it has no end: leave --to out":         {"-f", "--to", "7"},
		"leave --lines out beside --from":               {"-f", "--from", "7", "--lines", "3"},
		"reason: predictions have none":                 {"--reason", "syntax"},
		`reason: "syntax": want one of duplicate`:       {"outcomes", "--reason", "syntax"},
		`reason: "expired": want one of empty`:          {"dead-letters", "--reason", "expired"},
		"partitions: -1: want 0 or more":                {"--partitions=-1"},
	} {
		tail(cli.ExitUsage, says, append(args, "--input", "nothing")...)
	}
}

// TestTailFollow: what is published is shown as it comes, and Ctrl-C is a good end.
func TestTailFollow(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	flags, s := tailWorld(t)
	path, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	p := launch(t, append([]string{path, "tail", "--follow", "--lines", "1", "--json"}, flags...)...)
	lines := func() int { return strings.Count(p.log.String(), "\n") }
	streamtest.Await(t, "the last prediction", func() bool { return lines() == 1 })
	for p := range 3 {
		var events []string
		for i := p; i < 60; i += 3 {
			events = append(events, fmt.Sprintf(`{"id":"f%d","features":{"x":1}}`, i))
		}
		s.Cluster.Produce(t, s.Name, p, events...)
	}
	call(t, "", append([]string{"run", "--labels", s.Name + ".labels", "--until-end", "--http", "off", "--state", s.Dir,
		"--bits", "10"}, flags...)...).want(t, cli.ExitDone, "", "")
	streamtest.Await(t, "the new predictions", func() bool { return lines() == 61 })
	p.signal(t, syscall.SIGINT)
	if code := p.exit(t, 10*time.Second); code != cli.ExitDone {
		t.Errorf("exit %d:\n%s", code, p.tail())
	}
	for i := range 60 {
		if n := strings.Count(p.log.String(), fmt.Sprintf(`"id":"f%d",`, i)); n != 1 {
			t.Errorf("event f%d is shown %d times", i, n)
		}
	}
}
