package verify_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// lateHistory is a journal of two topics: events over three partitions, labels over two.
type lateHistory struct {
	*scribe
	r    *rand.Rand
	ids  int
	last int64 // time of the newest event

	delay int // a label is of one of so many events
}

// newLateHistory lets so many things happen at random: events with an id, without one, with a label of their own, with
// an id that is known, malformed; labels that are the first, the same again, others, too late, of no event, malformed,
// null, of the far future; and restarts.
func newLateHistory(t *testing.T, seed uint64, things int, change func(*scribe)) *lateHistory {
	h := &lateHistory{scribe: newScribe(t, 3, 2, 2), r: rand.New(rand.NewPCG(seed, 19)), delay: 60}
	if change != nil {
		change(h.scribe)
	}
	h.happen(things)
	return h
}

func (h *lateHistory) happen(things int) {
	for range things {
		h.now += int64(h.r.IntN(20))
		switch n := h.r.IntN(20); {
		case n < 9:
			h.randomEvent()
		case n < 19:
			h.randomLabel()
		case h.r.IntN(10) == 0:
			h.epoch++
		}
	}
}

func (h *lateHistory) randomEvent() {
	h.ids++
	id, label := fmt.Sprintf(`"id":"e%d",`, h.ids), ""
	switch h.r.IntN(12) {
	case 0:
		id = ""
	case 1:
		id = fmt.Sprintf(`"id":"e%d",`, 1+h.r.IntN(h.ids))
	case 2:
		label = fmt.Sprintf(`"label":%d,`, 1-2*h.r.IntN(2))
	}
	value := fmt.Sprintf(`{%s%s"features":{"x":%g,"y":%g}}`, id, label, h.r.NormFloat64(), h.r.NormFloat64())
	if h.r.IntN(15) == 0 {
		value = value[:len(value)-1]
	}
	h.last = h.now - int64(h.r.IntN(30))
	h.event(int32(h.r.IntN(3)), topics.Record{Key: fmt.Append(nil, "k", h.ids), Value: []byte(value),
		Timestamp: h.last})
}

func (h *lateHistory) randomLabel() {
	id := max(1, h.ids-h.r.IntN(h.delay))
	value := fmt.Sprintf(`{"id":"e%d","label":%d}`, id, 1-2*(id%2))
	time := h.now
	switch h.r.IntN(16) {
	case 0:
		value = fmt.Sprintf(`{"id":"e%d","label":%d}`, id, 1-2*h.r.IntN(2))
	case 1:
		value = `{"id":"nobody","label":1}`
	case 2:
		value = `{"label":1}`
	case 3:
		value = fmt.Sprintf(`{"id":"e%d","label":%d,"weight":0.5}`, id, 1-2*(id%2))
	case 4:
		value = fmt.Sprintf(`{"id":"e%d","label":0}`, id) // of another family
	case 5:
		time += 1 << 32
	}
	h.label(int32(h.r.IntN(2)), topics.Record{Key: fmt.Append(nil, "k", id), Value: []byte(value), Timestamp: time})
}

// audit audits a history, or a forgery of it, from nothing.
func (h *lateHistory) audit(log topics.Log, change func(*verify.Audit)) (*verify.Result, error) {
	h.t.Helper()
	p, err := model.NewProcessor(h.config)
	if err != nil {
		h.t.Fatal(err)
	}
	a := verify.Audit{Log: log, Model: scribeModel, From: verify.Start{Processor: p, Config: h.config},
		Labels: state.LabelsConfig{Limits: h.limits}, Floor: h.floor()}
	if change != nil {
		change(&a)
	}
	r, err := a.Run(h.t.Context())
	if err == nil && r.OK() {
		if l := r.Labels; l.Used+l.DeadLetters+l.Repeats+l.Nulls+l.Unkept+l.Gaps+l.Pending != l.Offsets {
			h.t.Errorf("the figures do not add up: %+v", l)
		}
	}
	return r, err
}

// floor is that of a checkpoint at the end.
func (h *lateHistory) floor() *verify.Floor {
	f := &verify.Floor{Seq: h.seq, Epoch: h.epoch}
	for _, r := range h.records[topics.Input] {
		f.Positions = append(f.Positions, int64(len(r)))
	}
	for _, r := range h.records[topics.Labels] {
		f.LabelPositions = append(f.LabelPositions, int64(len(r)))
	}
	return f
}

// findings describes what an audit found.
func findings(r *verify.Result) string {
	var b strings.Builder
	for _, f := range r.Findings[:min(10, len(r.Findings))] {
		fmt.Fprintf(&b, "\n%s seq %d output %v input %v label %v: %s %v", f.Kind, f.Seq, f.Output, f.Input, f.Label,
			f.What, f.Fields)
	}
	return b.String()
}

var lateConfigs = map[string]func(*scribe){
	"plain":    nil,
	"assume":   func(s *scribe) { s.config.Late.Assume = "-1" },
	"evicting": func(s *scribe) { s.limits.Examples = 5 },
	"forgetful": func(s *scribe) {
		s.limits.Settled = 3
	},
	"none settled": func(s *scribe) { s.limits.Settled = 0 },
	"by key":       func(s *scribe) { s.config.Late.Join = model.JoinKey },
	"no learning":  func(s *scribe) { s.config.NoLearn = true },
	"classes": func(s *scribe) {
		s.config.Decode.Task, s.config.Late.Decode.Task = event.Multiclass, event.Multiclass
		s.config.Multiclass, s.config.MaxClasses = learner.OVA, 2
	},
}

