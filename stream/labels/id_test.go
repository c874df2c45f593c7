package labels

import (
	"fmt"
	"testing"

	"rosenblatt/stream/event"
)

// The hash of ids is part of the checkpoint's format.
func TestIDStays(t *testing.T) {
	const want = "9f093ad71ac721d7d5810418"
	if got := fmt.Sprintf("%x", NewID([]byte(`"e1`))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Labels differ where their spelling as classes does, and 0 is no label.
func TestLabelOf(t *testing.T) {
	seen := map[Label]bool{0: true}
	for _, e := range []event.Example{{Label: 1}, {Label: -1}, {Class: []byte("a")}, {Class: []byte("b")},
		{Class: []byte("1")}, {Class: []byte(`"1"`)}} {
		l := LabelOf(&e)
		if seen[l] || l >= 1<<labelBits {
			t.Errorf("%x of %+v", l, e)
		}
		seen[l] = true
	}
	if LabelOf(&event.Example{}) != 0 {
		t.Error("a label of none")
	}
}
