package stream

import (
	"context"
	"fmt"
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// completion is what the last flight lacks, made anew (PROTOCOL.md, "Recovery").
type completion struct {
	layout   *journal.Layout
	champion string // whom the flight makes the champion; empty: nobody
	encoder  *journal.PredictionEncoder
	outcomes outcomeWriter
	limits   flightLimits
	pieces   []*flight                  // the end of a share that does not fit into one batch is in the next one
	newest   map[topics.PartitionOf]int // the piece with its newest entry
}

// prepareCompletion prepares for that of an incomplete flight, before any of its entries is learned again: the new
// epoch's first checkpoint has to be written before the completion is published, and may not include the flight.
func (r *recovery) prepareCompletion(ctx context.Context, next *journal.Entry) error {
	st := r.st
	r.newestEpoch = max(r.newestEpoch, r.entries.Epoch)
	st.Epoch = r.nextEpoch()
	ends := r.ends()
	if next.Record != nil {
		(*ends.Of(next.Topic))[next.Output] = next.Record.Offset
	}
	r.completion = &completion{layout: next.Flight(), champion: next.FlightChampion(),
		limits:   limitsOf(r.top, math.MaxInt, len(st.Fixed.Challengers) > 0),
		encoder:  journal.NewPredictionEncoder(st.Fixed.Decode, st.Proc, r.t.Config.Model, st.Epoch),
		outcomes: outcomeWriter{journal.NewOutcomeEncoder(r.t.Config.Model, st.Epoch)},
		newest:   map[topics.PartitionOf]int{}}
	r.t.Logger.Info().Int64("seq", st.Seq).Msg("the last flight was cut off: what it lacks is made anew")
	//mutation:torn-in-folder
	_, err := r.begin(ctx, ends, r.saveInFolder)
	return err
}

// makeAnew makes an entry that the last flight lacks: it is for the partition's first record from the position on that
// is not dead-lettered.
func (x *relearner) makeAnew(ctx context.Context, e *journal.Entry) error {
	for {
		rec, err := x.Below(ctx, x.r.top.Input.Partitions[x.Number].Stable)
		if err != nil {
			return err
		}
		if rec == nil {
			return x.r.accept(x.missingGone(e))
		}
		if err := x.r.awaitSchema(ctx, x.at(rec), rec, x.Example(), x.Again); err != nil {
			return err
		}
		p := x.Predicted(rec)
		skipped, rejected := x.r.st.Step(&p)
		switch {
		case skipped:
		case rejected != nil:
			return x.r.differs("seq %d is missing, and the record that it is for, input partition %d offset %d,"+
				" is rejected now (%v)", e.Seq, x.Number, rec.Offset, rejected)
		default:
			p.Seq, p.At = e.Seq, x.r.completion.predict(x, rec, p.Outcome, e)
			x.r.st.Learn(&p)
		}
		x.take(rec)
		if !skipped {
			return nil
		}
	}
}

func (x *relearner) missingGone(e *journal.Entry) *stops.Error {
	return &stops.Error{Name: stops.InputGone,
		What: fmt.Sprintf("seq %d is missing in the output: it was learned, and not published; it is for the first"+
			" record of input partition %d from offset %d on, and the input no longer holds that record",
			e.Seq, x.Number, x.r.st.Positions[x.Number]),
		Safe: fmt.Sprintf("the model up to seq %d and every published prediction", x.r.st.Seq),
		Do:   "restore the record; or go on without it, and with a hole in seq, with --accept input-gone"}
}

// predict encodes the prediction for a record, between Predict and Learn, and returns its time.
func (c *completion) predict(x *relearner, rec *topics.Record, o *model.Outcome, e *journal.Entry) (at int64) {
	c.add(e, func(f *flight, to *share) bool {
		at = f.now
		if to.arrived.IsZero() {
			to.arrived, to.oldest = x.r.progress.begin, rec.Timestamp
		}
		value := c.encoder.Append(to.records.Start(f.now, rec.Key), x.Number, rec, x.Example(), o, e.Seq)
		return to.records.Finish(value)
	})
	return at
}

// encodeOutcome encodes an outcome, and says in which partition it belongs.
func (c *completion) encodeOutcome(e *journal.Entry, o *journal.Outcome) {
	//mutation:completion-home
	e.Output = o.Home(int(c.layout.Outcomes))
	c.add(e, func(f *flight, to *share) bool { return c.outcomes.add(to, f.now, o, e.Seq) })
}

// add adds an entry to its share.
func (c *completion) add(e *journal.Entry, encode func(*flight, *share) bool) {
	at := topics.PartitionOf{Topic: e.Topic, Partition: e.Output}
	for i := c.newest[at]; ; i++ {
		f := c.piece(i)
		all, limit := &f.predictions, c.limits.predictions
		if e.Topic == topics.Outcomes {
			all, limit = &f.outcomes, c.limits.outcomes
		}
		to := f.share(all, e.Output, limit)
		done := encode(f, to)
		if !done && to.records.Len() == 0 {
			to.records.Limit = math.MaxInt32 // the broker decides
			done = encode(f, to)
		}
		if c.newest[at] = i; done {
			return
		}
	}
}

// completionBatches are journalBatches of a part of a flight: each has the layout, also one alone.
func (f *flight) completionBatches() []topics.Batch {
	out := f.batches()
	f.lead(out, true)
	return out
}

func (c *completion) piece(i int) *flight {
	if i == len(c.pieces) {
		f := &flight{limits: c.limits, pool: &sharePool{}}
		f.reset()
		f.layout, f.champion = *c.layout, c.champion
		c.pieces = append(c.pieces, f)
	}
	return c.pieces[i]
}

// complete publishes what the last flight lacks, and moves the base behind it.
func (r *recovery) complete(ctx context.Context) error {
	if r.completion == nil {
		return nil
	}
	if err := r.t.saveSchemas(ctx, r.renew); err != nil {
		return err
	}
	for _, f := range r.completion.pieces {
		batches := f.completionBatches()
		if err := refusedEntry(r.t.Journal.Append(ctx, batches), batches); err != nil {
			return err
		}
		for _, b := range batches {
			(*r.st.Base.Of(b.Topic))[b.Partition] = b.End
		}
		f.acknowledge(r.t.board)
	}
	return nil
}
