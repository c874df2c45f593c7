package verify

import (
	"math"
	"slices"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// labelPartition is a partition of the labels topic. Its records are passed as soon as what became of them can have
// become of them: at any moment of the journal all that the daemon has read is passed, and maybe more.
type labelPartition struct {
	cursor      *topics.Cursor
	partition   int32
	begin       int64 // of the audit; Unknown before the first outcome is known
	pos         int64 // every record below it is accounted for
	stable      int64 // of the log: there are no committed records from it on
	end         int64 // of the log
	deadLetters map[int64]deadLabel
	silent      deadSet        // records passed that left nothing in the topics: see endedByPassed
	readAgain   *topics.Cursor // of such records; nil before the first
	unkept      int64          // dead letters of records below may be gone
	time        labelTime

	record  *topics.Record // the next one, once peek has returned true
	example event.Example
	id      labels.ID
	watches bool // late.watched has it under id
	judged  bool // the next record is: it is not passed meanwhile
	blind   bool // since the last outcome, a record was passed that may have had a dead letter: nobody knows when

	// Of a next record that the model is to have refused, but does not yet: its event, of eventSeq, which is 0 without.
	event    *labels.Kept
	eventSeq int64
}

// deadLabel is a dead letter of a label record.
type deadLabel struct {
	reason event.Reason
	epoch  int32 // of the process that wrote it
}

const labelRecords = 2048 // read at a time

// labelPartitions are those of the labels topic, none without later labels.
func (a *auditor) labelPartitions() []*labelPartition {
	if a.late == nil {
		return nil
	}
	return a.late.partitions
}

func (a *auditor) openLabelPartition(p int, b topics.Bounds) *labelPartition {
	l := &labelPartition{partition: int32(p), begin: at(a.From.LabelPositions, p, b.Start), stable: b.Stable,
		end: b.End, deadLetters: map[int64]deadLabel{}, silent: deadSet{}, time: newLabelTime()}
	if l.begin != Unknown {
		a.beginLabels(l, max(l.begin, b.Start))
	}
	if c := a.From.LabelTime; c != nil && p < len(c.Highest) {
		l.time.resume(c.Highest[p])
	}
	return l
}

// beginLabels begins to read a partition.
func (a *auditor) beginLabels(p *labelPartition, from int64) {
	p.begin, p.pos = from, from
	part := topics.Part{Partition: p.partition, From: from, To: p.stable}
	p.cursor = topics.NewCursor(a, topics.Labels, part, labelRecords)
}

// peek makes the next record available; false at the end, and before it is known where the model began.
func (a *auditor) peek(p *labelPartition) (bool, error) {
	if p.record != nil || p.cursor == nil {
		return p.record != nil, nil
	}
	r, err := p.cursor.Head(a.ctx)
	if r == nil {
		return false, err
	}
	p.record = r
	a.late.labels.Decode(r, nil, &p.example)
	if p.example.Rejected == nil && !p.example.Skip {
		p.id, _ = a.id(&p.example, r) // the decoder requires one
	}
	return true, nil
}

// advance passes records as far as what became of them can be so now.
func (a *auditor) advance(p *labelPartition) error {
	for !p.judged {
		if ok, err := a.peek(p); !ok {
			return err
		}
		f := a.fateOf(p)
		if f == undecided {
			a.watch(p)
			return nil
		}
		a.passLabel(p, f)
	}
	return nil
}

// watch has a partition advance when what is known of the id of its next record changes.
func (a *auditor) watch(p *labelPartition) {
	if !p.watches {
		a.late.watched[p.id], p.watches = append(a.late.watched[p.id], p), true
	}
}

// changed is called when what is known of an id has changed.
func (a *auditor) changed(id labels.ID) error {
	held := a.late.watched[id]
	delete(a.late.watched, id)
	for _, p := range held {
		p.watches = false
		if err := a.advance(p); err != nil {
			return err
		}
	}
	return nil
}

// advanceAll advances every partition.
func (a *auditor) advanceAll() error {
	for _, p := range a.labelPartitions() {
		if err := a.advance(p); err != nil {
			return err
		}
	}
	return nil
}

// advanceRefused advances the partitions whose next record has a dead letter of the model's: a class or a weight of
// another event may have changed what the model says.
func (a *auditor) advanceRefused() error {
	for _, p := range a.labelPartitions() {
		if p.eventSeq == 0 {
			continue
		}
		//mutation:verify-refused-later
		if err := a.advance(p); err != nil {
			return err
		}
	}
	return nil
}

// force passes all records below an offset. Those that no outcome and no dead letter explains are findings.
func (a *auditor) force(p *labelPartition, to int64) error {
	for p.pos < to {
		ok, err := a.peek(p)
		if err != nil || !ok || p.record.Offset >= to {
			return err
		}
		p.judged = true
		f := a.fateOf(p)
		switch {
		case f != undecided:
		//mutation:verify-lost-letters
		case p.lost():
			f, p.blind = unkept, true
		//mutation:verify-blind
		case p.blind && p.dead():
			f = deadLettered
		default:
			//mutation:verify-label-passed
			if err := a.unexplained(p); err != nil {
				return err
			}
		}
		p.judged = false
		a.passLabel(p, f)
	}
	return nil
}

// passLabel passes the next record, and the offsets before it that hold none.
func (a *auditor) passLabel(p *labelPartition, f fate) {
	r := a.result.Labels
	r.Gaps += p.record.Offset - p.pos
	switch f {
	case used:
		r.Used++
	case repeated:
		r.Repeats++
		p.silent.add(p.record.Offset, byModel)
	case deadLettered:
		r.DeadLetters++
		delete(p.deadLetters, p.record.Offset)
	case unkept:
		r.Unkept++
		p.silent.add(p.record.Offset, asGiven)
	case nullSkipped:
		r.Nulls++
	}
	if p.watches {
		others := slices.DeleteFunc(a.late.watched[p.id], func(q *labelPartition) bool { return p == q })
		if a.late.watched[p.id], p.watches = others, false; len(others) == 0 {
			delete(a.late.watched, p.id)
		}
	}
	p.time.pass(p.record.Timestamp, a.late.published)
	p.pos = p.record.Offset + 1
	p.cursor.Take()
	p.record, p.event, p.eventSeq = nil, nil, 0
}

// addLabelLetter notes a dead letter of a label record.
func (a *auditor) addLabelLetter(own, record *Place, d *journal.DeadLetter) {
	if int(d.Partition) >= len(a.late.partitions) || d.Offset >= a.late.partitions[d.Partition].end {
		a.found(1, Finding{Kind: NoInput, DeadLetter: own, Label: record, What: noRecord})
		return
	}
	p := a.late.partitions[d.Partition]
	p.unkept = min(p.unkept, d.Offset)
	if d.Offset < p.begin {
		return // of before, or of a record that is no longer kept
	}
	if _, twice := p.deadLetters[d.Offset]; twice {
		a.found(1, Finding{Kind: Duplicate, DeadLetter: own, Label: record, What: "a second dead letter of one record"})
		return
	}
	p.deadLetters[d.Offset] = deadLabel{d.Reason, int32(min(journal.EpochOf(d.Model), math.MaxInt32))}
}
