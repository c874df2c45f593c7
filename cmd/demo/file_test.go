package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written writes a file of n examples that a plane separates, a line each, behind a head.
func written(t *testing.T, name, head string, n int, line func(a, b float64, label int) string) string {
	t.Helper()
	text := head
	for i := range n {
		a, b := float64(i*37%100)/50-1, float64(i*61%100)/50-1
		label := 1
		if a+2*b < 0.1 {
			label = -1
		}
		text += line(a, b, label) + "\n"
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func jsonLine(a, b float64, label int) string {
	return fmt.Sprintf(`{"label":%d,"a":%g,"b":%g}`, label, a, b)
}

// A file of each format is fed to its end.
func TestFiles(t *testing.T) {
	t.Parallel()
	word := map[int]string{-1: "DOWN", 1: "UP"}
	for _, c := range []struct {
		name, head string
		line       func(a, b float64, label int) string
		options    Options
		note       string
	}{
		{"e.jsonl", "", jsonLine, Options{}, ""},
		{"e.jsonl", "", func(a, b float64, label int) string {
			return fmt.Sprintf(`{"is":{"fraud":%t},"features":{"a":%g,"b":%g}}`, label > 0, a, b)
		}, Options{LabelField: "is.fraud"}, ""},
		{"e.svm", "", func(a, b float64, label int) string { return fmt.Sprintf("%+d 1:%g 2:%g", label, a, b) },
			Options{}, ""},
		{"e.vw", "", func(a, b float64, label int) string { return fmt.Sprintf("%d | a:%g b:%g", label, a, b) },
			Options{}, ""},
		{"e.csv", "a,b,kind\n", func(a, b float64, label int) string {
			return fmt.Sprintf("%g,%g,%s", a, b, word[label])
		},
			Options{Positive: "UP"},
			`  label   "kind" is the label (it is the last one; --label-field NAME takes another)`},
		{"e.csv", "a,Class,b\n", func(a, b float64, label int) string { return fmt.Sprintf("%g,%d,%g", a, label, b) },
			Options{}, `  label   "Class" is the label (by its name; --label-field NAME takes another)`},
		{"e.tsv", "a\tb\tlabel\n", func(a, b float64, label int) string {
			return fmt.Sprintf("%g\t%g\t%d", a, b, label)
		}, Options{}, `  label   "label" is the label`},
		{"e.csv", "a;b;label\n", func(a, b float64, label int) string { return fmt.Sprintf("%g;%g;%d", a, b, label) },
			Options{}, `e.csv; the columns are separated by ";"`},
		{"codes.csv", "code,a,label\n", func(a, b float64, label int) string {
			codes := map[int][]string{1: {"04e09220", "1fbe01fe"}, -1: {"10289128", "a99f214a"}}
			return fmt.Sprintf("%s,%g,%d", codes[label][int(1000*(b+8))%2], a, label)
		}, Options{}, ""},
		{"e.arff", "@relation r\n@attribute a real\n@attribute b real\n@attribute kind {DOWN,UP}\n@data\n",
			func(a, b float64, label int) string { return fmt.Sprintf("%g,%g,%s", a, b, word[label]) }, Options{},
			`  label   "kind" is the label (the last attribute; --label-field NAME takes another); label "DOWN" is`},
		{"e.txt", "won,b,a\n", func(a, b float64, label int) string { return fmt.Sprintf("%d,%g,%g", label, b, a) },
			Options{LabelField: "won", Format: "csv"}, `  label   "won" is the label (as you said)`},
	} {
		o := c.options
		o.Input = written(t, c.name, c.head, 600, c.line)
		printed := whole(t, o, 0)
		if !strings.Contains(printed, "Done, predicted and saved to the end: 600 examples in") ||
			!strings.Contains(printed, c.note) {
			t.Errorf("%s: printed:\n%s", c.name, printed)
		}
		if accuracy := final(t, printed, "perceptron"); accuracy < 90 {
			t.Errorf("%s: %v %% of a separable file:\n%s", c.name, accuracy, printed)
		}
	}
}

// Rejected lines are reported, and the rest is predicted.
func TestRejectedLines(t *testing.T) {
	t.Parallel()
	path := written(t, "mixed.jsonl", "", 500, func(a, b float64, label int) string {
		if a == 0 {
			return `{"label":"maybe","a":1}`
		}
		return jsonLine(a, b, label)
	})
	r := start(t, Options{Input: path}, 0)
	<-r.ended
	if r.err != nil || strings.Count(r.logs.String(), "an event is rejected, the first") != 1 {
		t.Errorf("%v, logs %s", r.err, r.logs.String())
	}
	printed := r.out.String()
	for _, want := range []string{"  rejected so far: 1 (bad-label 1)\n", "\n  rejected: 5 (bad-label 5)\n",
		"495 examples"} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q is missing in:\n%s", want, printed)
		}
	}
}

