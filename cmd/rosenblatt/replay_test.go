package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"

	"github.com/klauspost/compress/zstd"
)

// replayed is the JSON of a replay.
type replayed struct {
	Source    string
	Examples  int64
	Passes    int
	Rejected  map[string]int64
	Baselines []replayedRow
	Learners  []replayedRow
}

type replayedRow struct {
	Name                        string
	Examples, Mistakes, Updates int64
	LeftOut                     int64
	Accuracy                    float64
	LogLoss, Loss               float64
	Last                        struct{ Loss float64 }
	Bias                        float64
}

// replayJSON replays and returns what --json says.
func replayJSON(t *testing.T, stdin string, args ...string) replayed {
	t.Helper()
	got := call(t, stdin, append([]string{"replay", "--json", "-"}, args...)...)
	if got.code != cli.ExitDone {
		t.Fatalf("exit %d: %s", got.code, got.stderr)
	}
	var r replayed
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
		t.Fatalf("%v in %s", err, got.stdout)
	}
	return r
}

// learner finds a row by its name.
func (r replayed) learner(t *testing.T, name string) replayedRow {
	t.Helper()
	for _, l := range r.Learners {
		if l.Name == name {
			return l
		}
	}
	t.Fatalf("no learner %s in %+v", name, r)
	return replayedRow{}
}

const someEvents = `{"label":1,"features":{"x":1,"market":"a"}}
{"label":-1,"features":{"x":2,"market":"b"}}
{"label":1,"features":{"x":-1,"market":"a"}}
{"label":-1,"features":{"x":3,"market":"b"}}
{"features":{"x":3,"market":"b"}}
`

