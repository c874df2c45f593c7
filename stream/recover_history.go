package stream

import (
	"context"
	"fmt"
	"strings"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/plan"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

const startElsewhere = "point --state to the model's folder; or start a new model with another --model and --output;" +
	" or, to"

// history finds the stop for starting from nothing where the topics hold entries or dead letters of this model. Foreign
// records in the journal are an error.
func (r *recovery) history(ctx context.Context) (*stops.Error, error) {
	decoders, err := readahead.Decoders(r.st.Fixed.Decode, 0)
	if err != nil {
		return nil, err
	}
	partitions := len(r.top.DeadLetters.Partitions)
	for _, topic := range r.top.Journal() {
		partitions = max(partitions, len(r.top.Of(topic).Partitions))
	}
	ahead := readahead.New(ctx, decoders, r.t.Config.Model, partitions)
	defer ahead.Close()
	// All partitions of a topic side by side: a wait for each in turn would take seconds.
	open := func(topic topics.Topic) (all []*readahead.Cursor) {
		for p, b := range r.top.Of(topic).Partitions {
			part := topics.Part{Partition: int32(p), From: b.Start, To: b.End}
			all = append(all, ahead.Open(topic, part, r.t.Log.Open(topic, part.Partition, part.From)))
		}
		return all
	}
	for _, topic := range r.top.Journal() {
		if stop, err := r.entriesOf(ctx, topic, open(topic)); stop != nil || err != nil {
			return stop, err
		}
	}
	return r.deadLettersAhead(ctx, open(topics.DeadLetters))
}

// entriesOf finds the stop for a topic of the journal.
func (r *recovery) entriesOf(
	ctx context.Context, topic topics.Topic, partitions []*readahead.Cursor,
) (*stops.Error, error) {
	model, of := r.t.Config.Model, r.top.Of(topic)
	for i, cursor := range partitions {
		e, err := readahead.Entries{Cursor: cursor}.Next(ctx)
		switch {
		case err != nil:
			return nil, err
		case e == nil:
			continue
		case e.Kind == journal.Foreign:
			return nil, r.otherWriter(e)
		}
		return &stops.Error{Name: stops.StateMissing,
			What: fmt.Sprintf("topic %s partition %d holds %ss of model %s from offset %d on, and %s holds no"+
				" checkpoint of it", of.Name, i, noun(topic), model, e.Record.Offset, r.t.Store.Dir),
			Safe: fmt.Sprintf("the %ss are kept; nothing was changed", noun(topic)),
			Do:   startElsewhere + " begin again in the same topic, --accept state-missing"}, nil
	}
	return nil, nil
}

// deadLettersAhead finds the stop for starting from nothing where records that are still to be read have dead letters
// of this model: they would get a second one. Another process may be about to predict its first record.
func (r *recovery) deadLettersAhead(ctx context.Context, partitions []*readahead.Cursor) (*stops.Error, error) {
	c, dead := &r.t.Config, r.top.DeadLetters
	for i, cursor := range partitions {
		for l, err := range journal.DeadLetters(ctx, cursor, r.writer()) {
			if err != nil {
				return nil, err
			}
			at := r.placeOf(&l)
			if !state.IsAhead(at, r.plan.Of(at.Topic).Positions) {
				continue
			}
			return &stops.Error{Name: stops.StateMissing,
				What: fmt.Sprintf("topic %s partition %d offset %d is a dead letter of model %s for %v, and %s holds"+
					" no checkpoint of it", dead.Name, i, l.Own, c.Model, at, r.t.Store.Dir),
				Safe: "the dead letters are kept; nothing was changed",
				Do: startElsewhere +
					" begin again and dead-letter such records a second time, --accept state-missing"}, nil
		}
	}
	return nil, nil
}

// otherWriter is the stop for a record of the journal that is not an entry of this model.
func (r *recovery) otherWriter(e *journal.Entry) *stops.Error {
	if modelPer := r.otherKind(e); modelPer != "" {
		return &stops.Error{Name: stops.OtherWriter,
			What: fmt.Sprintf("topic %s partition %d offset %d is a %s with --model-per %s (%v)",
				r.top.Of(e.Topic).Name, e.Output, e.Record.Offset, noun(e.Topic), modelPer, e.Why),
			Safe: "everything up to the last checkpoint; nothing was changed",
			Do: fmt.Sprintf("start with --model-per %s again; or name another --output and --model for this one",
				modelPer)}
	}
	return &stops.Error{Name: stops.OtherWriter,
		What: fmt.Sprintf("topic %s partition %d offset %d is no %s of this model (%v)",
			r.top.Of(e.Topic).Name, e.Output, e.Record.Offset, noun(e.Topic), e.Why),
		Safe: "everything up to the last checkpoint; nothing was changed",
		Do: "find who else writes to the topic; it belongs to one model: name another " + plan.FlagOf(e.Topic) +
			" for this one"}
}

// otherKind is the --model-per of which a record of the journal is, if the names of the models differ in that alone.
func (r *recovery) otherKind(e *journal.Entry) (modelPer string) {
	c := &r.t.Config
	other, modelPer := fmt.Sprintf("%s.%d", c.Model, e.Output), "partition"
	if c.Partition != nil {
		other, modelPer = strings.TrimSuffix(c.Model, fmt.Sprintf(".%d", *c.Partition)), "all"
	}
	if journal.Parse(e.Topic, e.Output, e.Record, other).Kind == journal.Foreign {
		return ""
	}
	return modelPer
}

// noun is what a record of a topic of the journal is.
func noun(t topics.Topic) string {
	if t == topics.Outcomes {
		return "outcome"
	}
	return "prediction"
}
