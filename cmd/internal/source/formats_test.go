package source_test

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/source"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

// TestFormats: files of Vowpal Wabbit's format and of svmlight are read as vw 9.11 and scikit-learn 1.9 read them.
// testdata/formats.py has the files and asks both.
func TestFormats(t *testing.T) {
	text, err := os.ReadFile("testdata/formats.json")
	if err != nil {
		t.Fatal(err)
	}
	var files []struct {
		Format, Text string
		Examples     [][4]any // label, weight, tag, features
	}
	if err := json.Unmarshal(text, &files); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		got := readAll(t, f.Format, f.Text)
		if len(f.Examples) == 0 {
			if len(got) != 1 || got[0].Rejected == nil {
				t.Errorf("%q: accepted, and %s refuses it", f.Text, f.Format)
			}
			continue
		}
		if len(got) != len(f.Examples) {
			t.Errorf("%q: %d examples, want %d", f.Text, len(got), len(f.Examples))
			continue
		}
		for i, want := range f.Examples {
			if what := got[i].differs(want); what != "" {
				t.Errorf("%q, example %d: %s", f.Text, i+1, what)
			}
		}
	}
}

// example is what the decoder makes of a value.
type example struct {
	event.Example
	features map[string]float64
	words    []string // of the features, those that are words
}

func readAll(t *testing.T, format, text string) (all []example) {
	t.Helper()
	f, err := source.From(strings.NewReader(text), "test", source.Options{Format: format})
	if err != nil {
		t.Fatal(err)
	}
	o := event.Defaults(format)
	o.Task, o.SkipUnknown = event.Multiclass, format == event.VW // a base is no feature
	d, err := event.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for {
		value, err := f.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		e := example{features: map[string]float64{}}
		value = []byte(string(value)) // it is read once more below
		d.Decode(&event.Record{Value: value}, nil, &e.Example)
		d.Walk(&event.Record{Value: value}, func(name []byte, f learner.Feature) {
			if e.features[string(name)] = f.Value; f.Kind == learner.Indicator {
				e.words = append(e.words, string(name))
			}
		})
		all = append(all, e)
	}
}

// differs says how the example differs from the one that the other program read; empty if it does not.
func (e *example) differs(want [4]any) string {
	label := math.NaN()
	if e.Class != nil {
		label, _ = strconv.ParseFloat(string(e.Class), 64)
	}
	named, _ := want[3].(map[string]any)
	wanted, isLabel := want[0].(float64)
	switch {
	case e.Rejected != nil:
		return "rejected: " + e.Rejected.Error()
	case isLabel != (e.Class != nil) || isLabel && label != wanted:
		return "the label " + string(e.Class)
	case e.Weight != want[1] || string(e.ID) != want[2]:
		return "the weight or the tag"
	}
	for _, word := range e.words { // vw prints a word behind ^ where ours is behind =
		for i, c := range word {
			if _, ok := named[word[:i]+"^"+word[i+1:]]; ok && c == '=' {
				e.features[word[:i]+"^"+word[i+1:]] = e.features[word]
				delete(e.features, word)
			}
		}
	}
	for name, v := range e.features {
		w, ok := named[name].(float64)
		if v != 0 && !ok || math.Abs(v-w) > 1e-6*math.Abs(v) { // vw has float32, and no zeros
			return "the feature " + name
		}
		delete(named, name)
	}
	if len(named) != 0 {
		return "features are missing"
	}
	return ""
}
