package preflight

import (
	"context"
	"fmt"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/inspection"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// someEntries is how many offsets from the end of each partition of the output are read: markers of transactions may be
// among them.
const someEntries = 10

// written returns the stop of a start for what the output holds: predictions of another model, or of this one where no
// checkpoint of it is left.
func (k *clusterCheck) written(ctx context.Context, client *kafka.Client) error {
	if t := k.find(k.settings.Output); t == nil || t.ErrorCode != 0 {
		return nil // it does not exist yet
	}
	var stop *stops.Error
	err := k.step(ctx, func(ctx context.Context) error {
		_, err := daemon.Sample{Records: someEntries}.ReadNewest(ctx, client, topics.Output,
			func(p int32, r *topics.Record) {
				if stop == nil {
					stop = k.entry(p, r)
				}
			})
		return err
	})
	if stop != nil {
		return stop
	}
	return err
}

// entry returns the stop for one record of the output.
func (k *clusterCheck) entry(p int32, r *topics.Record) *stops.Error {
	s, model := k.settings, k.settings.Model
	if s.Split() {
		model = s.TaskModel(p)
	}
	at := fmt.Sprintf("topic %s partition %d offset %d", s.Output, p, r.Offset)
	e := journal.Parse(topics.Output, p, r, model)
	switch {
	//mutation:check-other-writer
	case e.Kind == journal.Foreign:
		return &stops.Error{Name: stops.OtherWriter,
			What: fmt.Sprintf("%s is no prediction of model %s (%v)", at, model, e.Why),
			Do:   "a topic of predictions belongs to one model: name another --output for this one"}
	case s.CheckpointTopic == "" && inspection.NewestHeader(s.Folder(model)) == nil:
		return &stops.Error{Name: stops.StateMissing, What: fmt.Sprintf("%s is a prediction of model %s, and %s holds "+
			"no checkpoint of it", at, model, s.Folder(model)),
			Do: "find the folder (--state), or name another --model and --output to begin anew"}
	}
	return nil
}
