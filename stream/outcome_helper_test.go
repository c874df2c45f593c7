package stream_test

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// settler ends the waiting of predictions at random moments, in ways that only the journal tells: of a kind it takes
// the lowest waiting one, or the lowest of a label partition. It learns what it labels.
type settler struct {
	r       *rand.Rand
	decoder *event.Decoder
	waiting []waiting
	repeat  *waiting // the last prediction, if it is one of a repeated id
	labels  [labelPartitions]int64
}

type waiting struct {
	seq       int64
	partition int32
	record    topics.Record
	score     float64
}

// labelPartitions is how many partitions a topic of labels would have.
const labelPartitions = 3

// label is what comes later for a record, and the partition that it comes in.
func (w *waiting) label() (text string, partition int32) {
	if bytes.Contains(w.record.Value, []byte(`"a":-`)) {
		return "-1", int32(w.record.Offset % labelPartitions)
	}
	return "1", int32(w.record.Offset % labelPartitions)
}

func newSettler(t testing.TB, s *streamtest.Setup, r *rand.Rand) *settler {
	t.Helper()
	d, err := event.New(s.Config.ModelConfig.Decode)
	if err != nil {
		t.Fatal(err)
	}
	return &settler{r: r, decoder: d}
}

// Predicted implements stream.Settler. Every eleventh record repeats an id.
func (x *settler) Predicted(seq int64, p int32, r *topics.Record, _ *event.Example, o *model.Outcome) {
	w := waiting{seq, p, topics.Record{Offset: r.Offset, Timestamp: r.Timestamp, Key: bytes.Clone(r.Key),
		Value: bytes.Clone(r.Value)}, o.Score}
	if r.Offset%11 == 5 {
		x.repeat = &w
		return
	}
	x.repeat = nil
	x.waiting = append(x.waiting, w)
}

// Make implements stream.Settler.
func (x *settler) Make(k journal.Kind, partition int32, p *model.Processor) *journal.Outcome {
	if k == journal.Foreign {
		if k, partition = x.due(); k == journal.Foreign {
			return nil
		}
	}
	w := x.find(k, partition)
	if w == nil {
		return nil
	}
	o := &journal.Outcome{Kind: k, Of: w.seq, ID: []byte(`"i"`), Key: w.record.Key, Prediction: []byte("1"),
		Score: w.score, Partition: w.partition, Offset: w.record.Offset, Time: w.record.Timestamp}
	if k.ByLabel() {
		o.LabelPartition, o.LabelOffset, o.Delay = partition, x.labels[partition], 7
	}
	if k.ByLabel() || k == journal.Assumed {
		text, _ := w.label()
		o.Label = []byte(text)
	}
	if k == journal.Labelled || k == journal.Assumed {
		now, _ := x.predict(w, p)
		o.Scored, o.ScoreNow, o.Updated, o.Mistake = true, now.Score, now.Updated, now.Mistake
	}
	return o
}

// due picks what comes next, at random.
func (x *settler) due() (journal.Kind, int32) {
	switch {
	case x.repeat != nil:
		return journal.DuplicateID, x.repeat.partition
	case len(x.waiting) == 0, len(x.waiting) < 20 && x.r.IntN(3) > 0:
		return journal.Foreign, 0
	}
	k := journal.Labelled + journal.Kind(x.r.IntN(int(journal.Evicted-journal.Labelled)+1))
	if !k.ByLabel() {
		return k, 0
	}
	_, partition := x.waiting[x.r.IntN(len(x.waiting))].label()
	return k, partition
}

func (x *settler) find(k journal.Kind, partition int32) *waiting {
	if k == journal.DuplicateID {
		return x.repeat
	}
	for i := range x.waiting {
		if _, p := x.waiting[i].label(); !k.ByLabel() || p == partition {
			return &x.waiting[i]
		}
	}
	return nil
}

// predict predicts a waiting record again, now with its label.
func (x *settler) predict(w *waiting, p *model.Processor) (*model.Outcome, *event.Error) {
	text, _ := w.label()
	value := strings.Replace(string(w.record.Value), `"label":null`, `"label":`+text, 1)
	var e event.Example
	arena := x.decoder.Decode(w.record.Key, []byte(value), nil, &e)
	return p.Predict(&e, e.Features(arena))
}

// Settled implements stream.Settler.
func (x *settler) Settled(o *journal.Outcome, p *model.Processor) {
	if o.Scored {
		w := x.find(o.Kind, o.LabelPartition)
		now, _ := x.predict(w, p)
		p.Learn(&w.record, now)
	}
	x.settled(o)
}

func (x *settler) settled(o *journal.Outcome) {
	if o.Kind.ByLabel() {
		x.labels[o.LabelPartition]++
	}
	if o.Kind == journal.DuplicateID {
		x.repeat = nil
	}
	x.waiting = slices.DeleteFunc(x.waiting, func(w waiting) bool { return w.seq == o.Of })
}

