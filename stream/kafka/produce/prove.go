package produce

import (
	"context"
	"fmt"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// probeSequence is a wrong one: a partition's batches begin with 0. A broker that checks sequences and not epochs does
// not write the probe. One that checks neither writes it among the dead letters, where recovery passes over it, as it
// has no header of ours; in the output it would be another writer's for good.
const probeSequence = 12345

// Prove is described at topics.Journal.
func (j *Journal) Prove(ctx context.Context) error {
	if j.fence == nil || j.fence.Producer.Epoch == 0 {
		return nil // all epochs of the id before are used up: that was no first start
	}
	old := j.fence.Producer
	old.Epoch--
	partition := j.view.Portion.Owned(len(j.fence.DeadLetters))[0]
	err := j.view.prove(ctx, j.view.Names.DeadLetters, partition, old)
	if err != nil && ctx.Err() == nil {
		return verdict.StopFor(err)
	}
	return err
}

// prove sends a plain batch of a producer epoch that was replaced to a partition with the marker of the next one.
func (v *View) prove(ctx context.Context, topic string, partition int32, old topics.Producer) error {
	b := &recordbatch.Builder{}
	b.Append(v.Options.Now().UnixMilli(), nil, nil)
	data, err := b.Seal(old.ID, old.Epoch, probeSequence, recordbatch.None)
	if err != nil {
		return err
	}
	probe := &produceAttempt{state: &partitionState{topic: topic, partition: partition}, data: data}
	return v.Retry(ctx, "probe of the fence", v.Patience(), func(ctx context.Context) error {
		acks, _, err := post(ctx, v.Cluster, cluster.Leader(topic, partition), []*produceAttempt{probe},
			v.Options.ResponseTimeout)
		if err != nil {
			return err
		}
		base, err := acks.find(probe.state)
		switch class := verdict.Classify(err); {
		case err == nil:
			return ineffective(probe.state, old, fmt.Errorf("it was written at offset %d", base))
		case class == verdict.Fenced:
			return nil
		//mutation:probe-refused-otherwise
		case class == verdict.Indeterminate: // it looks at sequences or transactions alone
			return ineffective(probe.state, old, err)
		}
		return fmt.Errorf("probe of the fence in %s/%d: %w", topic, partition, err)
	})
}

func ineffective(s *partitionState, old topics.Producer, found error) *stops.Error {
	return &stops.Error{
		Name: stops.FenceIneffective,
		What: fmt.Sprintf("the broker does not refuse a batch of producer %d, epoch %d in %s/%d, where the marker of"+
			" epoch %d is (%s)", old.ID, old.Epoch, s.topic, s.partition, old.Epoch+1, verdict.Words(found)),
		Safe: "everything: no prediction was written",
		Do: "use brokers that fence as Apache Kafka does; or, with --accept " + stops.FenceIneffective + ", make sure" +
			" yourself that no two processes ever write this output: one that was paused and replaced goes on writing" +
			" when it wakes up, and then predictions are repeated or other-writer stops this one",
		Cause: found,
	}
}
