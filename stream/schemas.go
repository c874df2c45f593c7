package stream

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/recall"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// schemas is what a task knows of the schemas of its events, which is part of its state (PROTOCOL.md, "Schemas"). A
// reader of a partition adds to it, durably, before what needs it is decoded.
type schemas struct {
	known schema.Known
	gate  registry.Gate
	file  *schema.File // in the folder; the lock of known guards it

	// Of the checkpoint topic, as of the takeover.
	output     string
	topicBytes int // its max.message.bytes

	mu      sync.Mutex
	inTopic map[schema.Key]schema.Entry // what it has
	saved   atomic.Int64                // it has all up to this generation of known

	doubts  chan schema.ID          // ids of values that do not fit their schemas
	doubted map[schema.ID]time.Time // when; the learner's
}

// mostDoubts is how many ids wait to be asked for again.
const mostDoubts = 16

func newSchemas() *schemas {
	s := &schemas{inTopic: map[schema.Key]schema.Entry{}, doubts: make(chan schema.ID, mostDoubts),
		doubted: map[schema.ID]time.Time{}}
	s.saved.Store(-1)
	return s
}

// openSchemas reads what the folder has of schemas. It does nothing for events that name none.
func (t *Task) openSchemas() error {
	t.schemas = nil
	c := &t.Config.ModelConfig
	if !c.Decode.NamesSchemas() && (c.Late == nil || !c.Late.Decode.NamesSchemas()) {
		return nil
	}
	s := newSchemas()
	s.known.Limit, s.known.Save = t.Config.MaxSchemas, func(all []schema.Entry) error { return s.file.Append(all) }
	s.gate.Known, s.gate.Source, s.gate.Logger, s.gate.Describe = &s.known, t.Registry, t.Logger, t.describeSchema
	var err error
	if s.file, err = schema.OpenFile(t.Store.Dir); err != nil {
		return schemasStop(t.Store.Dir, err)
	}
	if err := s.known.Load(s.file.Entries()); err != nil {
		return t.schemasError(err)
	}
	t.schemas = s
	t.board.Gate.Store(&s.gate)
	c.Use(s.store())
	return nil
}

// schemasStop is the stop for a file of schemas that cannot be read.
func schemasStop(dir string, err error) *stops.Error {
	var invalid *schema.Invalid
	if !errors.As(err, &invalid) {
		return stateStop(dir, err)
	}
	return &stops.Error{Name: stops.StateUnreadable, Cause: err, What: err.Error(), Safe: "nothing was changed",
		Do: "restore the file from a copy of the folder; or move it away, and what it held is asked for again: at " +
			"the checkpoint topic, then at the registry, which may have other schemas under these ids by now"}
}

// schemasError is the error of making schemas known.
func (t *Task) schemasError(err error) error {
	if !errors.Is(err, schema.ErrTooMany) {
		return err
	}
	return &stops.Error{Name: stops.TooManySchemas,
		What: fmt.Sprintf("the events have more than %d schemas, or 64 MiB of their text", t.Config.MaxSchemas),
		Safe: "all that was published; the event with one schema more was not handled",
		Do:   "raise --max-schemas; if each event has a schema of its own, let the producers register one and keep it"}
}

// framing is how the values of a topic name their schemas; ok is false where they do not.
func (t *Task) framing(topic topics.Topic) (as registry.Framing, ok bool) {
	c := &t.Config.ModelConfig
	if t.schemas == nil || topic == topics.Labels && c.Late == nil {
		return as, false
	}
	o := &c.Decode
	if topic == topics.Labels {
		o = &c.Late.Decode
	}
	return FramingOf(o), o.NamesSchemas()
}

// FramingOf is how events name their schemas.
func FramingOf(o *event.Options) registry.Framing {
	as := registry.Framing{Protobuf: o.Format == event.Protobuf, MaxBytes: o.MaxBytes}
	if opener := o.Opener(); opener != nil {
		as.Open = opener.Open
	}
	return as
}

