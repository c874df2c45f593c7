package journal

import (
	"testing"

	"rosenblatt/stream/labels"
)

// Each outcome has a kind of its own, of the same name.
func TestKinds(t *testing.T) {
	for _, o := range labels.Outcomes() {
		k := KindOf(o)
		named, ok := ParseKind(o.String())
		if k <= Predicted || k.Outcome() != o || k.String() != o.String() || named != k || !ok {
			t.Errorf("%v: kind %d, %v, of the name %d", o, k, k, named)
		}
	}
	if n := len(labels.Outcomes()); n != int(kinds-1-Predicted) {
		t.Errorf("%d outcomes, %d kinds", n, kinds-1-Predicted)
	}
}