// The same events give the same result in every wrapping, and from standard input.
func TestReplaySources(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plain := filepath.Join(dir, "events.jsonl")
	if err := os.WriteFile(plain, []byte(someEvents), 0o600); err != nil {
		t.Fatal(err)
	}
	want := replayJSON(t, "", plain)
	if want.Source != plain || want.Examples != 5 || want.Passes != 1 || len(want.Learners) != 1 ||
		want.Learners[0].Examples != 4 || want.Learners[0].Name != "perceptron" {
		t.Errorf("%+v", want)
	}
	for name, args := range map[string][]string{
		"gz":    {packed(t, filepath.Join(dir, "e.jsonl.gz"))},
		"zst":   {packed(t, filepath.Join(dir, "e.jsonl.zst"))},
		"stdin": {"-", "--format", "json"},
		"asked": {packedAs(t, filepath.Join(dir, "e.txt"), someEvents), "--format", "json"},
	} {
		got := replayJSON(t, someEvents, args...)
		got.Source = want.Source
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	twice := replayJSON(t, "", plain, plain)
	repeated := replayJSON(t, "", plain, "--repeat", "2")
	if twice.Learners[0] != repeated.Learners[0] || twice.Examples != 10 || repeated.Passes != 2 {
		t.Errorf("twice %+v, repeated %+v", twice, repeated)
	}
	csv := replayJSON(t, "", write(t, "e.csv", "x,market,class\n1,a,UP\n2,b,DOWN\n"), "--label-field", "class",
		"--positive", "UP")
	if csv.Learners[0].Examples != 2 {
		t.Errorf("%+v", csv)
	}
	for name, text := range map[string]string{"e.svm": "1 1:1 3:2\n-1 2:1\n", "e.vw": "1 | a b\n-1 | c\n"} {
		if got := replayJSON(t, "", write(t, name, text)); got.Learners[0].Examples != 2 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func packed(t *testing.T, path string) string { return packedAs(t, path, someEvents) }

// packedAs writes a file, packed as its ending says.
func packedAs(t *testing.T, path, text string) string {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	switch filepath.Ext(path) {
	case ".gz":
		z := gzip.NewWriter(f)
		_, err = z.Write([]byte(text))
		err = cmpErr(err, z.Close())
	case ".zst":
		var z *zstd.Encoder
		if z, err = zstd.NewWriter(f); err == nil {
			_, err = z.Write([]byte(text))
			err = cmpErr(err, z.Close())
		}
	default:
		_, err = f.WriteString(text)
	}
	if err = cmpErr(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func cmpErr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// Bad input is named with file, line, column and reason; counted, or with --strict the end.
func TestReplayNamesBadInput(t *testing.T) {
	t.Parallel()
	bad := write(t, "bad.csv", "label,x,note\n1,0.5,a\n-1,0.7\n\n7,1,b\n-1,inf,\"two\nlines\"\n1,2,c\n")
	lines := []string{
		bad + ":3:7: syntax: the row has 2 cells, but there are 3 columns",
		bad + ":5: bad-label: the label \"7\" is none of",
		bad + ":6:4: not-finite: the value of \"x\" is not finite",
	}
	got := call(t, "", "replay", bad, "--learner", "perceptron perceptron:update=mistake")
	got.want(t, cli.ExitDone, "rejected 3 of 5: syntax 1, bad-label 1, not-finite 1\n", "")
	for _, line := range lines {
		if strings.Count(got.stderr, line) != 1 {
			t.Errorf("not once %q in %s", line, got.stderr)
		}
	}
	strict := call(t, "", "replay", bad, "--strict", "--report", filepath.Join(t.TempDir(), "no.html"))
	strict.want(t, cli.ExitFailed, "", "rosenblatt: "+lines[0])
	if strict.stdout != "" || strings.Count(strict.stderr, "\n") != 3 { // and of kinds of columns, a cell of two lines
		t.Errorf("%s%s", strict.stdout, strict.stderr)
	}
	many := call(t, "", "replay", write(t, "many.jsonl", strings.Repeat("broken\n", 30)+`{"label":1,"x":1}`))
	many.want(t, cli.ExitDone, "rejected 30 of 31: syntax 30", "many.jsonl:1:1: syntax: ")
	many.want(t, cli.ExitDone, "", "rosenblatt: and 27 more were rejected")
	call(t, "", "replay", write(t, "open.csv", "label,x\n1,2\n1,\"a\n-1,3\n")).want(t, cli.ExitDone, "rejected 1 of 3",
		`open.csv:3:3: syntax: the quoted cell "\"a" is not closed, in a file within 100 lines`)
	one, two := write(t, "one.csv", "label,x\n1,2\n"), write(t, "two.csv", "label,y\n1,2\n")
	call(t, "", "replay", one, two).want(t, cli.ExitFailed, "", "its columns are not those of")
}

func TestReplayUsage(t *testing.T) {
	t.Parallel()
	file := write(t, "e.jsonl", someEvents)
	for want, args := range map[string][]string{
		"nothing to replay":         {},
		"both a file and --topic":   {file, "--topic", "t", "--brokers", "k:1"},
		"brokers: missing":          {"--topic", "t"},
		`unknown learner "oracle"`:  {file, "--learner", "perceptron oracle"},
		"rate":                      {file, "--learner", "perceptron:rate=7"},
		"repeat: 0: want 1 or more": {file, "--repeat", "0"},
		`delay: "soon": want a number of events, or a dur`:    {file, "--delay", "soon"},
		"delay: 10m: the events of a file have no timestamps": {file, "--delay", "10m"},
		"no-learn: a learner that never learns needs":         {file, "--no-learn"},
		"from: it needs --topic":                              {file, "--from", "3"},
		`from: "x": want an offset, or a time`:                {"--topic", "t", "--brokers", "k:1", "--from", "x"},
		`order: "random": want time or journal`:               {file, "--order", "random"},
		"journal: it is followed with --order journal only":   {"--topic", "t", "--brokers", "k:1", "--journal", "j"},
		"leave out --from, --to and --partitions": {"--topic", "t", "--brokers", "k:1", "--order",
			"journal", "--from", "3"},
		"say --format json, libsvm, vw, csv, avro or arff": {write(t, "e.dat", "")},
		"scale: \"big\"": {file, "--scale", "big"},
		"2 settings are wrong:\n  repeat: 0: want 1 or more": {file, "--repeat", "0", "--bits", "99"},
		`none of the columns`: {write(t, "e.csv", "label,x\n"), "--label-field",
			"class"},
		"standard input can be read only once": {"-", "-", "--format", "json"},
	} {
		call(t, "", append([]string{"replay"}, args...)...).want(t, cli.ExitUsage, "", want)
	}
	call(t, "", "replay", "no-such.jsonl").want(t, cli.ExitFailed, "",
		"no-such.jsonl: no such file or directory: check the path")
	call(t, "", "replay", file, "--from-model", file).want(t, cli.ExitFailed, "", "from-model: ")
	call(t, "", "replay", file, "--report", "/no/such/folder/r.html").want(t, cli.ExitFailed, "",
		"/no/such/folder/r.html")
}

// The files asked for hold what they should, and the table is printed beside them.
func TestReplayFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "events of mine.jsonl")
	if err := os.WriteFile(file, []byte(strings.Repeat(someEvents, 50)), 0o600); err != nil {
		t.Fatal(err)
	}
	page, figures, curves := filepath.Join(dir, "r.html"), filepath.Join(dir, "r.json"), filepath.Join(dir, "r.csv")
	call(t, "", "replay", file, "--report", page, "--json", figures, "--csv", curves).want(t, cli.ExitDone,
		"perceptron", "")
	for path, want := range map[string]string{page: "<code>rosenblatt replay &#39;", figures: `"examples": 250`,
		curves: "perceptron,200,"} {
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// Late labels and shuffles change what is learned, the same way each time.
func TestReplayOptions(t *testing.T) {
	t.Parallel()
	file := write(t, "e.jsonl", strings.Repeat(someEvents, 20))
	plain := replayJSON(t, "", file).Learners[0]
	late := replayJSON(t, "", file, "--delay", "30").Learners[0]
	if late.Examples+late.LeftOut != plain.Examples || late.LeftOut == 0 || late.Accuracy >= plain.Accuracy {
		t.Errorf("late %+v, at once %+v", late, plain)
	}
	one, same, other := replayJSON(t, "", file, "--shuffle", "--seed", "1"),
		replayJSON(t, "", file, "--shuffle", "--seed", "1"), replayJSON(t, "", file, "--shuffle", "--seed", "5")
	if fmt.Sprint(one) != fmt.Sprint(same) || one.Learners[0].Examples != plain.Examples {
		t.Errorf("%+v and %+v", one, same)
	}
	if fmt.Sprint(one) == fmt.Sprint(other) {
		t.Error("two seeds give one result")
	}
	weights := write(t, "w.json", `{"x":1,"bias":-2.5}`)
	fixed := replayJSON(t, "", file, "--no-learn", "--weights", weights, "--scale", "none").Learners[0]
	if fixed.Updates != 0 || fixed.Bias != -2.5 || fixed.Examples != plain.Examples {
		t.Errorf("%+v", fixed)
	}
}
