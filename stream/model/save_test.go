package model

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// savedModel learns and is saved again and again, as run does it.
type savedModel struct {
	*testing.T
	config Config
	proc   *Processor
	copy   *Replica
	decode *event.Decoder
	rng    *rand.Rand
	seq    int64
}

func newSavedModel(t *testing.T, task, name, scale string) *savedModel {
	t.Helper()
	m := &savedModel{T: t, rng: rand.New(rand.NewPCG(1, 2))}
	o := event.Defaults(event.JSON)
	o.Bits, o.Task = 13, task
	spec := learner.Spec{Scale: scale, Bits: o.Bits}
	err := learner.ParseLearner(name, &spec)
	if err == nil {
		m.config = Config{Hash: HashName, Learner: spec.WithDefaults(), Decode: o}
		m.proc, err = NewProcessor(m.config)
	}
	if err == nil {
		m.decode, err = event.New(o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// learn learns an event of old and new features.
func (m *savedModel) learn() {
	m.Helper()
	m.rng = rand.New(rand.NewPCG(1, uint64(m.seq))) // a model that goes back meets the same events again
	label := []string{"-1", "1"}[m.rng.IntN(2)]
	if m.config.Decode.Task == event.Multiclass {
		label = fmt.Sprintf(`"c%d"`, m.rng.IntN(1+min(3, int(m.seq)/200)))
	}
	value := fmt.Sprintf(`{"label":%s,"features":{"a":%v,"b":%v,"x%d":%v,"w":"%d"}}`, label, m.rng.NormFloat64(),
		m.rng.NormFloat64(), m.rng.IntN(1000), m.rng.NormFloat64(), m.rng.IntN(1000))
	var e event.Example
	x := m.decode.Decode(&event.Record{Value: []byte(value)}, nil, &e)
	o, rejected := m.proc.Predict(&e, x)
	if rejected != nil {
		m.Fatal(rejected)
	}
	r := &topics.Record{Value: []byte(value)}
	m.proc.Slice(r, o)
	m.proc.Publish(o)
	m.proc.Learn(r, o)
	m.seq++
}

func (m *savedModel) header(p *Processor) *Header {
	h := &Header{Config: m.config, Seq: m.seq, Family: p.Family}
	h.SetModelState(p)
	return h
}

// content is all that a checkpoint of p holds, now.
func (m *savedModel) content(p *Processor) map[string]string {
	m.Helper()
	header, sections, err := encode(m.header(p), p)
	if err != nil {
		m.Fatal(err)
	}
	content := map[string]string{"header": string(header)}
	for _, s := range sections {
		data, err := s.Append(nil, 0, s.Size)
		if err != nil {
			m.Fatal(err)
		}
		content[s.Name] = string(data)
	}
	return content
}

// saveCopy saves a copy that is made in steps, and learns meanwhile. It returns what the copy should hold.
func (m *savedModel) saveCopy(store *checkpoint.Store) map[string]string {
	m.Helper()
	want, h := m.content(m.proc), m.header(m.proc)
	for m.copy.Begin(); !m.copy.step(8 << 10); m.learn() {
	}
	if _, err := Save(store, h, m.copy.To); err != nil {
		m.Fatal(err)
	}
	return want
}

// restart goes on with the newest checkpoint, and saves that again before it makes a copy.
func (m *savedModel) restart(store *checkpoint.Store) (builds bool) {
	m.Helper()
	f, aside, err := store.Newest()
	if err != nil || len(aside) > 0 {
		m.Fatal(aside, err)
	}
	h, proc, err := Read(f)
	if err != nil {
		m.Fatal(err)
	}
	m.proc, m.seq = proc, h.Seq
	if _, err := Save(store, m.header(proc), proc); err != nil {
		m.Fatal(err)
	}
	to, err := NewProcessor(m.config)
	if err != nil {
		m.Fatal(err)
	}
	m.copy = proc.NewReplica(to)
	return len(f.BuildsOn) > 0
}

// TestSavedModels: whatever a checkpoint builds on, it is the model as it was, also after restarts.
func TestSavedModels(t *testing.T) {
	for _, c := range []struct{ task, learner, scale string }{
		{event.Binary, "perceptron", learner.ScaleStandard}, {event.Binary, "averaged:window=50", learner.ScaleNone},
		{event.Binary, "arow", learner.ScaleMaxAbs}, {event.Binary, "logistic:l1=0.001", learner.ScaleStandard},
		{event.Binary, "dual:budget=30", learner.ScaleNone},
		{event.Multiclass, "perceptron", learner.ScaleStandard}, {event.Multiclass, "pa1", learner.ScaleNone},
	} {
		t.Run(c.task+"/"+c.learner, func(t *testing.T) {
			m := newSavedModel(t, c.task, c.learner, c.scale)
			store := &checkpoint.Store{Dir: t.TempDir()}
			if _, err := Save(store, m.header(m.proc), m.proc); err != nil {
				t.Fatal(err)
			}
			m.restart(store)
			built, whole := 0, 0
			for round := range 60 {
				for range 1 + m.rng.IntN(30) {
					m.learn()
				}
				want := m.saveCopy(store)
				f, _, err := (&checkpoint.Store{Dir: store.Dir}).Newest()
				if err != nil {
					t.Fatal(err)
				}
				h, proc, err := Read(f)
				if err != nil {
					t.Fatal(err)
				}
				read := &savedModel{T: t, config: m.config, seq: h.Seq}
				if got := read.content(proc); !maps.Equal(got, want) {
					t.Fatalf("round %d: %s, which builds on %q, is not what was saved", round, f.Path, f.BuildsOn)
				}
				if len(f.BuildsOn) > 0 {
					built++
				} else {
					whole++
				}
				if round%7 == 6 {
					m.restart(store)
				}
			}
			if c.learner != "dual:budget=30" && (built < 10 || whole < 1) {
				t.Errorf("%d built on others, %d did not", built, whole)
			}
		})
	}
}
