package replay

import (
	"fmt"
	"math"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// Labels says how label records are joined with their events. The source supplies them in between, ordered by time.
type Labels struct {
	labels.Limits
	Decode event.Options // how label records are read
	ByKey  bool          // ids are the records' keys
	Assume string        // the label that silence means; empty for none
	// Journal says that the source is a journal, whose outcomes say what label records do.
	Journal bool
	// Partitions are those of the labels that hold records; nil when there are none.
	Partitions []int32
	// Partial says that not all events are read: a label without an event may be of one of the others.
	Partial bool
	// UnitKnown says that timestamps are times of a file, whose unit is told: they are not taken for seconds.
	UnitKnown bool
	// Where names a label record for people.
	Where func(partition int32, r *topics.Record) string
}

// Joined is what became of label records, and of the examples that waited for them.
type Joined struct {
	Records  int64                    // label records, rejected and skipped ones too
	Outcomes map[labels.Outcome]int64 // of examples
	Waiting  int64                    // examples without an outcome at the end
	NoID     int64                    // events with neither a label nor an id
	Repeats  int64                    // labels that their events had already
	Outside  int64                    // labels of events that are not read, or of none; with Partial alone
	Refused  int64                    // labels of events that were rejected: they are among Rejected
	Delays   labels.Delays            // of the labels with an outcome
	Rejected map[event.Reason]int64   // label records
	Rejects  []*Rejected              // the first of them
	First    map[event.Reason]Reject  // the first of each reason
	Skipped  int64                    // null values
	TooLate  []labels.LateShare       // labels of which many records came when their events no longer waited
	Limits   labels.Limits            // of what waited
	Events   labels.IDKinds           // of events
	Labels   labels.IDKinds           // of label records
}

// step is what every learner does next: predict a record of the block, or end the waiting of an example.
type step struct {
	i       int32          // the record, or the label record
	number  int64          // of the example that waits; 0 if it does not
	outcome labels.Outcome // 0 to predict
	kept    *labels.Kept   // of an outcome that is learned
	label   *event.Example // likewise

	duplicate bool // of a prediction: its id waits or is settled
}

// joiner decides what label records do, once for all learners. If a learner rejects an event or a label (overflow,
// classes), the others' outcomes stay.
type joiner struct {
	*Labels
	ids     labels.Identifier
	waiting *labels.Waiting
	clock   labels.Clock
	cache   labels.Cache
	assumed event.Example // the label of Assume
	seq     int64         // of predictions and outcomes
	steps   []step        // of the current block
	open    int64         // examples that wait, of a journal
	late    labels.Lateness
	ended   map[labels.ID]int64 // times of examples whose waiting ended without a label, of some at most
	refused map[labels.ID]bool  // ids of rejected events, of some at most
	joined  Joined
}

func newJoiner(l *Labels, d *event.Decoder) (j *joiner, err error) {
	j = &joiner{Labels: l, ids: labels.Identifier{ByKey: l.ByKey}, waiting: labels.New(l.Limits),
		cache: labels.Cache{Limit: math.MaxInt64}}
	for _, p := range l.Partitions {
		j.clock.Hold(p)
	}
	j.joined.Outcomes, j.joined.Rejected = map[labels.Outcome]int64{}, map[event.Reason]int64{}
	j.joined.First, j.ended = map[event.Reason]Reject{}, map[labels.ID]int64{}
	j.refused = map[labels.ID]bool{}
	if l.Assume != "" {
		if j.assumed, err = d.ReadLabel(l.Assume); err != nil {
			return nil, fmt.Errorf("assumed label: %w", err)
		}
	}
	return j, nil
}

// join returns the steps of a block.
func (j *joiner) join(b *Block) []step {
	if j.Journal {
		return j.follow(b)
	}
	j.steps = make([]step, 0, len(b.Records)+2*len(b.Labels)) // the learners' goroutines have that of the last block
	at := 0
	for i := range b.Records {
		for ; at < len(b.Labels) && int(b.Before[at]) <= i; at++ {
			j.label(b, at)
		}
		j.event(b, i)
	}
	for ; at < len(b.Labels); at++ {
		j.label(b, at)
	}
	return j.steps
}

func (j *joiner) event(b *Block, i int) {
	e, r, number, duplicate := &b.Examples[i], &b.Records[i], int64(0), false
	id := j.ids.ID(e, r)
	named := id != labels.ID{}
	j.ids.NoteKind(&j.joined.Events, e, r)
	switch {
	case e.Rejected != nil:
		//mutation:label-of-a-rejected-event
		if named && len(j.refused) < mostEnded {
			j.refused[id] = true
		}
	case e.Skip:
	case e.Label != 0 || e.Class != nil:
		j.seq++
		if named {
			j.waiting.Own(id, labels.LabelOf(e))
		}
	case !named:
		j.seq++
		j.joined.NoID++
	default:
		j.seq++
		x := labels.Example{ID: id, Seq: j.seq, Offset: r.Offset, Time: r.Timestamp, Since: r.Timestamp}
		if j.waiting.Add(x) {
			j.count(labels.Duplicate)
			duplicate = true
			break
		}
		number = j.seq
		j.cache.Put(number, e, b.Features(i), r)
	}
	j.steps = append(j.steps, step{i: int32(i), number: number, duplicate: duplicate})
	j.due()
}

// due ends the waiting of all examples that have waited long enough, or that are too many.
func (j *joiner) due() {
	for {
		x, outcome := j.waiting.Due(&j.clock, j.Assume != "")
		if outcome == 0 {
			return
		}
		if outcome == labels.Assumed {
			j.end(step{}, x, outcome, &j.assumed)
		} else {
			j.end(step{}, x, outcome, nil)
		}
	}
}

// end ends the waiting of an example, with a label if one is learned.
func (j *joiner) end(s step, x *labels.Example, outcome labels.Outcome, label *event.Example) {
	s.number, s.outcome = x.Seq, outcome
	learned := labels.Label(0)
	if kept, ok := j.cache.Take(x.Seq); ok && label != nil {
		s.kept, s.label, learned = &kept, label, labels.LabelOf(label)
	}
	j.steps = append(j.steps, s)
	if label == nil || outcome == labels.Assumed {
		j.endWithout(x)
	}
	j.waiting.End(x, outcome, learned)
	j.count(outcome)
}

func (j *joiner) count(o labels.Outcome) {
	j.seq++
	j.joined.Outcomes[o]++
}

// label lets a label record act, and then moves label time.
func (j *joiner) label(b *Block, i int) {
	e, r := &b.labels.Examples[i], &b.Labels[i]
	j.joined.Records++
	switch {
	case e.Skip:
		j.joined.Skipped++
	case e.Rejected != nil:
		j.reject(b, i, e.Rejected)
	default:
		j.ids.NoteKind(&j.joined.Labels, e, r)
		j.act(b, i)
	}
	j.clock.Pass(b.labelPartition(i), r.Timestamp, math.MaxInt64)
	j.due()
}

func (j *joiner) act(b *Block, i int) {
	e, r := &b.labels.Examples[i], &b.Labels[i]
	id := j.ids.ID(e, r) // the decoder requires one
	switch verdict, x := j.waiting.Find(id, labels.LabelOf(e)); verdict {
	case labels.Waits:
		j.joined.Delays.Add(r.Timestamp - x.Time)
		j.late.Add(&j.Decode, e, labels.Labelled, max(0, r.Timestamp-x.Time))
		j.end(step{i: int32(i)}, x, labels.Labelled, e)
	case labels.Repeat:
		j.joined.Repeats++
	case labels.Conflicting:
		j.reject(b, i, verdict.Error(false))
	default:
		j.unmatched(b, i, id, verdict)
	}
}

// unmatched handles a label record whose event does not wait.
func (j *joiner) unmatched(b *Block, i int, id labels.ID, verdict labels.Verdict) {
	e, r := &b.labels.Examples[i], &b.Labels[i]
	//mutation:unit-of-a-file
	inSeconds := !j.UnitKnown && labels.InSeconds(r.Timestamp)
	switch {
	case verdict == labels.NoExample && j.refused[id]:
		j.joined.Refused++
		j.reject(b, i, labels.OfRejected)
		return
	//mutation:outside-the-range
	case verdict == labels.NoExample && j.Partial:
		j.joined.Outside++
		return
	case verdict == labels.Late && !inSeconds:
		j.tooLate(id, e, r)
	}
	j.reject(b, i, verdict.Error(inSeconds))
}

// mostEnded bounds the memory for the times of examples whose label may come too late, and for ids of rejected events.
const mostEnded = 1 << 20

// endWithout notes the time of an example whose waiting ends without a label.
func (j *joiner) endWithout(x *labels.Example) {
	if len(j.ended) < mostEnded {
		j.ended[x.ID] = x.Time
	}
}

// tooLate counts a label whose event no longer waited.
func (j *joiner) tooLate(id labels.ID, e *event.Example, r *topics.Record) {
	ms := int64(-1)
	if time, known := j.ended[id]; known {
		ms = max(0, r.Timestamp-time)
		delete(j.ended, id)
	}
	j.late.Add(&j.Decode, e, j.waiting.Ended(id), ms)
}

func (j *joiner) reject(b *Block, i int, why *event.Error) {
	if j.joined.Rejected[why.Reason]++; j.joined.Rejected[why.Reason] == 1 {
		j.joined.First[why.Reason] = newReject(why, b.Labels[i].Value)
	}
	if len(j.joined.Rejects) < keptRejects {
		j.joined.Rejects = append(j.joined.Rejects, NewRejected(j.where(b, i), b.Labels[i].Value, why))
	}
}

func (l *Labels) where(b *Block, i int) string { return l.Where(b.labelPartition(i), &b.Labels[i]) }

func (j *joiner) result() *Joined {
	j.joined.TooLate, j.joined.Limits = j.late.TooLate(1), j.Limits
	j.joined.Waiting = j.open + int64(j.waiting.Len())
	return &j.joined
}
