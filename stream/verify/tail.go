package verify

import (
	"fmt"
	"math"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// tail is a partition of the output as a stream of answers.
type tail struct {
	feed      *feed
	partition int32
	from      int64
	firm      int64 // answers below it stood there when the audit began: they are audited
	cut       bool  // it is read from where the checkpoint ends
	trimmed   bool  // the log no longer holds all that is needed
	have      bool
	head      answer // if have
	met       bool   // an answer of the audited part was met
	dry       bool   // at the end
}

// openTails begins to read the output.
func (a *auditor) openTails() {
	for p, b := range a.top.Output.Partitions {
		need := at(a.From.Ends.Output, p, 0)
		t := &tail{partition: int32(p), from: max(need, b.Start), firm: a.firm[p], cut: p < len(a.From.Ends.Output), trimmed: b.Start > need}
		t.feed = a.open(topics.Output, t.partition, t.from, b.End)
		a.tails = append(a.tails, t)
	}
}

// fill makes head the partition's next answer. Records that are no answers of this model are told and passed.
func (a *auditor) fill(t *tail) error {
	for !t.have && !t.dry {
		ok, err := t.feed.more()
		if err != nil {
			return err
		}
		if !ok {
			t.dry = true
			return nil
		}
		head := t.feed.now.answers[t.feed.i]
		switch {
		case head.foreign != "":
			a.foreign(t, head)
			t.feed.i++
		case !t.met && !t.cut && head.seq <= a.From.Seq: // from before the checkpoint
			t.feed.i++
		default:
			t.have, t.met, t.head = true, true, head
		}
	}
	return nil
}

func (a *auditor) foreign(t *tail, head answer) {
	offset := t.feed.record().Offset
	if offset >= t.firm {
		return // of the next audit
	}
	a.found(1, Finding{Kind: Foreign, Output: a.outputPlace(t.partition, offset),
		What: fmt.Sprintf("%s: somebody else writes to this topic, which is for answers of model %s alone", head.foreign, a.Model)})
}

func (t *tail) offset() int64 { return t.feed.record().Offset }

// due tells whether the partition's next answer is to be audited.
func (t *tail) due() bool { return t.have && t.offset() < t.firm }

// take passes the head.
func (t *tail) take() {
	t.have = false
	t.feed.i++
}

// next returns the partition with the next answer by seq; nil when all that is to be audited was.
func (a *auditor) next() (*tail, error) {
	if t := a.latest; t != nil { // answers come in batches
		if err := a.fill(t); err != nil {
			return nil, err
		}
		if t.due() && t.head.seq == a.result.Seq+1 {
			return t, nil
		}
	}
	var first *tail
	due := false
	for _, t := range a.tails {
		if err := a.fill(t); err != nil {
			return nil, err
		}
		due = due || t.due()
		if t.have && (first == nil || t.head.seq < first.head.seq) {
			first = t
		}
	}
	if !due {
		return nil, nil
	}
	a.latest = first
	return first, nil
}

// keptFrom is the seq from which on the output holds every answer, as far as its partitions' starts tell: 0 where
// nothing of what is needed was deleted.
func (a *auditor) keptFrom() (seq int64, trimmed *tail) {
	for _, t := range a.tails {
		first := int64(math.MaxInt64)
		if t.have {
			first = t.head.seq
		}
		if t.trimmed && first > seq {
			seq, trimmed = first, t
		}
	}
	return seq, trimmed
}

// checkKept is the stop for an audit whose first answers were deleted.
func (a *auditor) checkKept(missing int64) error {
	seq, t := a.keptFrom()
	if missing >= seq {
		return nil
	}
	what := fmt.Sprintf("topic %s partition %d begins at offset %d: the answer of seq %d, which is needed, is no longer kept", a.top.Output.Name,
		t.partition, t.from, missing)
	do := "give --from-checkpoint FILE, of a checkpoint that is newer than the newest answer deleted"
	if seq != math.MaxInt64 {
		do = fmt.Sprintf("give --from-checkpoint FILE, of a checkpoint of seq %d or later: the seq is in its name", seq-1)
	}
	return stop(stops.JournalGone, what, do)
}
