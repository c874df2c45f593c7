package verify

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDifferences(t *testing.T) {
	t.Parallel()
	computed := `{"id":"a","score":0.1,"scores":{"x":1,"y":2},"label":7,"seq":1}`
	for published, want := range map[string]string{
		computed: "",
		`{"seq":1, "id":"\u0061","label":7,"scores":{"y":2.0,"x":1},"score":0.10}`:    "",
		`{"id":"a","score":0.10000000000000002,"scores":{"x":1,"y":2},"label":7}`:     "score seq",
		`{"id":"a","score":0.1,"scores":{"x":1,"y":-2},"label":7.0,"seq":1}`:          "label scores",
		`{"id":"a","score":0.1,"scores":{"x":1,"x":1,"y":2},"label":7,"seq":1}`:       "scores",
		`{"id":"b","score":null,"scores":{"x":1},"label":"7","seq":1,"more":1}`:       "id label more score scores",
		`{"id":"a","score":0.1,"score":0.1,"scores":{"x":1,"y":2},"label":7,"seq":1}`: "value",
		`hello`: "value",
	} {
		names := ""
		for i, f := range differences([]byte(published), []byte(computed)) {
			if i > 0 {
				names += " "
			}
			names += f.Name
		}
		if names != want {
			t.Errorf("%s: %q, want %q", published, names, want)
		}
	}
}

func TestDeadSet(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	s, want := deadSet{}, map[int64]basis{}
	for range 2000 {
		at, why := r.Int64N(500), basis(1+r.IntN(3))
		switch r.IntN(3) {
		case 0:
			if s.at(at) != want[at] || s.remove(at) != (want[at] != notDead) {
				t.Fatalf("remove %d", at)
			}
			delete(want, at)
		default:
			if s.add(at, why) == (want[at] != notDead) {
				t.Fatalf("add %d", at)
			}
			if want[at] == notDead {
				want[at] = why
			}
		}
	}
	if all := slices.Sorted(maps.Keys(want)); !slices.Equal(all, s.sorted()) {
		t.Errorf("%v, want %v", s.sorted(), all)
	}
}
