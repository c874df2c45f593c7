package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
)

// timedFiles writes events and their labels, an hour later, with times in such texts.
func timedFiles(t *testing.T, text func(seconds int64) string) []string {
	t.Helper()
	dir := t.TempDir()
	var events, labels strings.Builder
	for i := range int64(3) {
		at := 1_700_000_000 + 60*i
		fmt.Fprintf(&events, `{"id":%d,"at":%s,"x":%d}`+"\n", i, text(at), i-1)
		fmt.Fprintf(&labels, `{"id":%d,"at":%s,"label":%d}`+"\n", i, text(at+3600), i%2)
	}
	paths := []string{filepath.Join(dir, "e.jsonl"), filepath.Join(dir, "l.jsonl")}
	for i, b := range []*strings.Builder{&events, &labels} {
		if err := os.WriteFile(paths[i], []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return []string{paths[0], "--labels", paths[1], "--time-field", "at"}
}

// TestReplayTimes: an hour is an hour in every unit and notation, and it is said what times were taken for.
func TestReplayTimes(t *testing.T) {
	t.Parallel()
	for said, text := range map[string]func(s int64) string{
		"seconds since 1970: 1700000000 is 2023-11-14T22:13:20Z; --time-unit": func(s int64) string {
			return fmt.Sprint(s)
		},
		"seconds since 1970: 1700000000.5 is 2023-11-14T22:13:20.5Z": func(s int64) string {
			return fmt.Sprintf("%d.5", s)
		},
		"milliseconds since 1970: 1700000000000 is": func(s int64) string { return fmt.Sprintf("%d000", s) },
		"microseconds since 1970: 1700000000000000": func(s int64) string { return fmt.Sprintf(`"%d000000"`, s) },
		"nanoseconds since 1970: 170000":            func(s int64) string { return fmt.Sprintf("%d000000000", s) },
	} {
		args := timedFiles(t, text)
		got := call(t, "", append([]string{"replay"}, args...)...)
		got.want(t, cli.ExitDone, "labels came later by 1h in the mean", said)
		l, _ := replayLater(t, args...)
		if l.Labels.Outcomes["labelled"] != 3 || l.Labels.MeanDelaySeconds != 3600 {
			t.Errorf("%s: %+v", said, l.Labels)
		}
	}
}

// TestReplayISOTimes: pandas writes a blank between date and time, and no zone.
func TestReplayISOTimes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	events, labels := filepath.Join(dir, "e.csv"), filepath.Join(dir, "l.csv")
	for path, text := range map[string]string{
		events: "id,at,x\na,2023-11-14 22:13:20,1\nb,2023-11-14T22:13:20.250,-1\nc,2023-11-14T23:13:21+01:00,2\n",
		labels: "id,at,label\na,2023-11-14 23:13:20,1\nb,2023-11-14 23:13:20.250 UTC,0\nc,2023-11-14 23:13:21,1\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{events, "--labels", labels, "--time-field", "at"}
	call(t, "", append([]string{"replay"}, args...)...).want(t, cli.ExitDone, "came later by 1h in the mean",
		"without a zone, which are taken for UTC: 2023-11-14 22:13:20 is 2023-11-14T22:13:20Z")
	if l, _ := replayLater(t, args...); l.Labels.Outcomes["labelled"] != 3 || l.Labels.MeanDelaySeconds != 3600 {
		t.Errorf("%+v", l.Labels)
	}
}

// TestReplayNoTimes: a record whose time is none is rejected, by name and place, and the others go on. Where no record
// of a file has one, the field is not the one that was meant.
func TestReplayNoTimes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	events, labels := filepath.Join(dir, "e.jsonl"), filepath.Join(dir, "l.jsonl")
	for path, text := range map[string]string{
		events: `{"id":1,"at":1700000000,"x":1}
{"id":2,"at":"yesterday","x":1}
{"id":3,"x":1}
{"id":4,"at":1700000120000,"x":1}
{"id":5,"at":null,"x":1}
{"id":6,"at":1700000180,"x":-1}
`,
		labels: `{"id":1,"at":1700003600,"label":1}
{"id":6,"at":0,"label":1}
{"id":6,"at":1700003780,"label":0}
`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{events, "--labels", labels, "--time-field", "at"}
	got := call(t, "", append([]string{"replay"}, args...)...)
	got.want(t, cli.ExitDone, "rejected 4 of 6: bad-time 4\n",
		events+":2: bad-time: \"at\": \"yesterday\": want a time as")
	for _, want := range []string{":3: bad-time: the field \"at\" is absent or empty",
		":4: bad-time: \"at\": 1700000120000 has not the magnitude of seconds since 1970, as the first one has: " +
			"--time-unit sets the unit", labels + ":2: bad-time: "} {
		got.want(t, cli.ExitDone, "rejected 1 of 3 label records: bad-time 1", want)
	}
	if l, r := replayLater(t, args...); l.Labels.Outcomes["labelled"] != 2 ||
		r.Learners[0].Examples+r.Learners[0].LeftOut != 2 || l.Labels.MeanDelaySeconds != 3600 {
		t.Errorf("%+v", l.Labels)
	}
	call(t, "", "replay", events, "--labels", labels, "--time-field", "when").want(t, cli.ExitFailed, "",
		"time-field: the field \"when\" is absent or empty; no record of the file has a time")
	// As advised.
	if l, _ := replayLater(t, append(args, "--time-unit", "s")...); l.Labels.Outcomes["labelled"] != 2 ||
		l.Labels.Rejected["bad-time"] != 0 || l.Labels.Rejected["conflicting-label"] != 1 {
		t.Errorf("%+v", l.Labels)
	}
	call(t, "", append([]string{"replay", "--time-unit", "minutes"}, args...)...).want(t, cli.ExitUsage, "",
		"time-unit: \"minutes\": want auto, s, ms, us, ns")
	call(t, "", "replay", events, "--time-unit", "s").want(t, cli.ExitUsage, "", "time-unit: it needs --labels")
}

// TestReplayOldTimes: times in a file are of that unit which is said, however long ago they are, and files have no
// producers.
func TestReplayOldTimes(t *testing.T) {
	t.Parallel()
	for unit, first := range map[string]int64{"auto": 881_250_949, "s": 86_400} { // 1997, and the day after the first
		at := func(id int, seconds int64, rest string) string {
			return fmt.Sprintf(`{"id":%d,"at":%d,%s}`+"\n", id, first+seconds, rest)
		}
		var events, labels strings.Builder
		for i := range 40 {
			events.WriteString(at(i, 3600*int64(i), `"x":1`))
		}
		labels.WriteString(at(99, 3600, `"label":1`))
		for i := range 10 { // 26 hours later
			labels.WriteString(at(i, 3600*int64(i)+93_600, `"label":0`))
		}
		args := []string{"replay", write(t, "e.jsonl", events.String()), "--time-field", "at", "--time-unit", unit,
			"--labels", write(t, "l.jsonl", labels.String())}
		got := call(t, "", args...)
		got.want(t, cli.ExitDone, "rejected 10 of 11 label records: ", "--label-wait 28h would be enough")
		if strings.Contains(got.stdout+got.stderr, "in 1970") || strings.Contains(got.stderr, "producers") {
			t.Errorf("%s: %s%s", unit, got.stdout, got.stderr)
		}
		call(t, "", append(args, "--label-wait", "28h")...).want(t, cli.ExitDone, "examples: labelled 10", "")
	}
}
