package preflight

import (
	"context"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/topics"
)

const keysLine = "keys"

// keys says where the keys of events and labels are. For a model of each partition those of events must be where the
// partitioner puts them, and those of labels where the keys of events are.
func (k *clusterCheck) keys(ctx context.Context, client *kafka.Client) {
	s := k.settings
	events, ok := k.keysOf(ctx, client, &s.Keys, topics.Input, s.Input)
	switch {
	case !ok:
	case events.Differ():
		k.note(keysLine, events.Found(), events.Advice())
	default:
		k.ok(keysLine, "the newest of %s are where --partitioner %s puts them", s.Input, events.Partitioner)
	}
	by := events.PlacedBy()
	if s.Labels == "" || by == "" {
		return
	}
	labels, ok := k.keysOf(ctx, client, &daemon.Keys{Partitioner: by}, topics.Labels, s.Labels)
	switch {
	case !ok:
	case labels.Differ():
		k.fail(keysLine, labels.Found(), labels.Advice())
	default:
		k.ok(keysLine, "the newest of %s are placed as those of %s", s.Labels, s.Input)
	}
}

// keysOf returns false where no record shows where keys are, and says so.
func (k *clusterCheck) keysOf(
	ctx context.Context, client *kafka.Client, by *daemon.Keys, topic topics.Topic, name string,
) (found daemon.KeyPlaces, ok bool) {
	err := k.step(ctx, func(ctx context.Context) (err error) {
		found, err = by.Look(ctx, client, topic, name, daemon.Sample{Records: someEvents})
		return err
	})
	switch {
	case err != nil:
		k.note(keysLine, "not read: "+err.Error(), seeLog)
	case found.Keys == 0:
		k.ok(keysLine, "none of the newest records of %s has one", name)
	}
	return found, err == nil && found.Keys > 0
}
