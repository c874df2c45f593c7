package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/datasets"
	"rosenblatt/stream/streamtest"
)

// later is the part of a replay's JSON about labels that came later.
type later struct {
	Labels struct {
		Records, Waiting, NoID, Repeats int64
		Outcomes, Rejected              map[string]int64
		Delays                          []struct {
			UpTo   *float64 `json:"upToSeconds"`
			Labels int64
		}
		MeanDelaySeconds float64
	}
}

// replayLater replays and returns what --json says of labels, and of the learners.
func replayLater(t *testing.T, args ...string) (later, replayed) {
	t.Helper()
	got := call(t, "", append([]string{"replay", "--json", "-"}, args...)...)
	if got.code != cli.ExitDone && !strings.Contains(last(got.stderr), "13 of 13 labels were rejected") {
		t.Fatalf("exit %d: %s", got.code, got.stderr)
	}
	var l later
	var r replayed
	for _, into := range []any{&l, &r} {
		if err := json.Unmarshal([]byte(got.stdout), into); err != nil {
			t.Fatalf("%v in %s", err, got.stdout)
		}
	}
	return l, r
}

// halfHour is the time between two rows of elec2, in ms.
const halfHour = 30 * 60 * 1000

// splitElec2 writes the events of elec2 without their labels, and these, each as much later as delay rows.
func splitElec2(t *testing.T, path string, delay int) (events, labels string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	class := slices.Index(rows[0], "class")
	var e, l strings.Builder
	fmt.Fprintf(&e, "id,time,%s\n", strings.Join(slices.Delete(slices.Clone(rows[0]), class, class+1), ","))
	l.WriteString("class,id,when,time\n")
	for i, row := range rows[1:] {
		features := slices.Delete(slices.Clone(row), class, class+1)
		fmt.Fprintf(&e, "e%d,%d,%s\n", i, i*halfHour, strings.Join(features, ","))
		fmt.Fprintf(&l, "%s,e%d,x,%d\n", row[class], i, (i+delay)*halfHour)
	}
	dir := t.TempDir()
	events, labels = filepath.Join(dir, "events.csv"), filepath.Join(dir, "labels.csv")
	for path, text := range map[string]string{events: e.String(), labels: l.String()} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return events, labels
}

// ups counts the labels UP among the first of a file of labels.
func ups(t *testing.T, path string, first int) (n int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n")[1 : first+1] {
		if strings.HasPrefix(line, "UP,") {
			n++
		}
	}
	return n
}

// TestReplayLabelsElec2: labels in a file of their own give what the same delay in events gives, to the mistake, and
// both are the numbers of an independent program.
func TestReplayLabelsElec2(t *testing.T) {
	t.Parallel()
	if streamtest.Real() {
		t.Skip("without brokers only")
	}
	path := datasets.Path(t, "elec2/electricity.csv")
	for _, c := range []struct {
		delay           int
		perceptron, pa1 float64 // accuracy in per cent
	}{{0, 91.082, 92.302}, {1, 88.784, 90.184}, {48, 76.223, 76.761}} {
		t.Run(strconv.Itoa(c.delay), func(t *testing.T) {
			common := []string{"--label-field", "class", "--positive", "UP", "--learner", "perceptron pa1:C=1",
				"--scale", riverScale}
			delayed := replayJSON(t, "", append(common, "--delay", strconv.Itoa(c.delay), path)...)
			events, labels := splitElec2(t, path, c.delay)
			l, joined := replayLater(t, append(common, "--labels", labels, "--time-field", "time",
				"--label-slack", "0s", "--label-wait", "720h", events)...)
			// The other program counts what was predicted before the first label came, too: guesses of UP.
			guesses, right := c.delay+1, ups(t, labels, c.delay+1)
			for name, want := range map[string]float64{"perceptron": c.perceptron, "pa1:C=1": c.pa1} {
				a, b := delayed.learner(t, name), joined.learner(t, name)
				if c.delay == 0 { // then an event has its label
					a.Examples, a.Mistakes = a.Examples-1, a.Mistakes-int64(guesses-right)
				}
				if a.Mistakes != b.Mistakes || a.Updates != b.Updates || a.Examples != b.Examples || a.Bias != b.Bias ||
					b.Examples != int64(45312-guesses) {
					t.Errorf("--delay gives %+v, --labels %+v", a, b)
				}
				correct := b.Examples - b.Mistakes + int64(right)
				if got := 100 * float64(correct) / 45312; got < want-0.005 || got > want+0.005 {
					t.Errorf("%s: %.3f %%, want %.3f", name, got, want)
				}
			}
			if l.Labels.Outcomes["labelled"] != 45312 || l.Labels.Waiting != 0 || l.Labels.Records != 45312 ||
				l.Labels.MeanDelaySeconds != float64(c.delay*halfHour/1000) {
				t.Errorf("%+v", l.Labels)
			}
		})
	}
}

const (
	lateEvents = `{"id":1,"t":1000,"x":1}
{"id":"1","t":2000,"x":2}
{"id":3,"t":3000,"x":-1}
{"id":4,"t":4000,"x":-2}
{"id":4,"t":5000,"x":9}
{"t":6000,"x":9}
{"id":5,"t":7000,"x":9,"label":1}
{"id":6,"t":"1970-01-01T00:00:08Z","x":3}
{"id":7,"t":100000,"x":3}
{"id":8,"t":100000,"x":3}
`
	lateLabels = `{"id":1,"t":1500,"label":1}
{"id":1,"t":1600,"label":1}
{"id":1,"t":1700,"label":-1}
{"id":"1","t":9000,"label":1,"weight":2}
{"id":3,"t":9000,"label":-1}
{"id":5,"t":9000,"label":-1}
{"id":9,"t":9000,"label":-1}
{"id":"9","t":9000}
{"t":9000,"label":1}
not json
{"id":7,"t":99999,"label":1}
{"id":4,"t":120000,"label":-1}
{"id":6,"t":120001,"label":1}
`
)

