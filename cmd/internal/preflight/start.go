package preflight

import (
	"context"
	"errors"

	"rosenblatt/stream/kafka"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// start compares topics and settings as a start does, with the default of --checkpoint-interval, if no step has failed.
// Events and labels it reads, too, where nothing but topics of the daemon's own is missing.
func (k *clusterCheck) start(ctx context.Context, cluster kafka.ClusterOptions) {
	const what = startLine
	//mutation:check-reads-before-topics
	if k.failed > k.absent {
		return
	}
	s := k.settings
	if stop, ok := errors.AsType[*stops.Error](s.SameKind()); ok {
		k.fail(what, "would stop with error="+stop.Name+": "+stop.What, stop.Do)
		return
	}
	client, err := kafka.New(kafka.Options{ClusterOptions: cluster, Input: s.Input, Output: s.Output,
		DeadLetters: s.DeadLetter, Labels: s.Labels, Outcomes: s.Outcomes, Checkpoints: s.CheckpointTopic,
		TransactionalID: s.TransactionalID(), Group: s.Group})
	if err != nil {
		k.fail(what, err.Error(), seeLog)
		return
	}
	defer client.Close()
	k.inputs(ctx, client)
	if k.absent > 0 {
		k.note(what, "not checked", "first the topics must be there")
		return
	}
	found, err := k.asAStart(ctx, client)
	stop, ok := errors.AsType[*stops.Error](err)
	switch {
	case err == nil:
		k.compared(&found)
	case !ok:
		k.note(what, "not checked: "+err.Error(), "look at the lines above")
	default:
		k.fail(what, "would stop with error="+stop.Name+": "+stop.What, stop.Do)
	}
}

// inputs looks at events and labels.
func (k *clusterCheck) inputs(ctx context.Context, client *kafka.Client) {
	s := k.settings
	k.events(ctx, client)
	k.sharedIDs(ctx, client)
	if s.Labels != "" {
		k.labels(ctx, client)
		k.delays(ctx, client)
		k.retention(ctx, client)
		k.waiting(ctx, client)
		if found, do := s.AdviseSettledIDs(); found != "" {
			k.note(labelsLine, found, do)
		}
	}
	if s.Split() {
		k.keys(ctx, client)
	}
}

// asAStart compares what a start compares. The error is the stop with which it would end.
func (k *clusterCheck) asAStart(ctx context.Context, client *kafka.Client) (found compared, err error) {
	top, err := k.topology(ctx, client)
	if err == nil {
		found, err = k.compare(ctx, client, top)
	}
	if err == nil {
		err = k.written(ctx, client)
	}
	//mutation:check-compares-schemas
	if err == nil {
		err = k.compareSchemas()
	}
	if k.settings.Standby.Standby {
		err = stops.OfMember(err)
	}
	return found, err
}

// sharedIDs names other topics that may be the output of a daemon with a transactional id of this one.
func (k *clusterCheck) sharedIDs(ctx context.Context, client *kafka.Client) {
	var found []string
	err := k.step(ctx, func(ctx context.Context) (err error) {
		found, err = client.SharedIDs(ctx, k.settings.Split())
		return err
	})
	if err != nil {
		return // the lines above have said so
	}
	for _, output := range found {
		what, do := kafka.SharedIDAdvice(output)
		k.note("output", what, do)
	}
}

// topology returns the topics as a start would leave them. It has the time of three steps, since a request that brokers
// do not know is repeated for three seconds before it is a stop.
func (k *clusterCheck) topology(ctx context.Context, client *kafka.Client) (top *topics.Topology, err error) {
	ctx, cancel := context.WithTimeout(ctx, 3*k.settings.Timeout)
	defer cancel()
	if k.settings.CreateTopics {
		top, err = client.Planned(ctx)
	}
	if top == nil && err == nil {
		top, err = client.Topology(ctx)
	}
	return top, err
}
