package preflight

import (
	"context"
	"errors"
	"path/filepath"

	"rosenblatt/cmd/internal/inspection"
	"rosenblatt/stream"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// start compares the topics as a start does, with the default of --checkpoint-interval, if no step has failed.
func (k *clusterCheck) start(ctx context.Context, cluster kafka.ClusterOptions) {
	const what = "start"
	if k.failed > 0 {
		return
	}
	s := k.settings
	client, err := kafka.New(kafka.Options{ClusterOptions: cluster, Input: s.Input, Output: s.Output,
		DeadLetters: s.DeadLetter, Labels: s.Labels, Outcomes: s.Outcomes, TransactionalID: s.TransactionalID(),
		Group: s.Group})
	if err != nil {
		k.fail(what, err.Error(), seeLog)
		return
	}
	defer client.Close()
	k.events(ctx, client)
	var top *topics.Topology
	err = k.step(ctx, func(ctx context.Context) (err error) { top, err = client.Topology(ctx); return err })
	if s.Labels != "" && err == nil {
		k.labels(ctx, client)
		k.retention(&top.Input)
		k.waiting(ctx, client)
	}
	if err == nil {
		err = stream.CheckTopics(stream.Config{}, inspection.NewestHeader(filepath.Join(s.State, s.Model)), top)
	}
	stop, ok := errors.AsType[*stops.Error](err)
	switch {
	case err == nil:
		k.ok(what, "the topics are fit, and those of the checkpoint, if there is one")
	case !ok:
		k.note(what, "not checked: "+err.Error(), "look at the lines above")
	case stop.Name == stops.TopicMissing, stop.Name == stops.OutputTooNarrow: // --create-topics mends that
	default:
		k.fail(what, "would stop with error="+stop.Name+": "+stop.What, stop.Do)
	}
}
