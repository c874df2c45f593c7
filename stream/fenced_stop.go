package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// askedFor is how long brokers are asked, before a stop, who the writer is.
const askedFor = 10 * time.Second

// fencedInstead returns the stop fenced for another stop of a process that has been replaced: whoever replaced it has
// read on, and accepted what it decided to, and retention and operators go by that one. What this process finds gone or
// changed says nothing then, and needs nobody to act. held is the producer of its fence.
func (t *Task) fencedInstead(ctx context.Context, held topics.Producer, err error) error {
	stop, ok := errors.AsType[*stops.Error](err)
	if !ok || held == topics.NoProducer || stop.Name == stops.Fenced {
		return err
	}
	most := askedFor
	if ctx.Err() != nil { // told to end
		most = time.Second
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	defer cancel()
	owned := t.Journal.Owned(ctx)
	if owned == nil {
		return err
	}
	with := *stop
	if fenced, ok := errors.AsType[*stops.Error](owned); ok && fenced.Name == stops.Fenced {
		with = *fenced
		with.What += fmt.Sprintf("; before it was told, this one met %s: %s", stop.Name, stop.What)
		return &with
	}
	with.What += fmt.Sprintf("; it is not known whether another process has taken over meanwhile (%v)", owned)
	with.Do = "make sure that no other process has this output: it may need nothing; else " + stop.Do
	return &with
}
