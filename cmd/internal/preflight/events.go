package preflight

import (
	"cmp"
	"context"
	"fmt"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/inspection"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/survey"
	"rosenblatt/stream/topics"
)

// someEvents is how many events, and label records, are read, the newest of each partition.
const someEvents = 100

// events reads some events and says what a daemon with these settings would make of them.
func (k *clusterCheck) events(ctx context.Context, client *kafka.Client) {
	const what = "events"
	//mutation:no-schema-no-events
	if !k.schema(ctx) {
		k.note(what, "not read", "first there must be a schema, without which nothing can be said of them")
		return
	}
	if text := k.settings.AdviseLabel(new(k.settings.options())); text != "" && k.settings.Labels == "" {
		k.note(what, "no label", text)
	}
	var found *survey.Report
	seconds := 0
	err := k.step(ctx, func(ctx context.Context) (err error) {
		found, err = k.survey(ctx, client, &seconds)
		return err
	})
	k.noteSeconds(what, seconds)
	switch {
	case k.settings.schemas != nil && k.settings.schemas.failed != nil:
		k.note(what, "not checked", "first the schema registry must respond")
	case err != nil:
		k.note(what, "not read: "+err.Error(), seeLog)
		return
	case found.Events == 0:
		k.ok(what, "%s holds none yet", k.settings.Input)
		return
	//mutation:check-counts-rejects
	case found.MostRejected():
		k.fail(what, "the newest "+found.Headline(), found.Verdict)
	case found.Verdict != "":
		k.warn(what, "the newest "+found.Headline(), found.Verdict)
	default:
		k.ok(what, "the newest %s", found.Headline())
		for _, r := range found.Reasons {
			k.warn(what, fmt.Sprintf("%d of %d are rejected as %s, the first: %s", r.Count, found.Events, r.Reason,
				r.First), r.Advice)
		}
	}
	for _, w := range found.Warnings {
		k.note(what, cmp.Or(w.Field, "label"), w.Text)
	}
	_ = found.WriteTable(k.out, "      ") // as the other lines
}

// survey surveys the newest events. With later labels it counts those whose timestamps seem to be in seconds.
func (k *clusterCheck) survey(ctx context.Context, client *kafka.Client, seconds *int) (*survey.Report, error) {
	o := k.settings.options()
	format, _ := event.FindFormat(o.Format)
	as := learner.Spec{Scale: format.Scale}
	if h := inspection.NewestHeader(k.folders()[0]); h != nil {
		as = h.Config.Of(h.Champion).Learner
	}
	s, err := survey.New(o)
	if err != nil {
		return nil, err
	}
	if err := s.Scale(as); err != nil {
		return nil, err
	}
	s.LabelsLater = k.settings.Labels != ""
	err = readNewest(ctx, client, topics.Input, func(r *topics.Record) {
		if s.LabelsLater && labels.InSeconds(r.Timestamp) {
			*seconds++
		}
		s.Add(r)
	})
	return s.Report(), err
}

// readNewest reads the newest records of a topic, in the order of their timestamps.
func readNewest(ctx context.Context, client *kafka.Client, topic topics.Topic, add func(*topics.Record)) error {
	_, err := daemon.Sample{Records: someEvents}.ReadNewest(ctx, client, topic,
		func(_ int32, r *topics.Record) { add(r) })
	return err
}
