package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/walk"
)

// Audit says what is audited. Fill the fields, then call Run once.
type Audit struct {
	Log      topics.Log
	Model    string // whose predictions the output holds
	From     Start
	Floor    *Floor             // nil: what is missing behind the last predictions is not known
	Labels   state.LabelsConfig // as given to run: the lowest wait and bound of examples, the highest of settled ids
	LimitsOf int64              // the epoch of the checkpoint that has the limits in Labels; 0: of none

	// Ask asks once for a schema that events name and From.Config.Decode.Schemas lacks; nil where nobody is asked.
	Ask func(context.Context, schema.ID) (*schema.Schema, error)

	// Moved, when not nil, is called from time to time, by the goroutine of Run, with the progress in offsets of the
	// output.
	Moved func(done, total int64)
}

// auditor is an audit under way, in Run's goroutine.
type auditor struct {
	Audit
	ctx     context.Context
	ahead   *readahead.Group
	opening sync.Mutex

	top     *topics.Topology // with the second ends
	stable  topics.Ends      // the first ends
	outputs []*output        // of the output, then of the outcomes
	entries *walk.Journal    // of outputs
	inputs  []*input
	late    *outcomeAudit // nil without later labels

	encoder  *journal.PredictionEncoder
	epoch    int64  // of encoder
	flight   int64  // seq of the first entry of the newest prediction's flight; 0: that has one batch
	before   int64  // the highest epoch before that flight
	computed []byte // by encoder
	highest  int64  // seq
	holes    []*hole
	sought   map[Place]sought // by the place of the record
	kept     map[Kind]int     // findings of each kind, counted one by one
	result   Result
	lacking  []schema.ID // without which predictions cannot be computed
	asked    []schema.ID // the registry was asked for these

	concluding bool // every prediction was audited
}

// Run audits what the topics hold now. The error is a *stops.Error where a topic no longer holds what is needed, the
// log's, or the context's; beside a stop the result has the seq that was reached. It returns when every goroutine has
// ended.
func (t Audit) Run(ctx context.Context) (*Result, error) {
	work, halt := context.WithCancel(ctx)
	a := &auditor{Audit: t, ctx: work, highest: t.From.Seq,
		sought: map[Place]sought{}, kept: map[Kind]int{},
		result: Result{Model: t.Model, After: t.From.Seq, Seq: t.From.Seq, Floor: t.Floor,
			Counts: map[Kind]int64{}, Findings: []*Finding{}, NotAudited: []Range{}}}
	a.Log.Skip(nil)
	err := a.run()
	halt()
	if a.ahead != nil {
		a.ahead.Close()
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return &a.result, explain(err)
	}
	a.result.Findings = slices.DeleteFunc(a.result.Findings, func(f *Finding) bool { return f.settled })
	return &a.result, nil
}

func (a *auditor) run() error {
	if err := a.readEnds(); err != nil {
		return err
	}
	if err := a.readAhead(); err != nil {
		return err
	}
	a.openOutput()
	a.openInputs()
	if err := a.openLabels(); err != nil {
		return err
	}
	if err := a.notAudited(); err != nil {
		return err
	}
	e, err := a.next()
	if err != nil {
		return err
	}
	if err := a.checkFirst(); err != nil {
		return err
	}
	a.readInputs()
	if err := a.readDeadLetters(); err != nil {
		return err
	}
	if err := a.advanceAll(); err != nil {
		return err
	}
	for n := 0; e != nil; n++ {
		if n&1023 == 0 {
			a.moved()
			if err := a.ctx.Err(); err != nil {
				return err // what was read ahead needs no context
			}
		}
		if err := a.judge(e); err != nil {
			return err
		}
		a.entries.Last = a.result.Seq
		if e, err = a.next(); err != nil {
			return err
		}
	}
	a.moved()
	if len(a.lacking) == 0 {
		if err := a.conclude(); err != nil {
			return err
		}
	}
	if len(a.lacking) > 0 {
		return &LackingSchemas{a.lacking}
	}
	return a.locate()
}

// checkFirst stops where the first predictions show that something needed was deleted.
func (a *auditor) checkFirst() error {
	none := true
	for _, e := range a.entries.Heads() {
		none = none && e == nil
		if e == nil || e.Outcome != nil || int(e.Partition) >= len(a.inputs) {
			continue
		}
		in := a.inputs[e.Partition]
		if in.begin == Unknown {
			in.begin, in.pos = e.Offset, e.Offset
		}
		if e.Offset < in.start {
			return stop(stops.InputGone, fmt.Sprintf("topic %s partition %d begins at offset %d, and the prediction of"+
				" seq %d is of offset %d: the record is no longer kept",
				a.top.Input.Name, in.Number, in.start, e.Seq, e.Offset),
				fmt.Sprintf("give --from-checkpoint FILE, of a checkpoint whose position in partition %d is %d"+
					" or more: rosenblatt inspect shows it", in.Number, in.start))
		}
	}
	if none {
		return a.checkKept(a.From.Seq + 1)
	}
	return nil
}

func (a *auditor) moved() {
	if a.Moved == nil {
		return
	}
	var done, total int64
	for i, e := range a.entries.Heads() {
		o := a.outputs[i]
		now := o.stable
		if e != nil {
			now = min(now, e.Record.Offset)
		}
		total += max(0, o.stable-o.From)
		done += max(0, now-o.From)
	}
	a.Moved(done, total)
}

// explain words the stops of a log for an audit.
func explain(err error) error {
	var s *stops.Error
	if !errors.As(err, &s) || s.Safe == readOnly {
		return err
	}
	do := "run verify again; if it stays so, restore the topic"
	switch s.Name {
	case stops.InputGone, stops.JournalGone, stops.DeadLettersGone:
		do = "records were deleted while they were read: give --from-checkpoint FILE, of a later checkpoint"
	case stops.BadBatch:
		do = "restore the batch; or, if it is of the input and a daemon passed it with --skip, give its --state, or" +
			" the same --skip"
	}
	return stop(s.Name, s.What, do)
}
