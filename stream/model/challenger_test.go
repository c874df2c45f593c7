package model

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

// besideCases are champions and their challengers.
var besideCases = []struct {
	task, learner string
	challengers   []string
}{
	{event.Binary, "perceptron", []string{"pa1:C=0.1 scale:none decide:cost=fp:1,fn:20", "b=arow decide:precision=0.5",
		"c=logistic calibrate:platt", "perceptron"}},
	{event.Binary, "averaged:window=50", []string{"averaged decide:recall=0.8", "alma decide:alerts=0.1 scale:maxabs"}},
	{event.Multiclass, "perceptron", []string{"pa1", "perceptron scale:none"}},
}

// newBeside makes a model with challengers.
func newBeside(t *testing.T, task, name string, challengers ...string) *savedModel {
	t.Helper()
	m := newSavedModel(t, task, name, learner.ScaleStandard)
	for i, text := range challengers {
		c, err := m.config.ParseChallenger(text, i+1, learner.ParseLearner)
		if err != nil {
			t.Fatal(err)
		}
		m.config.Challengers = append(m.config.Challengers, c)
	}
	if err := m.config.Validate(); err != nil {
		t.Fatal(err)
	}
	m.fresh()
	return m
}

// fresh makes the untrained processor of the configuration, and its copy.
func (m *savedModel) fresh() {
	m.Helper()
	var err error
	if m.proc, err = NewProcessor(m.config); err != nil {
		m.Fatal(err)
	}
	if _, err := m.proc.SliceBy(&m.config, m.fields()); err != nil {
		m.Fatal(err)
	}
	to, err := NewProcessor(m.config)
	if err != nil {
		m.Fatal(err)
	}
	m.copy = m.proc.NewReplica(to)
}

// fields are those by which decisions are counted.
func (m *savedModel) fields() []string {
	if m.config.Decode.Task == event.Multiclass {
		return nil
	}
	return []string{"w"}
}

// alone makes a model that runs one of the learners of another alone, on the same events.
func (m *savedModel) alone(name string) *savedModel {
	m.Helper()
	x := newSavedModel(m.T, m.config.Decode.Task, "perceptron", learner.ScaleNone)
	x.config = m.config.Of(name)
	x.fresh()
	return x
}

// ofLearner is what content has of one of the learners, as if it ran alone.
func (m *savedModel) ofLearner(content map[string]string, name string) map[string]string {
	m.Helper()
	of := map[string]string{}
	var h Header
	if err := json.Unmarshal([]byte(content["header"]), &h); err != nil {
		m.Fatal(err)
	}
	prefix := (*Processor)(nil).prefix(name)
	for section, data := range content {
		own, is := strings.CutPrefix(section, prefix)
		if is && !strings.HasPrefix(own, "beside.") && own != sectionContest &&
			!strings.HasPrefix(own, sectionPublished) {
			of[own] = data
		}
	}
	for _, c := range h.Challengers {
		if c.Name == name {
			h.Learner, h.Classes, h.Trained = c.Learner, c.Classes, c.Trained
		}
	}
	alone := Header{Learner: h.Learner, Classes: h.Classes, Trained: h.Trained, Family: h.Family, Seq: h.Seq}
	text, err := json.Marshal(alone)
	if err != nil {
		m.Fatal(err)
	}
	of["header"] = string(text)
	return of
}

// differ names the parts in which two contents differ.
func differ(a, b map[string]string) (names []string) {
	all := maps.Clone(a)
	maps.Copy(all, b)
	for name := range all {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestChallengersAlone: each challenger has, to the bit, the weights and the figures of a model that runs it alone, and
// the champion those of a model without challengers; also after restarts, and in copies that are made meanwhile.
func TestChallengersAlone(t *testing.T) {
	t.Parallel()
	for _, c := range besideCases {
		t.Run(c.task+"/"+c.learner, func(t *testing.T) {
			t.Parallel()
			m := newBeside(t, c.task, c.learner, c.challengers...)
			store := &checkpoint.Store{Dir: t.TempDir()}
			alone := map[string]*savedModel{}
			for _, name := range m.config.Learners() {
				alone[name] = m.alone(name)
			}
			for round := range 25 {
				for range 40 {
					m.learn()
				}
				if name := m.config.Learners()[m.rng.IntN(1+len(c.challengers))]; round > 5 {
					if err := m.proc.Promote(name, m.seq+1, 0); err != nil || m.proc.Champion() != name {
						t.Fatal(m.proc.Champion(), err)
					}
				}
				at := m.seq
				want := m.saveCopy(store)
				for name, x := range alone {
					for x.seq < at {
						x.learn()
					}
					got, is := m.ofLearner(want, name), x.ofLearner(x.content(x.proc), OwnName)
					if d := differ(got, is); len(d) > 0 {
						t.Fatalf("round %d, %s: %v differ from those of the model that runs it alone", round, name, d)
					}
				}
				copied := m.content(m.copy.To)
				copied["header"] = want["header"] // its seq is that of the moment
				if d := differ(want, copied); len(d) > 0 {
					t.Fatalf("round %d: the copy differs in %v", round, d)
				}
				if round%5 != 4 {
					continue
				}
				m.restart(store)
				if d := differ(want, m.content(m.proc)); len(d) > 0 {
					t.Fatalf("round %d: what was saved differs in %v", round, d)
				}
				if _, err := m.proc.SliceBy(&m.config, m.fields()); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
