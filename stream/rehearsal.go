package stream

import (
	"context"

	"rosenblatt/stream/plan"
	"rosenblatt/stream/topics"
)

// rehearse compares all that a start compares with the topics as Prepare will leave them, before it creates or widens
// any. So a start that ends with a stop leaves the topics as they were.
func (t *Task) rehearse(ctx context.Context) error {
	if t.Planned == nil {
		return nil
	}
	top, err := t.Planned(ctx)
	//mutation:rehearsed
	if err != nil || top == nil { // nothing is to be created
		return err
	}
	if err := plan.CheckTopics(&t.Config, top); err != nil {
		return err
	}
	//mutation:rehearsed-as-a-member
	r := &recovery{t: t, top: top, lookAgain: t.lookPlanned, member: t.Standby != nil}
	if !top.Checkpoints.Planned {
		if r.inTopic, err = t.readTopic(ctx, top); err != nil {
			return err
		}
	}
	_, err = r.compare(ctx)
	return err
}

// lookPlanned looks again at topics of which some were to be created.
func (t *Task) lookPlanned(ctx context.Context) (*topics.Topology, error) {
	top, err := t.Planned(ctx)
	if err != nil || top != nil {
		return top, err
	}
	return t.Log.Topology(ctx)
}