// Each kind of label record and each outcome is counted; what is late, assumed or conflicting is as the guide says.
func TestReplayLabelsOutcomes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	events, labels := filepath.Join(dir, "e.jsonl"), filepath.Join(dir, "l.jsonl")
	for path, text := range map[string]string{events: lateEvents, labels: lateLabels} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	common := []string{events, "--labels", labels, "--time-field", "t", "--weight-field", "weight", "--label-slack",
		"10s", "--label-wait", "60s"}
	for name, c := range map[string]struct {
		flags    []string
		outcomes string
		examples int64
	}{
		// 4 waits until 120 s, but the label of 7 moves label time to 99,999 first; then 6 is due, too.
		"expired": {nil, "assumed 0 duplicate 1 evicted 0 expired 2 gone 0 labelled 4", 5},
		"assumed": {[]string{"--assume-label=-1"}, "assumed 2 duplicate 1 evicted 0 expired 0 gone 0 labelled 4", 7},
		"evicted": {[]string{"--waiting-examples", "1"},
			"assumed 0 duplicate 1 evicted 6 expired 0 gone 0 labelled 0", 1},
		"patience": {[]string{"--label-wait", "10m"}, "assumed 0 duplicate 1 evicted 0 expired 0 gone 0 labelled 6", 7},
	} {
		t.Run(name, func(t *testing.T) {
			l, r := replayLater(t, append(slices.Clone(common), c.flags...)...)
			var got []string
			for _, o := range []string{"assumed", "duplicate", "evicted", "expired", "gone", "labelled"} {
				got = append(got, fmt.Sprintf("%s %d", o, l.Labels.Outcomes[o]))
			}
			learned := r.Learners[0].Examples + r.Learners[0].LeftOut
			if strings.Join(got, " ") != c.outcomes || learned != c.examples || r.Examples != 10 {
				t.Errorf("%v, %d examples learned of %d, want %s, %d", got, learned, r.Examples, c.outcomes, c.examples)
			}
			if name != "expired" {
				return
			}
			want := map[string]int64{"conflicting-label": 2, "no-example": 1, "no-label": 1, "no-id": 1, "syntax": 1,
				"late-label": 2}
			if fmt.Sprint(l.Labels.Rejected) != fmt.Sprint(want) || l.Labels.Repeats != 1 || l.Labels.NoID != 1 ||
				l.Labels.Waiting != 1 {
				t.Errorf("%+v, want rejected %v", l.Labels, want)
			}
		})
	}
}

// The table, the page and the notes name outcomes, delays and rejected label records.
func TestReplayLabelsShown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	events, labels, page := filepath.Join(dir, "e.jsonl"), filepath.Join(dir, "l.jsonl"), filepath.Join(dir, "r.html")
	for path, text := range map[string]string{events: lateEvents, labels: lateLabels} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := call(t, "", "replay", events, "--labels", labels, "--time-field", "t", "--label-wait", "60s",
		"--report", page)
	if got.code != cli.ExitDone {
		t.Fatalf("exit %d: %s", got.code, got.stderr)
	}
	for _, want := range []string{
		"label records 13; examples: labelled 4, expired 2, duplicate 1, waiting at the end 1",
		"rejected 8 of 13 label records: syntax 1, no-id 1", "labels came later by", "≤1s 1", "repeated labels: 1"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
	if want := labels + ":3: conflicting-label: "; !strings.Contains(got.stderr, want) {
		t.Errorf("no %q in\n%s", want, got.stderr)
	}
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"an example counts when its outcome is known", "Labels that came later",
		"expired 2"} {
		if !strings.Contains(string(html), want) {
			t.Errorf("no %q on the page", want)
		}
	}
}

func TestReplayLabelsUsage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	events, labels := filepath.Join(dir, "e.jsonl"), filepath.Join(dir, "l.jsonl")
	for path, text := range map[string]string{events: lateEvents, labels: lateLabels} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{events, "--label-wait", "1h"}, cli.ExitUsage, "label-wait: it needs --labels"},
		{[]string{events, "--labels", labels}, cli.ExitUsage, "want --time-field"},
		{[]string{events, "--labels", labels, "--time-field", "t", "--delay", "3"}, cli.ExitUsage, "leave out --delay"},
		{[]string{events, "--labels", labels, "--time-field", "t", "--assume-label", "no"}, cli.ExitUsage,
			"assume-label: bad-label"},
		{[]string{events, "--labels", labels, "--time-field", "x"}, cli.ExitFailed, "l.jsonl:1: time-field: "},
		{[]string{events, "--labels", "none.csv", "--time-field", "x"}, cli.ExitFailed, "none.csv"},
		{[]string{"--topic", "a", "--brokers", "b:1", "--labels", "l", "--outcomes", "o"}, cli.ExitUsage,
			"outcomes: they are followed with --order journal only"},
	} {
		got := call(t, "", append([]string{"replay"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%v: exit %d, %s; want %d, %s", c.args, got.code, got.stderr, c.code, c.want)
		}
	}
}
