package preflight

import (
	"bytes"
	"context"
	"errors"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/event"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// How many of the newest records are compared: so many that rare labels are among them.
const (
	delayLabels = 100_000
	delayEvents = 300_000
)

// pastLabel is a label record whose event is looked for.
type pastLabel struct {
	event.Example
	at int64  // ms
	id string // for people
}

// delays compares how late the labels that are there came with how long events wait, by label. What cannot be read
// within the time of a step is left out.
func (k *clusterCheck) delays(ctx context.Context, client *kafka.Client) {
	of, err := k.pastLabels(ctx, client)
	if err != nil || len(of) == 0 {
		return // the line above has said so
	}
	o, _, err := k.settings.labelRecords()
	if err != nil {
		return
	}
	var found labels.Lateness
	var events eventIDs
	wait := k.settings.LabelWait.Milliseconds()
	err = k.readIDs(ctx, client, topics.Input, delayEvents, func(id labels.ID, e *event.Example, r *topics.Record) {
		events.add(k.idText(e, r), r.Timestamp)
		label, known := of[id]
		if !known {
			return
		}
		events.found++
		delete(of, id)
		ended, delay := labels.Labelled, max(0, label.at-r.Timestamp)
		if delay > wait {
			ended = labels.Expired
		}
		found.Add(&o, &label.Example, ended, delay)
	})
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return
	}
	k.matched(ctx, client, of, &events, err == nil)
	//mutation:check-late-labels
	late := found.TooLate(1)
	for i := range late {
		k.warnLate(&late[i])
	}
}

func (k *clusterCheck) warnLate(late *labels.LateShare) {
	found, do := late.Text(k.settings.LabelWait, k.settings.WaitingExamples)
	k.warn(labelsLine, found, do)
}

// pastLabels are the first of the newest label records of each id.
func (k *clusterCheck) pastLabels(ctx context.Context, client *kafka.Client) (map[labels.ID]pastLabel, error) {
	of := map[labels.ID]pastLabel{}
	err := k.readIDs(ctx, client, topics.Labels, delayLabels, func(id labels.ID, e *event.Example, r *topics.Record) {
		if _, known := of[id]; !known && !labels.InSeconds(r.Timestamp) {
			of[id] = pastLabel{event.Example{Label: e.Label, Class: bytes.Clone(e.Class), Family: e.Family},
				r.Timestamp, k.idText(e, r)}
		}
	})
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return of, err
}

// readIDs reads the newest records of a topic that have an id.
func (k *clusterCheck) readIDs(ctx context.Context, client *kafka.Client, topic topics.Topic, most int64,
	add func(id labels.ID, e *event.Example, r *topics.Record)) error {
	decoder, err := event.New(k.settings.options())
	if topic == topics.Labels {
		_, decoder, err = k.settings.labelRecords()
	}
	if err != nil {
		return err
	}
	ids := labels.Identifier{ByKey: k.settings.ByKey()}
	return k.step(ctx, func(ctx context.Context) error {
		_, err := daemon.Sample{Records: most}.ReadNewest(ctx, client, topic, func(_ int32, r *topics.Record) {
			var e event.Example
			decoder.Decode(r, nil, &e)
			if id := ids.ID(&e, r); e.Rejected == nil && !e.Skip && id != (labels.ID{}) {
				add(id, &e, r)
			}
		})
		return err
	})
}
