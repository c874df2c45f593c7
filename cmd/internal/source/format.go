package source

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rosenblatt/stream/event"
)

// choose returns the format with this name or, if it is empty, that of the path's ending, else the usual one.
func choose(path, name, usual string) (event.Format, error) {
	_, left := byEnding(path)
	ending := filepath.Ext(left)
	if name == ARFF || name == "" && strings.EqualFold(ending, arffEnding) {
		f, _ := event.FindFormat(event.JSON)
		f.Name, f.Comment = ARFF, "%"
		return f, nil
	}
	if name == event.Protobuf {
		return event.Format{}, errors.New("there are no files of protobuf: replay --topic reads the events of a " +
			"topic; objects of json, one a line, are a file of json")
	}
	if name != "" {
		f, ok := event.FindFormat(name)
		if !ok {
			return f, fmt.Errorf("%w %q: %s", ErrFormat, name, sayFormat())
		}
		return f, nil
	}
	for _, f := range event.Formats() {
		if slices.Contains(f.Endings, strings.ToLower(ending)) {
			return f, nil
		}
	}
	if usual != "" {
		return choose(path, usual, "")
	}
	if ending == "" {
		return event.Format{}, fmt.Errorf("%w, the name has no ending: %s", ErrFormat, sayFormat())
	}
	return event.Format{}, fmt.Errorf("%w, the ending %s does not determine it: %s", ErrFormat, ending, sayFormat())
}

func sayFormat() string {
	all := Formats()
	last := len(all) - 1
	return "say --format " + strings.Join(all[:last], ", ") + " or " + all[last]
}

const arffEnding = ".arff"

// Formats names the formats of files: those of events, and those whose rows become events of one of them.
func Formats() []string {
	topics := func(name string) bool { return name == event.Protobuf }
	return append(slices.DeleteFunc(event.FormatNames(), topics), ARFF)
}

// Endings are those of the names of files of all formats.
func Endings() []string { return append(event.FileEndings(), arffEnding) }
