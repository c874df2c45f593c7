package simulation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// hasLabels reports whether the run has labels that come later, in a topic of their own.
func (w *world) hasLabels() bool { return w.setup.Kafka.Labels != "" }

// addLabels gives the task a topic of labels.
func (w *world) addLabels() {
	r, c := w.rng, &w.setup.Config
	w.setup.Kafka.Labels, w.setup.Kafka.Outcomes = modelName+".labels", modelName+".outcomes"
	c.ModelConfig.Late = &model.LateLabels{Join: model.JoinID, Decode: c.ModelConfig.Decode}
	if r.IntN(3) == 0 {
		c.ModelConfig.Late.Assume = "-1"
		if c.ModelConfig.Decode.Task == event.Multiclass {
			c.ModelConfig.Late.Assume = "setosa"
		}
	}
	c.Labels = &state.LabelsConfig{Slack: 100 * time.Millisecond, Memory: []int64{1, 4000, 0}[r.IntN(3)],
		Limits: labels.Limits{Wait: []int64{50, 2000, 600_000}[r.IntN(3)], Examples: []int{4, 1000}[r.IntN(2)],
			Settled: 1 << 20}}
	w.loosest = c.Labels.Limits
}

// ownLimits reports whether each process has limits of its own for labels: in some worlds with a checkpoint topic, from
// which others learn them.
func (w *world) ownLimits() bool { return w.hasLabels() && w.setup.State != "" && w.seed%7 > 1 }

// labelsOf is how a process has its labels.
func (w *world) labelsOf(p *process) *state.LabelsConfig {
	if !w.ownLimits() {
		return w.setup.Config.Labels
	}
	r := rand.New(rand.NewPCG(w.seed, 9<<32|uint64(p.id)))
	own := *w.setup.Config.Labels
	own.Limits = labels.Limits{Wait: []int64{50, 2000, 600_000}[r.IntN(3)], Examples: []int{4, 1000}[r.IntN(2)],
		Settled: []int{0, 5, 50, 1 << 20}[r.IntN(4)]}
	w.logf("%v has the limits %+v", p, own.Limits)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.loosest = w.loosest.Loosest(own.Limits)
	w.oracle.late.settled = min(w.oracle.late.settled, own.Settled)
	return &own
}

// lateID is the id of an event, as JSON. Some events share one.
func (w *world) lateID(partition int32, i int) string {
	if w.rng.IntN(25) == 0 {
		partition, i = 0, w.rng.IntN(i+1)
	}
	return fmt.Sprintf(`"e%d-%d"`, partition, i)
}

// planLabels makes label records for the events of some partitions, about in their order: of most events one, of some
// none, two, another one or a malformed one, and some of no event.
func (w *world) planLabels(events [][]parcel) (lists [][]parcel) {
	if !w.hasLabels() {
		return nil
	}
	type timed struct {
		at float64
		in *input
	}
	var all []timed
	r := w.rng
	for _, list := range events {
		for i, p := range list {
			for _, in := range p.records {
				at := (float64(i) + r.Float64()) / float64(len(list))
				for _, x := range w.labelsFor(in) {
					all = append(all, timed{at + r.ExpFloat64()/10 - .02, x})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b timed) int {
		if a.at < b.at {
			return -1
		}
		return 1
	})
	if w.setup.Kafka.Split { // newWorlds has made the topics
		var own []*input
		for _, x := range all {
			own = append(own, x.in)
		}
		return [][]parcel{pack(r, w.setup.Kafka.Labels, w.partition(), own)}
	}
	partitions := make([][]*input, 1+r.IntN(3))
	for _, x := range all {
		p := r.IntN(len(partitions))
		partitions[p] = append(partitions[p], x.in)
	}
	if len(partitions) > 1 && r.IntN(3) == 0 { // the last one is added while processes run
		last := len(partitions) - 1
		w.create(w.setup.Kafka.Labels, last)
		lists = append(lists, pack(r, w.setup.Kafka.Labels, int32(last), partitions[last]))
		if len(lists[0]) > 0 {
			lists[0][0].before = func() { w.widen(w.setup.Kafka.Labels, last+1) }
		}
		partitions = partitions[:last]
	} else {
		w.create(w.setup.Kafka.Labels, len(partitions))
	}
	for p, records := range partitions {
		lists = append(lists, pack(r, w.setup.Kafka.Labels, int32(p), records))
	}
	return lists
}

// labelsFor makes the label records of an event.
func (w *world) labelsFor(in *input) (out []*input) {
	r := w.rng
	add := func(id, label string) {
		out = append(out, &input{id: id, label: label, record: topics.Record{
			Value: fmt.Appendf(nil, `{"id":%s,"label":%s}`, id, label)}})
	}
	switch n := r.IntN(20); {
	case n < 2:
		return nil
	case n == 2:
		add(in.id, in.label)
		add(in.id, in.label)
	case n == 3:
		add(in.id, in.label)
		add(in.id, []string{"1", "-1", `"setosa"`, "0"}[r.IntN(4)])
	case n == 4:
		add(fmt.Sprintf(`"nobody-%d"`, r.IntN(1000)), in.label)
	case n == 5:
		value := [][]byte{nil, []byte("{"), []byte(`{"label":1}`), []byte(`{"id":"e0-0"}`)}[r.IntN(4)]
		skipped := value == nil && w.skipsNull()
		out = append(out, &input{malformed: !skipped, skipped: skipped, record: topics.Record{Value: value}})
	default:
		add(in.id, in.label)
	}
	return out
}

// verifyFrom has an audit begin with a checkpoint: records of before may be gone.
func (w *world) verifyFrom(a *verify.Audit, s *saved) {
	w.count("audits from a checkpoint")
	top, err := a.Log.Topology(w.t.Context())
	if err == nil {
		a.From = verify.FromCheckpoint(&s.header, s.proc, top)
		err = a.From.Wait(s.file, &s.header, a.Labels.Limits)
	}
	if err != nil {
		w.violate("verify: %v", err)
	}
}

// verify audits the topics at the end.
func (w *world) verify() {
	c := w.setup.Config
	proc, err := c.NewProcessor()
	if err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	var floor *verify.Floor
	if w.hasLabels() {
		floor = w.oracle.late.floor
	}
	w.mu.Unlock()
	a := verify.Audit{Log: trimmed{w.setup.Client(w.t), w}, Model: c.Model, Floor: floor,
		From: verify.Start{Processor: proc, Config: c.ModelConfig}}
	if c.Labels != nil {
		a.Labels = *c.Labels
		a.Labels.Limits = w.loosest
	}
	if w.retained != nil {
		w.verifyFrom(&a, w.retained)
	}
	r, err := a.Run(w.t.Context())
	switch {
	case err != nil:
		w.violate("verify: %v", err)
	case !r.OK() || r.Seq != w.oracle.seen:
		w.violate("verify: seq %d of %d, %v, %+v", r.Seq, w.oracle.seen, r.Counts, r.Findings[0])
	case w.hasLabels() && r.Labels.Waiting != int64(len(w.oracle.late.waiting)):
		w.violate("verify: %d wait, not %d", r.Labels.Waiting, len(w.oracle.late.waiting))
	}
}
