package survey

import (
	"bytes"
	"strconv"

	"github.com/dustin/go-humanize/english"
)

// hasBase reports whether a line of vw, which the decoder accepts, has a base other than 0: the third number in front
// of the first bar.
func hasBase(line []byte) bool {
	head, _, _ := bytes.Cut(line, []byte("|"))
	words := bytes.Fields(head)
	if n := len(words); n > 0 && (bytes.HasSuffix(head, words[n-1]) || words[n-1][0] == '\'') {
		words = words[:n-1] // the tag
	}
	if len(words) < 3 {
		return false
	}
	v, err := strconv.ParseFloat(string(words[2]), 64)
	return err == nil && v != 0
}

// bases says that the base of events is ignored.
func (s *Survey) bases() string {
	//mutation:ignored-base
	if s.based == 0 {
		return ""
	}
	return english.Plural(s.based, "event has", "events have") + " a base, the prediction that Vowpal Wabbit would " +
		"begin with (the number behind the importance): it is ignored"
}
