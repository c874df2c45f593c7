package verify

import (
	"math"
	"slices"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/walk"
)

// labelPartition is a partition of the labels topic. Its records are passed as soon as what became of them can have
// become of them: at any moment of the journal all that the daemon has read is passed, and maybe more.
type labelPartition struct {
	walk.Labels
	begin       int64 // of the audit; Unknown before the first outcome is known
	pos         int64 // every record below it is accounted for
	stable      int64 // of the log: there are no committed records from it on
	end         int64 // of the log
	deadLetters map[int64]deadLabel
	silent      deadSet     // records passed that left nothing in the topics: see endedByPassed
	again       walk.Labels // reads such records
	unkept      int64       // dead letters of records below may be gone
	time        labelTime

	record  *topics.Record // the next one, once peek has returned true
	example *event.Example
	id      labels.ID
	watches bool       // late.watched has it under id
	lacks   *schema.ID // without which it cannot be decoded; nobody has read it yet, perhaps
	judged  bool       // the next record is: it is not passed meanwhile
	blind   bool       // since the last outcome, a record was passed that may have had a dead letter: nobody knows when

	refusable bool // the model may be to refuse the next record: it was asked
}

// deadLabel is a dead letter of a label record.
type deadLabel struct {
	reason event.Reason
	epoch  int32 // of the process that wrote it
}

// labelPartitions are those of the labels topic, none without later labels.
func (a *auditor) labelPartitions() []*labelPartition {
	if a.late == nil {
		return nil
	}
	return a.late.partitions
}

func (a *auditor) openLabelPartition(l *outcomeAudit, p int, b topics.Bounds) *labelPartition {
	reads := walk.Labels{Partition: int32(p), Most: walk.Many(len(a.top.Labels.Partitions)), Decoder: l.labels,
		IDs: &l.ids, Open: func(from int64) topics.Reader { return a.Open(topics.Labels, int32(p), from) }}
	x := &labelPartition{Labels: reads, again: reads, begin: at(a.From.LabelPositions, p, b.Start), stable: b.Stable,
		end: b.End, deadLetters: map[int64]deadLabel{}, silent: deadSet{}, time: newLabelTime()}
	if x.begin != Unknown {
		x.beginAt(max(x.begin, b.Start))
	}
	if c := a.From.LabelTime; c != nil && p < len(c.Highest) {
		x.time.resume(c.Highest[p])
	}
	return x
}

// beginAt begins to read a partition.
func (p *labelPartition) beginAt(from int64) { p.begin, p.pos = from, from }

// peek makes the next record available; false at the end, and before it is known where the model began.
func (a *auditor) peek(p *labelPartition) (bool, error) {
	if p.record != nil || p.begin == Unknown {
		return p.record != nil, nil
	}
	r, err := p.Head(a.ctx, p.pos, p.stable)
	if r == nil {
		return false, err
	}
	_, dead := p.deadLetters[r.Offset]
	p.lacks = nil
	//mutation:schema-of-a-verified-label
	if !dead && r.Offset >= p.unkept {
		//mutation:schema-of-a-label-ahead
		p.lacks = a.unknownSchema(&a.From.Config.Late.Decode, r, p.Label().Example, p.Again)
	}
	p.record, p.example, p.id = r, p.Label().Example, p.ID()
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
		if !p.refusable {
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
		case p.lacks != nil:
			a.lack(p.lacks)
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
	p.Take()
	p.record, p.refusable = nil, false
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
