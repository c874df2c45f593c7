package verify

import (
	"context"
	"fmt"
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// output is a partition of a topic of the journal as a journal.Source.
type output struct {
	entries   readahead.Entries
	topic     topics.Topic
	partition int32
	from      int64
	stable    int64 // predictions below it are audited
	after     int64 // leading predictions up to this seq are of before the checkpoint
	first     int64 // the seq of the first prediction that was read
	trimmed   bool  // the log no longer holds all that is needed
	entry     *journal.Entry
}

func (a *auditor) openOutput() {
	var sources []journal.Source
	for _, t := range a.top.Journal() {
		ends, stable := *a.From.Ends.Of(t), *a.stable.Of(t)
		for p, b := range a.top.Of(t).Partitions {
			need := at(ends, p, 0)
			o := &output{topic: t, partition: int32(p), from: max(need, b.Start), stable: stable[p],
				trimmed: b.Start > need, first: math.MaxInt64}
			if p >= len(ends) {
				o.after = a.From.Seq
			}
			o.entries.Cursor = a.read(t, o.partition, o.from, b.End)
			a.outputs = append(a.outputs, o)
			sources = append(sources, o)
		}
	}
	a.entries = journal.NewReader(a.From.Seq, sources...)
	a.entries.Settled = a.audited
}

// Next implements journal.Source.
func (o *output) Next(ctx context.Context) (_ *journal.Entry, err error) {
	for {
		if o.entry, err = o.entries.Next(ctx); o.entry == nil {
			return nil, err
		}
		if o.entry.Kind == journal.Foreign || o.entry.Seq > o.after {
			break
		}
	}
	if o.entry.Kind != journal.Foreign {
		o.after = 0
		if o.first == math.MaxInt64 {
			o.first = o.entry.Seq
		}
	}
	return o.entry, nil
}

// Position implements journal.Source.
func (o *output) Position() int64 {
	if o.entry != nil {
		return o.entry.Record.Offset + 1
	}
	return o.stable
}

func (a *auditor) audited(e *journal.Entry) bool {
	return e.Record.Offset < (*a.stable.Of(e.Topic))[e.Output]
}

// next returns the next prediction by seq that is to be audited; nil at the end, and where the last flight lacks one
// above the floor: that may still be on its way, or is left to the next takeover.
func (a *auditor) next() (*journal.Entry, error) {
	for {
		e, err := a.entries.Next(a.ctx)
		switch {
		case err != nil || e == nil:
			return nil, err
		case e.Kind == journal.Foreign:
			a.foreign(e)
			continue
		case e.Order == journal.Missing:
			if a.Floor == nil || e.Seq > a.Floor.Seq {
				return nil, nil
			}
			if err := a.lost(e); err != nil {
				return nil, err
			}
			continue
		}
		return e, nil
	}
}

// foreign is a finding about a record that is no prediction of this model, unless it is of the next audit.
func (a *auditor) foreign(e *journal.Entry) {
	if !a.audited(e) {
		return
	}
	a.found(1, Finding{Kind: Foreign, Output: a.outputPlace(e),
		What: fmt.Sprintf("%v: another program writes to this topic, which is for model %s alone",
			e.Why, a.Model)})
}

// keptFrom is the seq from which on the output holds every prediction, as far as its partitions' starts show: 0 where
// nothing that is needed was deleted.
func (a *auditor) keptFrom() (seq int64, trimmed *output) {
	for _, o := range a.outputs {
		if o.trimmed && o.first > seq {
			seq, trimmed = o.first, o
		}
	}
	return seq, trimmed
}

// checkKept is the stop for an audit whose first predictions were deleted.
func (a *auditor) checkKept(missing int64) error {
	seq, o := a.keptFrom()
	if missing >= seq {
		return nil
	}
	what := fmt.Sprintf("topic %s partition %d begins at offset %d: seq %d, which is needed, is no longer kept",
		a.top.Of(o.topic).Name, o.partition, o.from, missing)
	do := "give --from-checkpoint FILE, of a checkpoint that is newer than the newest prediction deleted"
	if seq != math.MaxInt64 {
		do = fmt.Sprintf("give --from-checkpoint FILE, of a checkpoint of seq %d or later: the seq is in its name",
			seq-1)
	}
	return stop(stops.JournalGone, what, do)
}