// TestOutcomes: what a daemon writes is sound, whatever happens, and all of it is audited.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	for name, change := range lateConfigs {
		t.Run(name, func(t *testing.T) {
			kinds := map[string]int64{}
			for seed := range uint64(5) {
				h := newLateHistory(t, seed, 600, change)
				r, err := h.audit(h.copied(), nil)
				if err != nil || !r.OK() || r.Seq != h.seq || r.Pending+r.Labels.Pending != 0 {
					t.Fatalf("seed %d: %v, %+v, labels %+v%s", seed, err, r, r.Labels, findings(r))
				}
				if r.Labels.Waiting != int64(h.waiting.Len()) {
					t.Errorf("%d wait, %d in the audit", h.waiting.Len(), r.Labels.Waiting)
				}
				for kind, n := range r.Labels.Outcomes {
					kinds[kind] += n
				}
			}
			if kinds["labelled"] == 0 || kinds["expired"]+kinds["assumed"]+kinds["evicted"] == 0 {
				t.Errorf("%v", kinds)
			}
		})
	}
}

// TestOutcomesOfOtherSettings: a setting of the daemon that has changed is no alarm.
func TestOutcomesOfOtherSettings(t *testing.T) {
	t.Parallel()
	h := newLateHistory(t, 1, 600, func(s *scribe) { s.limits.Settled = 3 })
	for change, f := range map[string]func(*verify.Audit){
		"waiting-memory": func(a *verify.Audit) { a.Labels.Memory = 1 },
		"settled-ids":    func(a *verify.Audit) { a.Labels.Settled = 5000 },
		"label-wait":     func(a *verify.Audit) { a.Labels.Wait = 1 },
		"labels-idle":    func(a *verify.Audit) { a.Labels.Idle = 1 },
		"no floor":       func(a *verify.Audit) { a.Floor = nil },
	} {
		if r, err := h.audit(h.copied(), f); err != nil || !r.OK() {
			t.Errorf("%s: %v%s", change, err, findings(r))
		}
	}
}

// reads counts how often partitions of the input are opened, and what is read from them.
type reads struct {
	topics.Log
	opened, records atomic.Int64
}

func (c *reads) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	r := c.Log.Open(topic, partition, from)
	if topic != topics.Input {
		return r
	}
	c.opened.Add(1)
	return &countingReader{r, &c.records}
}

type countingReader struct {
	topics.Reader
	records *atomic.Int64
}

func (r *countingReader) Read(ctx context.Context, run *topics.Run, most int) error {
	err := r.Reader.Read(ctx, run, most)
	r.records.Add(int64(len(run.Records)))
	return err
}

// TestEventsAreReadBackTogether: of outcomes whose events are not in memory, the events of many are read at a time.
// With more memory less is read.
func TestEventsAreReadBackTogether(t *testing.T) {
	t.Parallel()
	h := newLateHistory(t, 1, 0, func(s *scribe) { s.limits.Examples, s.limits.Wait = 2000, 1<<40 })
	h.delay = 2000
	h.happen(12_000)
	var opened, records int64
	for _, memory := range []int64{0, 20 << 10, 40 << 10, 80 << 10, 160 << 10, 320 << 10} {
		var log reads
		r, err := h.audit(h.copied(), func(a *verify.Audit) {
			a.Labels.Memory, log.Log = memory, a.Log
			a.Log = &log
		})
		if err != nil || !r.OK() {
			t.Fatalf("%v%s", err, findings(r))
		}
		if memory == 0 {
			opened, records = r.Labels.Outcomes["labelled"]/2, math.MaxInt64
			if n := r.Labels.Outcomes["labelled"]; log.records.Load() < n {
				t.Errorf("%d records read for %d outcomes: some events were in memory", log.records.Load(), n)
			}
		}
		if log.opened.Load() > opened || log.records.Load() > records {
			t.Errorf("with %d bytes %d readers and %d records, want at most %d and %d", memory, log.opened.Load(),
				log.records.Load(), opened, records)
		}
		opened, records = log.opened.Load(), log.records.Load()
	}
}

// entry is where an entry of the journal is.
type entry struct {
	topic     topics.Topic
	partition int
	i         int
	outcome   *journal.Outcome // nil of a prediction
	seq       int64
}

// entries are those of a history by seq, from 1 on.
func (h *lateHistory) entries() []entry {
	all := make([]entry, h.seq+1)
	for _, topic := range []topics.Topic{topics.Output, topics.Outcomes} {
		for p, records := range h.records[topic] {
			for i := range records {
				e := journal.Parse(topic, int32(p), &records[i], scribeModel)
				all[e.Seq] = entry{topic, p, i, e.Outcome, e.Seq}
			}
		}
	}
	return all
}

// TestEveryPrefixOfTwoTopics: what a daemon has written at any moment is sound, though label records and dead letters
// of later moments are there.
func TestEveryPrefixOfTwoTopics(t *testing.T) {
	t.Parallel()
	h := newLateHistory(t, 7, 250, lateConfigs["assume"])
	all := h.entries()
	for seq := h.seq; seq > 0; seq-- {
		f := h.copied()
		for _, topic := range []topics.Topic{topics.Output, topics.Outcomes} {
			for p := range f.records[topic] {
				f.records[topic][p] = nil
			}
		}
		for _, e := range all[1:seq] {
			r := h.records[e.topic][e.partition][e.i]
			f.records[e.topic][e.partition] = append(f.records[e.topic][e.partition], r)
		}
		f.renumber(topics.Output)
		f.renumber(topics.Outcomes)
		r, err := h.audit(f, func(a *verify.Audit) { a.Floor = nil })
		if err != nil || !r.OK() || r.Seq != seq-1 {
			t.Fatalf("below seq %d: %v, seq %d%s", seq, err, r.Seq, findings(r))
		}
	}
}
