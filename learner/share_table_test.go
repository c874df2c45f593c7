package learner

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestShareTable: models that share a table have the bits of models that do not, in whatever order they predict and
// learn an example: each at once, all before any learns it, again after the first one has learned it, or one not at all
// any more.
func TestShareTable(t *testing.T) {
	for _, scale := range []string{ScaleStandard, "standard:centre=always", "standard:half-life=50", "standard:clip=3",
		ScaleMaxAbs, ScaleNone} {
		r := rand.New(rand.NewPCG(38, 2))
		names := []string{"arow", "pa1", "averaged"}
		var alone, sharing []*Model
		for _, name := range names {
			alone, sharing = append(alone, newModel(t, name, scale, 6)), append(sharing, newModel(t, name, scale, 6))
		}
		for i := range 50 { // they have met something before they share
			x := someFeatures(r)
			for _, m := range append(alone, sharing...) {
				trainOn(t, m, x, int8(1-2*(i%2)))
			}
		}
		for _, m := range sharing[1:] {
			if !m.ShareTable(sharing[0].Table()) {
				t.Fatalf("%s: a table of the same content is not shared", scale)
			}
		}
		stopped := 1500 // the last one does not learn any more
		for i := range 3000 {
			x, label := someFeatures(r), int8(1-2*r.IntN(2))
			n := len(names)
			if i >= stopped {
				n--
			}
			order := r.Perm(n)
			number := func(m *Model) *Model { m.NumberExample(uint64(i + 1)); return m }
			again := r.IntN(3) == 0
			scores := make([]float64, n)
			for at, k := range order {
				scores[k] = predictOne(t, number(sharing[k]), x)
				if again && at == 0 {
					finish(t, sharing[k], label)
				}
			}
			for at, k := range order {
				if again && at == 0 {
					continue
				}
				if again { // with its label, which had not been known
					scores[k] = predictOne(t, number(sharing[k]), x)
				}
				finish(t, sharing[k], label)
			}
			for k := range n {
				if want := predictOne(t, alone[k], x); scores[k] != want {
					t.Fatalf("%s: example %d: score %v of %s, alone %v", scale, i, scores[k], names[k], want)
				}
				finish(t, alone[k], label)
			}
		}
		for k := range 2 {
			columns, state := contentOf(alone[k])
			if is, has := contentOf(sharing[k]); !reflect.DeepEqual(is, columns) || !reflect.DeepEqual(has, state) {
				t.Errorf("%s: %s differs at the end", scale, names[k])
			}
		}
	}
}

func predictOne(t *testing.T, m *Model, x []Feature) float64 {
	t.Helper()
	score, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	return score
}

func finish(t *testing.T, m *Model, label int8) {
	t.Helper()
	if _, err := m.Prepare(label, 1); err != nil {
		t.Fatal(err)
	}
	m.Learn()
}

func trainOn(t *testing.T, m *Model, x []Feature, label int8) {
	t.Helper()
	predictOne(t, m, x)
	finish(t, m, label)
}

// TestShareAnotherTable: tables of another content, or that go on otherwise, are not shared, nor one that a replica
// copies.
func TestShareAnotherTable(t *testing.T) {
	one := newModel(t, "pa1", ScaleStandard, 6)
	x := []Feature{{Slot: 3, Print: 4, Kind: Numeric, Value: 2}}
	trainOn(t, one, x, 1)
	for what, other := range map[string]*Model{
		"untrained":    newModel(t, "pa1", ScaleStandard, 6),
		"not scaled":   newModel(t, "pa1", ScaleNone, 6),
		"with a clip":  newModel(t, "pa1", "standard:clip=3", 6),
		"larger":       newModel(t, "pa1", ScaleStandard, 7),
		"other values": learned(t, Feature{Slot: 3, Print: 4, Kind: Numeric, Value: 3}),
		"other prints": learned(t, Feature{Slot: 3, Print: 5, Kind: Numeric, Value: 2}),
	} {
		if other.ShareTable(one.Table()) {
			t.Errorf("%s: it is shared", what)
		}
	}
	named := learned(t, x[0])
	named.SetName(3, 4, []byte("x"))
	if named.ShareTable(one.Table()) {
		t.Error("with a name that the other one lacks: it is shared")
	}
	copied := learned(t, x[0])
	copied.NewReplica(new(Model))
	if copied.ShareTable(one.Table()) {
		t.Error("a replica copies it, and it is shared")
	}
	same := learned(t, x[0])
	for range 2 { // it may be shared already
		if !same.ShareTable(one.Table()) {
			t.Error("it is not shared")
		}
	}
}

func learned(t *testing.T, x Feature) *Model {
	t.Helper()
	m := newModel(t, "pa1", ScaleStandard, 6)
	trainOn(t, m, []Feature{x}, 1)
	return m
}

// TestSharedReplicas: replicas of models that share a table are those of models that do not, and so is what they say
// has changed.
func TestSharedReplicas(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 3))
	first, second := newModel(t, "arow", ScaleStandard, 9), newModel(t, "pa1", ScaleStandard, 9)
	untrained, _ := contentOf(second)
	for range 20 {
		x := someFeatures(r)
		trainOn(t, first, x, 1)
		trainOn(t, second, x, 1)
	}
	first.ClearChanged() // the base of the first one has it all, that of the second nothing
	trained, _ := contentOf(first)
	if !second.ShareTable(first.Table()) {
		t.Fatal("it is not shared")
	}
	var followers []*follower
	models := []*Model{first, second}
	for i, base := range []map[string][]uint64{trained, untrained} {
		to := newModel(t, models[i].spec.Learner, ScaleStandard, 9)
		followers = append(followers, &follower{Replica: models[i].NewReplica(to), to: to, base: base})
	}
	for round := range 200 {
		for i, f := range followers {
			f.begin(models[i])
		}
		for done := 0; done < 3; {
			x, label := someFeatures(r), int8(1-2*r.IntN(2))
			for i := range x {
				x[i].Slot = uint32(r.IntN(512))
			}
			for _, m := range models {
				m.NumberExample(uint64(round*1000 + done + 1))
				predictOne(t, m, x)
			}
			for _, m := range models {
				finish(t, m, label)
			}
			done++
			for _, f := range followers {
				f.Step(1 << 8)
			}
		}
		for _, f := range followers {
			for !f.Step(1 << 10) {
			}
			f.finish(t, true)
		}
	}
}

func someFeatures(r *rand.Rand) []Feature {
	x := make([]Feature, 1+r.IntN(6))
	for i := range x {
		slot := r.IntN(10)
		x[i] = Feature{Slot: uint32(slot), Print: uint16(slot + 1), Kind: Numeric, Value: float64(r.IntN(5)) - 1}
		if slot == 9 {
			x[i].Kind, x[i].Value = Indicator, 1
		}
	}
	return x
}
