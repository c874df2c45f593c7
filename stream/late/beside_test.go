package late

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// lateWorld is a model with later labels that is told of one stream.
type lateWorld struct {
	*testing.T
	config model.Config
	proc   *model.Processor
	*Labels
	decoder *event.Decoder
	store   *checkpoint.Store
	counts  model.LabelCounts
	seq     int64

	scored, mistakes int64 // of what was published

	alone         map[string]*lateWorld // models of each learner, which are told first; nil for one of them
	publisher     map[int64]string      // by seq
	probabilities map[int64]float64     // of labels that were learned, by the seq of the prediction
	loss          metrics.Binary        // of what was published, by what the models of the publishers gave
}

var worldLimits = labels.Limits{Wait: 1e9, Examples: 60, Settled: 1000}

func newWorld(t *testing.T, config model.Config) *lateWorld {
	t.Helper()
	w := &lateWorld{T: t, config: config, store: &checkpoint.Store{Dir: t.TempDir()},
		publisher: map[int64]string{}, probabilities: map[int64]float64{}}
	var err error
	if w.proc, err = model.NewProcessor(config); err == nil {
		w.decoder, err = event.New(config.Decode)
	}
	if err == nil {
		w.Labels, err = New(&config, worldLimits, &w.counts)
	}
	if err == nil && config.Decode.Task == "" {
		_, err = w.proc.SliceBy(&config, []string{"y"})
	}
	if err != nil {
		t.Fatal(err)
	}
	w.SetMemory(1<<20, nil)
	return w
}

// predict predicts an event, and learns it if it has a label.
func (w *lateWorld) predict(r *topics.Record) {
	var e event.Example
	arena := w.decoder.Decode(r, nil, &e)
	p := Predicted{At: r.Timestamp, Record: r, Example: &e, Features: e.Features(arena)}
	o, rejected := w.proc.Predict(&e, p.Features)
	if rejected != nil {
		w.Fatal(rejected)
	}
	w.seq++
	p.Seq, p.Outcome = w.seq, o
	w.publisher[w.seq] = w.proc.Champion()
	w.proc.Slice(r, o)
	w.proc.Publish(o)
	if !w.Predicted(&p) {
		if o.Labelled {
			w.count(w.seq, o)
		}
		w.proc.Learn(r, o)
	}
	for { // what is due, and what is evicted
		o := w.MakeDue(w.proc)
		if o == nil {
			return
		}
		w.learn(o)
	}
}

func (w *lateWorld) count(of int64, o *model.Outcome) {
	if w.scored++; o.Mistake {
		w.mistakes++
	}
	w.probabilities[of] = o.LabelProbability
	if x := w.alone[w.publisher[of]]; x != nil && x.probabilities[of] > 0 {
		w.loss.AddLate(1, int8(2*o.Label-1), [2]int8{1, 1}, 1, false)
		w.loss.AddProbability(x.probabilities[of])
	}
}

func (w *lateWorld) learn(o *journal.Outcome) {
	w.seq++
	if o.Scored && !o.Untrained {
		w.count(o.Of, w.last.now)
	}
	w.Learn(o, w.proc)
}

// label learns a label record whose example waits.
func (w *lateWorld) label(r *topics.Record) {
	d, err := event.NewLabels(w.config.Late.Decode, false)
	if err != nil {
		w.Fatal(err)
	}
	var e event.Example
	d.Decode(r, nil, &e)
	id := (&labels.Identifier{}).ID(&e, r)
	verdict, x := w.Waiting.Find(id, labels.LabelOf(&e))
	if verdict != labels.Waits {
		return
	}
	k, _ := w.Features(x)
	o, rejected := w.MakeLabelled(x, k, &LabelRecord{Record: r, Example: &e}, w.proc)
	if rejected != nil {
		w.Fatal(rejected)
	}
	w.learn(o)
}

// save saves all, and returns the sections of one learner, as if it ran alone.
func (w *lateWorld) save(name string) map[string][]byte {
	w.Helper()
	h := &model.Header{Config: w.config, Seq: w.seq, Family: w.proc.Family}
	h.SetModelState(w.proc)
	h.Late = w.State()
	if _, err := model.Save(w.store, h, w.proc, w.Snapshot()()...); err != nil {
		w.Fatal(err)
	}
	file, _, err := w.store.Newest()
	if err != nil {
		w.Fatal(err)
	}
	out, prefix := map[string][]byte{}, ""
	if name != model.OwnName {
		prefix = "beside." + name + "."
	}
	for _, s := range file.Sections {
		own, is := strings.CutPrefix(s.Name, prefix)
		if !is || strings.HasPrefix(own, "beside.") || strings.HasPrefix(own, "labels.") || own == "contest" ||
			strings.HasPrefix(own, "published.") {
			continue
		}
		out[own], _ = file.Section(s.Name)
	}
	return out
}