// late makes a setup whose events have no labels, with an outcomes topic.
func late(t testing.TB, partitions, outcomes int) *streamtest.Setup {
	t.Helper()
	s := streamtest.New(t, streamtest.Start(t), partitions)
	s.Kafka.Outcomes = s.Name + ".outcomes"
	s.Cluster.Topic(t, s.Kafka.Outcomes, outcomes)
	return s
}

func unlabelled(seed uint64, n int) []string {
	all := events(seed, n)
	for i, e := range all {
		all[i] = strings.NewReplacer(`"label":1`, `"label":null`, `"label":-1`, `"label":null`).Replace(e)
	}
	return all
}

// settle makes the outcomes of a setup's tasks, each with decisions of its own.
func settle(t testing.TB, s *streamtest.Setup, task *stream.Task, seed uint64) {
	stream.Settle(task, func(seq int64) (stream.Settler, error) {
		x := newSettler(t, s, rand.New(rand.NewPCG(seed, uint64(seq))))
		entries, input := entriesOf(t, s)
		for _, e := range entries {
			switch {
			case e.Seq > seq:
			case e.Outcome != nil:
				x.settled(e.Outcome)
			default:
				r := input[e.Partition][e.Offset]
				x.Predicted(e.Seq, e.Partition, &r, nil, &model.Outcome{Score: e.Score})
			}
		}
		return x, nil
	})
}

// entriesOf reads the journal, in the order of seq, and the input.
func entriesOf(t testing.TB, s *streamtest.Setup) (entries []journal.Entry, input []map[int64]topics.Record) {
	t.Helper()
	c := s.Client(t)
	top, err := c.Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for p, b := range top.Input.Partitions {
		input = append(input, map[int64]topics.Record{})
		for _, r := range streamtest.Read(t, c, topics.Input, int32(p), b) {
			input[p][r.Offset] = r
		}
	}
	for _, topic := range top.Journal() {
		for p, b := range top.Of(topic).Partitions {
			for _, r := range streamtest.Read(t, c, topic, int32(p), b) {
				e := journal.Parse(topic, int32(p), &r, s.Name)
				if e.Kind != journal.Foreign {
					entries = append(entries, e)
				}
			}
		}
	}
	slices.SortStableFunc(entries, func(a, b journal.Entry) int { return cmp.Compare(a.Seq, b.Seq) })
	return entries, input
}

// auditOutcomes makes the whole journal of a setup again, in the order of seq, and compares. It returns how many
// entries of each kind there are.
func auditOutcomes(t *testing.T, s *streamtest.Setup) map[journal.Kind]int {
	t.Helper()
	entries, input := entriesOf(t, s)
	proc, err := s.Config.NewProcessor()
	if err != nil {
		t.Fatal(err)
	}
	x, kinds := newSettler(t, s, nil), map[journal.Kind]int{}
	next := make([]int64, len(input))
	for i := range entries {
		e := &entries[i]
		if e.Seq != int64(i+1) {
			t.Fatalf("seq %d where %d is due", e.Seq, i+1)
		}
		kinds[e.Kind]++
		if e.Outcome == nil {
			if e.Offset < next[e.Partition] {
				t.Fatalf("seq %d: offset %d after %d", e.Seq, e.Offset, next[e.Partition])
			}
			next[e.Partition] = e.Offset + 1
			predictAgain(t, x, proc, e, input[e.Partition][e.Offset])
			continue
		}
		o := x.Make(e.Kind, e.Outcome.Run().Partition, proc)
		if o == nil {
			t.Fatalf("seq %d: no prediction waits for the outcome %v", e.Seq, e.Kind)
		}
		want := journal.NewOutcomeEncoder(s.Name, e.Epoch).Append(nil, o, e.Seq)
		if !bytes.Equal(e.Record.Value, want) || !bytes.Equal(e.Record.Key, o.Key) {
			t.Fatalf("seq %d is\n%s, made again\n%s", e.Seq, e.Record.Value, want)
		}
		x.Settled(o, proc)
	}
	return kinds
}

func predictAgain(t *testing.T, x *settler, proc *model.Processor, e *journal.Entry, r topics.Record) {
	t.Helper()
	var ex event.Example
	arena := x.decoder.Decode(r.Key, r.Value, nil, &ex)
	o, rejected := proc.Predict(&ex, ex.Features(arena))
	if rejected != nil || o.Score != e.Score {
		t.Fatalf("seq %d: score %v, computed again %v, %v", e.Seq, e.Score, o.Score, rejected)
	}
	x.Predicted(e.Seq, e.Partition, &r, &ex, o)
	proc.Learn(&r, o)
}

// allPredicted checks that every record of the input is predicted or dead-lettered.
func allPredicted(t *testing.T, s *streamtest.Setup, kinds map[journal.Kind]int) {
	t.Helper()
	_, input := entriesOf(t, s)
	records := 0
	for _, p := range input {
		records += len(p)
	}
	if got := kinds[journal.Predicted] + len(rawDeadLetters(t, s)); got != records {
		t.Errorf("%d of %d records are predicted or dead-lettered", got, records)
	}
	for k := journal.DuplicateID; k <= journal.Evicted; k++ {
		if kinds[k] == 0 {
			t.Errorf("no outcome is %v", k)
		}
	}
}
