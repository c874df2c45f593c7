package learner

import (
	"bytes"
	"math"
	"slices"
)

// Table is what a model keeps of its features: the statistics of scaling, the prints and the names.
type Table table

// Table is the model's own, or the one that it shares.
func (t *table) Table() *Table { return (*Table)(t) }

// NumberExample gives the example of the next Predict a number, which is another one for each example. Models that
// share a table scale and record an example of one number once; they predict and learn one example after the other.
// 0 is none.
func (p *pending) NumberExample(number uint64) { p.number = number }

// ShareTable makes the model keep its features in another model's table, if both tables have the same content and
// scale alike. It reports whether it does. Both models must learn the same examples from then on.
func (m *Model) ShareTable(with *Table) bool { return share(&m.table, (*table)(with)) }

// ShareTable is Model.ShareTable.
func (m *Multi) ShareTable(with *Table) bool { return share(&m.table, (*table)(with)) }

func share(own **table, with *table) bool {
	t := *own
	if t == with {
		return true
	}
	//mutation:shares-another
	if !t.equals(with) || len(t.printed.parts) > 0 {
		return false
	}
	with.adopt(t)
	*own = with
	return true
}

// equals reports whether two tables have the same content, and go on alike.
func (t *table) equals(o *table) bool {
	return t.scaler.equals(&o.scaler) && t.met == o.met && t.collisions == o.collisions &&
		slices.Equal(t.prints, o.prints) && t.names.max == o.names.max && bytes.Equal(t.names.text, o.names.text)
}

func (s *scaler) equals(o *scaler) bool {
	same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	return s.mode == o.mode && s.moves == o.moves && s.width == o.width && slices.EqualFunc(s.stats, o.stats, same)
}

// adopt adds what has changed in a table of the same content, whose model has this one from now on.
func (t *table) adopt(o *table) {
	for i, g := range t.groups() {
		//mutation:shared-changes
		g.changed.addAll(o.groups()[i].changed)
		g.list = 0
	}
	t.complete, t.names.kept = 0, min(t.names.kept, o.names.kept)
}