// restart goes on with what was saved.
func (w *lateWorld) restart() {
	w.Helper()
	file, _, err := w.store.Newest()
	if err != nil {
		w.Fatal(err)
	}
	h, proc, err := model.Read(file)
	if err != nil {
		w.Fatal(err)
	}
	w.proc = proc
	if w.config.Decode.Task == "" {
		if _, err := proc.SliceBy(&w.config, []string{"y"}); err != nil {
			w.Fatal(err)
		}
	}
	was := w.Labels
	if w.Labels, err = New(&w.config, worldLimits, &w.counts); err != nil {
		w.Fatal(err)
	}
	w.SetMemory(1<<20, nil)
	if err := w.Restore(h.Late, file); err != nil {
		w.Fatal(err)
	}
	w.Cache, w.kept, w.keptBytes = was.Cache, was.kept, was.keptBytes // a daemon reads the input again
}

// TestChallengersWithLaterLabels: what waits keeps each challenger's prediction. So their weights, calibrations, cuts
// and figures are those of a model that runs each alone, whatever waits, is evicted and comes again.
func TestChallengersWithLaterLabels(t *testing.T) {
	t.Parallel()
	for _, task := range []string{"", event.Multiclass} {
		t.Run(task, func(t *testing.T) {
			t.Parallel()
			o := event.Defaults(event.JSON)
			o.Bits, o.Task = 8, task
			config := model.Config{Hash: model.HashName, Decode: o,
				Learner: learner.Spec{Learner: "perceptron", Scale: "standard", Bits: 8}.WithDefaults(),
				Late:    &model.LateLabels{Join: model.JoinID, Decode: o}}
			texts := []string{"pa1 scale:none", "logistic"}
			if task == "" {
				texts = []string{"pa1 scale:none decide:cost=fp:1,fn:5", "arow decide:precision=0.6",
					"averaged decide:recall=0.7", "perceptron", "logistic", "c6=pa1 calibrate:platt"}
			}
			for i, text := range texts {
				c, err := config.ParseChallenger(text, i+1, learner.ParseLearner)
				if err != nil {
					t.Fatal(err)
				}
				config.Challengers = append(config.Challengers, c)
			}
			testLateChallengers(t, config)
		})
	}
}

func testLateChallengers(t *testing.T, config model.Config) {
	all, alone := newWorld(t, config), map[string]*lateWorld{}
	for _, name := range config.Learners() {
		alone[name] = newWorld(t, config.Of(name))
	}
	all.alone = alone
	r := rand.New(rand.NewPCG(3, 8))
	for n := range 3000 {
		id, label := n, []string{"-1", "1"}[r.IntN(2)]
		if config.Decode.Task != "" {
			label = fmt.Sprintf(`"c%d"`, r.IntN(3))
		}
		text := fmt.Sprintf(`{"id":%d,"features":{"x":%v,"y":%d}}`, id, r.NormFloat64(), r.IntN(9))
		if r.IntN(4) == 0 {
			text = strings.Replace(text, `"features"`, `"label":`+label+`,"features"`, 1)
		}
		record := &topics.Record{Offset: int64(n), Timestamp: int64(1000 * n), Value: []byte(text)}
		later := &topics.Record{Offset: int64(n), Timestamp: int64(1000 * n),
			Value: fmt.Appendf(nil, `{"id":%d,"label":%s}`, r.IntN(n+1)/2+n/2, label)}
		each := func(w *lateWorld) {
			w.predict(record)
			if r := later; n > 2 {
				w.label(r)
			}
		}
		if n%97 == 96 { // what waits keeps what was published
			name := config.Learners()[r.IntN(len(config.Learners()))]
			if err := all.proc.Promote(name, all.seq+1, record.Timestamp); err != nil {
				t.Fatal(err)
			}
		}
		for _, w := range alone {
			each(w)
		}
		each(all)
		if n%250 != 249 {
			continue
		}
		for name, w := range alone {
			got, want := all.save(name), w.save(model.OwnName)
			for section := range want {
				if !bytes.Equal(got[section], want[section]) {
					t.Errorf("after %d events, %s: %s is %.200s, want %.200s", n, name, section, got[section],
						want[section])
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s has %d sections, want %d", name, len(got), len(want))
			}
		}
		if r := all.proc.Report(); r.Examples != all.scored || r.Mistakes != all.mistakes {
			t.Errorf("%d mistakes of %d, want %d of %d published", r.Mistakes, r.Examples, all.mistakes, all.scored)
		}
		if got, want := all.proc.Report().LogLoss, all.loss.Report().LogLoss; got != want && config.Decode.Task == "" {
			t.Errorf("the log-loss of what was published is %v, want %v", got, want)
		}
		if t.Failed() {
			return
		}
		all.restart()
	}
	text, err := json.Marshal(all.counts.Outcomes)
	if err != nil || all.counts.Outcomes["labelled"] < 300 || all.counts.Outcomes["evicted"] < 300 {
		t.Errorf("%s, %v", text, err)
	}
}
