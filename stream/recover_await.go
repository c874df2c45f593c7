package stream

import (
	"context"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// awaitSchema makes the schema known of a record that the journal says was predicted, or made an outcome, and decodes
// it again. Where neither the state nor the registry has it, that is waited for: the registry had it. Nobody is asked
// for the schema of a record that has a dead letter.
func (r *recovery) awaitSchema(ctx context.Context, at topics.Place, rec *topics.Record, e *event.Example,
	again func()) error {
	t := r.t
	if !lacksSchema(e) || !t.schemas.asks() || r.st.Dead.Has(at) {
		return nil
	}
	r.awaitTopic(ctx, at.Topic, rec)
	var told time.Time
	for {
		ids := t.missingSchemas(at.Topic, []topics.Record{*rec})
		if len(ids) == 0 {
			again()
			return nil
		}
		if err := t.awaitSchemas(ctx, at.Topic, at.Partition, ids); err != nil {
			return err
		}
		if t.schemas.known.Newest(ids[0]) != nil {
			continue
		}
		if time.Since(told) > time.Minute {
			told = time.Now()
			t.Logger.Error().Stringer("schema", ids[0]).Stringer("record", at).
				Msg("a record that is in the journal has a schema that neither the state nor the registry knows: " +
					"recovery waits for the registry; restore its schemas, or the file schemas of the state folder")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// topicHas is how long a follower waits for the checkpoint topic to tell a schema before it asks the registry.
const topicHas = 5 * time.Second

// awaitTopic waits, while the task follows, until the checkpoint topic tells the schema of a record in the journal: the
// writer had it there before. What the registry says may be another one by now.
func (r *recovery) awaitTopic(ctx context.Context, topic topics.Topic, rec *topics.Record) {
	//mutation:topic-before-registry
	if !r.following || r.inTopic == nil {
		return
	}
	for until := time.Now().Add(topicHas); time.Now().Before(until); {
		if len(r.t.missingSchemas(topic, []topics.Record{*rec})) == 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}