// describeSchema says what becomes of the records of a topic that have a schema.
func (t *Task) describeSchema(topic topics.Topic, s *schema.Schema) (use, warning string) {
	c := &t.Config.ModelConfig
	o, labels, later := &c.Decode, false, c.Late != nil
	if topic == topics.Labels {
		o, labels, later = &c.Late.Decode, true, false
	}
	if c.Late != nil && c.Late.ByKey() {
		keyed := *o
		keyed.IDField, o = "", &keyed // ids are the keys: no field need have one
	}
	u := o.UseOf(s, labels, later)
	switch {
	case u.Fault != "":
		return "", "its records are rejected: " + u.Fault
	case len(u.Lacks) > 0:
		return u.Summary, "it has no field " + u.Text()
	}
	return u.Summary, ""
}

// eventLog is the log of the input from which events are read back.
func (t *Task) eventLog() recall.Log {
	if t.schemas == nil {
		return t.Log
	}
	return eventLog{t.Log, t}
}

type eventLog struct {
	topics.Log
	t *Task
}

// AwaitSchema implements recall.Awaiter.
func (l eventLog) AwaitSchema(ctx context.Context, partition int32, r *topics.Record) error {
	ids := l.t.missingSchemas(topics.Input, []topics.Record{*r})
	return l.t.awaitSchemas(ctx, topics.Input, partition, ids)
}

// awaitSchemas makes the schemas known that records need, however long the registry takes.
func (t *Task) awaitSchemas(ctx context.Context, topic topics.Topic, partition int32, ids []schema.ID) error {
	return t.schemasError(t.schemas.gate.Await(ctx, topic, partition, ids))
}

// countFirst counts the records for which schemas were asked for.
func (t *Task) countFirst(topic topics.Topic, records []recordbatch.Record, ids []schema.ID) {
	if as, ok := t.framing(topic); ok {
		t.schemas.gate.CountFirst(as, records, ids)
	}
}

// missingSchemas returns the ids that records need and nobody knows.
func (t *Task) missingSchemas(topic topics.Topic, records []recordbatch.Record) []schema.ID {
	as, ok := t.framing(topic)
	if !ok {
		return nil
	}
	return t.schemas.gate.Missing(as, records)
}

// noteSchemas takes in what the checkpoint topic has. It decides where it says otherwise than the folder, and, when a
// checkpoint is loaded (all), about what the folder has alone: that was never published with. It reports whether
// something known is replaced or dropped.
func (t *Task) noteSchemas(c *statetopic.Copy, all bool) (replaced bool, err error) {
	s := t.schemas
	if s == nil || c == nil {
		return false, nil
	}
	in := map[schema.Key]schema.Entry{}
	for _, e := range c.Schemas() {
		in[e.Key()] = e
	}
	s.mu.Lock()
	s.inTopic = in
	s.mu.Unlock()
	merged := c.Schemas()
	for _, e := range s.known.Entries() {
		other, has := in[e.Key()]
		switch {
		case has:
			replaced = replaced || !e.Is(other)
		//mutation:topic-decides
		case all && !c.Empty():
			replaced = true
		default:
			merged = append(merged[:len(merged):len(merged)], e)
		}
	}
	if !replaced {
		return false, t.schemasError(s.known.Add(merged))
	}
	t.Logger.Info().Msg("the checkpoint topic has other schemas than the folder, which gets them")
	return true, t.schemasError(s.known.Reset(merged, s.file.Replace))
}

// unsaved returns what the checkpoint topic does not have yet, as of a generation.
func (s *schemas) unsaved() (all []schema.Entry, generation int64) {
	if s == nil {
		return nil, 0
	}
	generation = s.known.Generation()
	if generation == s.saved.Load() {
		return nil, generation
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.known.Entries() {
		if in, ok := s.inTopic[e.Key()]; !ok || !in.Is(e) {
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		s.saved.Store(generation)
	}
	return all, generation
}

func (s *schemas) noteSaved(all []schema.Entry, generation int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range all {
		s.inTopic[e.Key()] = e
	}
	s.saved.Store(generation)
}

// lacksSchema reports whether an event was rejected only because its schema was not known when it was decoded.
func lacksSchema(e *event.Example) bool {
	return e.Rejected != nil && e.Rejected.Reason == event.UnknownSchema
}

// asks reports whether there is a registry to be asked.
func (s *schemas) asks() bool { return s != nil && s.gate.Source != nil }

// store is what decoders read; nil where events name no schemas.
func (s *schemas) store() schema.Store {
	if s == nil {
		return nil
	}
	return &s.known
}
