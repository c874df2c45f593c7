package model

import (
	"slices"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/event"
)

// sharers are the names of the learners that have the table of one, in their order.
func (m *savedModel) sharers(name string) (names []string) {
	of := map[string]*Processor{}
	_ = m.proc.each(func(name string, p *Processor) error { of[name] = p; return nil }) // it returns nil
	for _, other := range m.config.Learners() {
		if of[other].table.Table() == of[name].table.Table() {
			names = append(names, other)
		}
	}
	return names
}

// TestTablesAreShared: learners that scale alike and began at once keep their features in one table, whoever is the
// champion, and after a restart as well. One that began later has a table of its own, although nothing was learned yet.
func TestTablesAreShared(t *testing.T) {
	t.Parallel()
	for _, task := range []string{event.Binary, event.Multiclass} {
		m := newBeside(t, task, "perceptron", "pa1", "n=pa1 scale:none", "arow", "m=averaged scale:none", "late=pa1")
		var err error
		if m.proc, err = NewProcessor(m.config); err != nil {
			t.Fatal(err)
		}
		m.proc.challengers[4].since = 7
		to, err := NewProcessor(m.config)
		if err != nil {
			t.Fatal(err)
		}
		m.copy = m.proc.NewReplica(to)
		store := &checkpoint.Store{Dir: t.TempDir()}
		for round := range 4 {
			for range 20 {
				m.learn()
			}
			for name, want := range map[string][]string{"learner": {"learner", "c1", "c3"}, "n": {"n", "m"},
				"late": {"late"}} {
				if got := m.sharers(name); !slices.Equal(got, want) {
					t.Errorf("%s, round %d: the table of %s is that of %v, want %v", task, round, name, got, want)
				}
			}
			switch round {
			case 0:
				if err := m.proc.Promote("n", m.seq+1, 0); err != nil {
					t.Fatal(err)
				}
			case 1:
				m.saveCopy(store)
				m.restart(store)
				if _, err := m.proc.SliceBy(&m.config, m.fields()); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
