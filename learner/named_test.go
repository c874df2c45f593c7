package learner

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestLearnNamed: numbers of lists of names make no difference, also where slots are shared and names
// come late.
func TestLearnNamed(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		r := rand.New(rand.NewPCG(7, 7))
		lists := stream(7, 6, 8, 6)
		plain, numbered := fresh(), fresh()
		for range 300 {
			list := r.IntN(len(lists))
			if r.IntN(3) == 0 {
				list = 0 // mostly a list follows itself
			}
			e := lists[list]
			for i := range e.x {
				e.x[i].Value = float64(r.IntN(1025)-512) / 256
			}
			step(t, plain, e)
			stepNamed(t, numbered, e, uint64(list+1))
			if !reflect.DeepEqual(snap(plain), snap(numbered)) || plain.met != numbered.met ||
				plain.collisions != numbered.collisions {
				t.Fatal("the models differ")
			}
		}
		if numbered.collisions == 0 || numbered.complete == 0 {
			t.Error("nothing was shared, or nothing passed over")
		}
	})
}

// TestLearnNamedAsks: a list with a name that nobody has set yet is not known.
func TestLearnNamedAsks(t *testing.T) {
	e := stream(8, 1, 8, 6)[0]
	m := newModel(t, "perceptron", ScaleNone, 6)
	for range 3 {
		_, err := m.Predict(e.x)
		check(t, err)
		_, err = m.Prepare(e.label, 1)
		check(t, err)
		if !m.LearnNamed(1) {
			t.Error("no name is wanted")
		}
	}
}

// TestLearnNamedForgets: what a model has recorded of a list does not hold after Restore or CopyTo.
func TestLearnNamedForgets(t *testing.T) {
	e := stream(8, 1, 8, 6)[0]
	for name, take := range map[string]func(m *Model){
		"copied": func(m *Model) { newModel(t, "perceptron", ScaleNone, 6).CopyTo(m) },
		"restored": func(m *Model) {
			clear(m.prints)
			m.names = newNameTable(64, 64)
			check(t,
				m.Restore(State{}, nil))
		},
	} {
		m := newModel(t, "perceptron", ScaleNone, 6)
		for range 2 {
			stepNamed(t, m, e, 1)
		}
		if m.complete != 1 {
			t.Fatalf("%s: the list is not known", name)
		}
		take(m)
		if stepNamed(t, m, e, 1); m.met == 0 {
			t.Errorf("%s: the list was not met", name)
		}
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// stepNamed is step by LearnNamed.
func stepNamed(t testing.TB, m *Model, e example, names uint64) {
	t.Helper()
	_, err := m.Predict(e.x)
	check(t, err)
	_, err = m.Prepare(e.label, 1)
	check(t, err)
	if m.LearnNamed(names) {
		for _, f := range e.x {
			m.SetName(f.Slot, f.Print, nameOf(f.Print))
		}
	}
}
