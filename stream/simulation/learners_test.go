package simulation

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// alone is one of the learners, as a model that runs it alone: what a learner beside the champion must be, too.
type alone struct {
	name    string
	proc    *model.Processor
	resets  *streamtest.Resets
	trained bool
	out     *model.Outcome // of the event that is predicted
}

// learners are those that learn side by side, and which of them is the champion, by the journal alone.
type learners struct {
	all      []*alone
	champion int
	promotes map[int64]string // by the first seq of a flight that makes a learner the champion
	changes  []model.Promotion
	mistakes int64 // of what was published
	examples int64
	loss     metrics.Binary // log-loss alone, of what was published
}

func newLearners(w *world, fixed model.Config) (*learners, error) {
	l := &learners{promotes: map[int64]string{}}
	for _, name := range fixed.Learners() {
		of := fixed.Of(name)
		proc, err := model.NewProcessor(of)
		if err != nil {
			return nil, err
		}
		proc.DetectBy(&of, w.setup.Config.Drift)
		l.all = append(l.all, &alone{name: name, proc: proc, resets: streamtest.NewResets(&of)})
	}
	return l, nil
}

// several reports whether there are challengers.
func (l *learners) several() bool { return len(l.all) > 1 }

func (l *learners) live() *alone { return l.all[l.champion] }

// announced takes what the first record of a batch says of its flight, which begins with a seq. Each batch of it must
// say the same.
func (o *oracle) announced(r *topics.Record) {
	layout, err := journal.LayoutOf(r)
	seq := seqOf(r.Value)
	if err == nil && layout != nil {
		seq = layout.First
	}
	name := journal.ChampionOf(r.Headers)
	was, known := o.learners.promotes[seq]
	switch {
	case known && was != name:
		o.w.violate("a batch of the flight from seq %d on makes %q the champion, another one %q", seq, name, was)
	case !known && (name == "" || slices.Contains(o.w.setup.Config.ModelConfig.Learners(), name)):
		o.learners.promotes[seq] = name
	case !known:
		o.w.violate("the flight from seq %d on makes %q the champion, which is no learner", seq, name)
	}
}

// seqOf is the seq of an entry.
func seqOf(value []byte) int64 {
	var entry struct{ Seq int64 }
	_ = json.Unmarshal(value, &entry) // what is no entry has none
	return entry.Seq
}

// switchAt makes a learner the champion before an entry.
func (o *oracle) switchAt(seq int64) {
	l := o.learners
	name := l.promotes[seq]
	if name == "" || name == l.live().name {
		return
	}
	o.w.count("promotions")
	o.w.logf("%s is the champion from seq %d on", name, seq)
	l.changes = append(l.changes, model.Promotion{Seq: seq, From: l.live().name, To: name})
	l.champion = slices.IndexFunc(l.all, func(x *alone) bool { return x.name == name })
}

// predict has all learners predict an event, and returns what the champion says.
func (l *learners) predict(e *event.Example, arena []learner.Feature) (*model.Outcome, error) {
	for _, x := range l.all {
		out, rejected := x.proc.Predict(e, e.Features(arena))
		if rejected != nil {
			return nil, fmt.Errorf("%s: %w", x.name, rejected)
		}
		x.out = out
	}
	return l.live().out, nil
}

// publish has all learners take notice of what they predicted.
func (l *learners) publish() {
	for _, x := range l.all {
		x.proc.Publish(x.out)
	}
}

// figure counts a published prediction with its label.
func (l *learners) figure(o *model.Outcome) {
	if o.Untrained {
		return
	}
	if l.examples++; o.Mistake {
		l.mistakes++
	}
	if o.LabelProbability > 0 {
		l.loss.AddLate(signOf(o.Prediction), signOf(o.Label), [2]int8{1, 1}, o.Score, false)
		l.loss.AddProbability(o.LabelProbability)
	}
}

func signOf(class int) int8 {
	if class == model.Positive {
		return 1
	}
	return -1
}

// learned says that the label of what a learner predicted is learned.
func (x *alone) learned(untrained, mistake bool) (reset bool) {
	x.trained = true
	if x.resets.Learned(untrained, mistake) {
		x.trained, reset = false, true
	}
	return reset
}

// kept is what each learner predicted of an example that waits.
func (l *learners) kept() (all []labels.Example) {
	for _, x := range l.all {
		all = append(all, labels.Example{Published: x.out.Kept(), Score: x.out.Score,
			Baselines: [2]int16{int16(x.out.Baselines[0]), int16(x.out.Baselines[1])}})
	}
	return all
}

// sum is a hash of all that the learners have learned, of the champion, and of how it became that.
func (l *learners) sum() uint64 {
	var h maphash.Hash
	h.SetSeed(sumSeed)
	for _, x := range l.all {
		fmt.Fprintln(&h, x.name, sum(x.proc))
	}
	writeChampion(&h, l.live().name, l.changes)
	return h.Sum64()
}

func writeChampion(h *maphash.Hash, name string, changes []model.Promotion) {
	fmt.Fprintln(h, name)
	for _, p := range changes {
		fmt.Fprintln(h, p.Seq, p.From, p.To)
	}
}

// sumOf is the sum of a checkpoint's learners, each looked at as the champion of a copy.
func sumOf(c *model.Config, p *model.Processor) (uint64, error) {
	var h maphash.Hash
	h.SetSeed(sumSeed)
	copied, err := model.NewProcessor(*c)
	if err == nil {
		copied.Family = p.Family
		err = copied.Inherit(p, 0)
	}
	if err != nil {
		return 0, err
	}
	for _, name := range c.Learners() {
		if err := copied.Promote(name, 0, 0); err != nil {
			return 0, err
		}
		var all model.Header
		all.SetModelState(copied)
		state := model.Header{Trained: all.Trained, Learner: all.Learner, Classes: all.Classes}
		for i := range all.Challengers {
			if x := &all.Challengers[i]; x.Name == name {
				state = model.Header{Trained: x.Trained, Learner: x.Learner, Classes: x.Classes}
			}
		}
		fmt.Fprintln(&h, name, sumState(copied, &state, copied.Reports(c)[0].Drift))
	}
	writeChampion(&h, p.Champion(), p.Promotions())
	return h.Sum64(), nil
}

// sameFigures compares what a checkpoint says of each learner with what a model of its own has, to the bit, and what it
// says of published predictions with what was counted.
func (l *learners) sameFigures(c *model.Config, p *model.Processor, late bool) error {
	published := p.Report()
	if published.Mistakes != l.mistakes || published.Examples != l.examples {
		return fmt.Errorf("%d mistakes of %d were published, counted %d of %d", published.Mistakes, published.Examples,
			l.mistakes, l.examples)
	}
	if got, want := published.LogLoss, l.loss.Report().LogLoss; got != want && c.Decode.Task != event.Multiclass {
		return fmt.Errorf("the log-loss of what was published is %v, counted %v", got, want)
	}
	reports := p.Reports(c)
	for _, x := range l.all {
		i := slices.IndexFunc(reports, func(r model.LearnerReport) bool { return r.Name == x.name })
		got, want := reports[i].Score, x.proc.Report()
		if late { // the baselines are those of what the champion waits for
			got.Baselines, want.Baselines = nil, nil
		}
		if !reflect.DeepEqual(got, want) {
			return fmt.Errorf("%s has the figures %+v, alone %+v", x.name, got, want)
		}
	}
	return nil
}