// A file continues as well: interrupted, and started again on the same folder, each of its lines is predicted once.
func TestFileGoesOn(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	n := 0
	path := written(t, "numbered.jsonl", "", 6000, func(a, b float64, label int) string {
		n++
		return fmt.Sprintf(`{"id":"e%d","label":%d,"a":%g,"b":%g}`, n-1, label, a, b)
	})
	first := start(t, Options{Input: path, State: state, Rate: 3000}, 0)
	await(t, "500 examples", func() bool { return first.daemon.Status().Seq > 500 })
	first.stop()
	<-first.ended
	if seq := first.daemon.Status().Seq; first.err != nil || seq >= 6000 {
		t.Fatalf("%d examples, %v", seq, first.err)
	}
	whole(t, Options{Input: path, State: state}, 0)
	checkPredictions(t, predictionsIn(t, state, "numbered"), 6000)
}

// A call that makes no sense is told before anything starts, with what to do.
func TestWrongCalls(t *testing.T) {
	t.Parallel()
	words := written(t, "w.csv", "a,class\n", 10,
		func(a, _ float64, label int) string { return fmt.Sprintf("%g,c%d", a, label) })
	nolabel := written(t, "n.jsonl", "", 10,
		func(a, b float64, _ int) string { return fmt.Sprintf(`{"a":%g,"b":%g}`, a, b) })
	broken := written(t, "b.jsonl", "", 10, func(a, b float64, _ int) string { return "{" })
	vw := written(t, "v.vw", "", 10, func(a, _ float64, label int) string { return fmt.Sprintf("%d | a:%g", label, a) })
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--rate=-1", 2, "--rate -1: want 0 or more"},
		{"--positive UP", 2, "want --input FILE too"},
		{"--nonsense", 2, "unknown flag --nonsense"},
		{"--http nowhere", 2, "want HOST:PORT"},
		{"--input " + words, 2, "--positive LABEL names the label"},
		{"--input " + words + " --label-field b", 2, `"b" is none of the columns a,class`},
		{"--input " + nolabel, 2, `none of the first 10 events has a label in "label": say --label-field NAME`},
		{"--input " + broken, 2, "10 of the first 10 events cannot be used. The first: syntax: offset 1"},
		{"--input " + vw + " --label-field x", 2, "in vw the label has its place"},
		{"--input nowhere.dat", 2, "say --format"},
		{"--input nowhere.csv", 1, "check the path"},
	} {
		var out, logs screen
		code := call(context.Background(), strings.Fields(c.args), &out, &logs)
		if code != c.code || !strings.Contains(logs.String(), c.want) || out.String() != "" {
			t.Errorf("%s: exit %d, want %d with %q: %s%s", c.args, code, c.code, c.want, logs.String(), out.String())
		}
	}
	var out, logs screen
	if code := call(context.Background(), []string{"--help"}, &out, &logs); code != 0 ||
		!strings.Contains(out.String(), "--label-field=NAME") {
		t.Errorf("help: exit %d: %s", code, out.String())
	}
}

func TestTopicOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/data/prices.csv.gz": "prices", "My Läden 2.jsonl": "My-L-den-2", ".hidden.vw": "hidden", "..svm": "svm",
		"ß.vw": "events",
	} {
		if got := topicOf(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
