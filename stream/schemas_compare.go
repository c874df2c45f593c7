package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// What the registry says of a known id now.
type schemaVerdict uint8

const (
	sameSchema   schemaVerdict = iota // the same, or nothing that is of use
	mendedSchema                      // the same text, which can be used now and could not before
	otherSchema
)

// compareSchemas compares a schema with what the registry says now. That a reference is missing since changes nothing:
// it is known.
func compareSchemas(was, is *schema.Schema) schemaVerdict {
	sameText := was.Type == is.Type && was.Text == is.Text
	switch {
	case event.SameSchema(was, is), sameText && is.Fault != "":
		return sameSchema
	case sameText && was.Fault != "":
		return mendedSchema
	}
	return otherSchema
}

const (
	doubtEvery   = time.Minute // of one id
	firstAsked   = 100 * time.Millisecond
	mostAsked    = 10 * time.Second
	allPublished = "all that was published; events since may have been read with a schema that is not theirs"

	acceptSchemas = "find out whether the registry is another one, or was begun anew or restored; then give it the " +
		"schemas back under their ids, and start again; or go on with its schemas, with --accept schema-changed: " +
		"records from the saved positions on are read with them, those before with the former ones"
)

// ask asks what known ids mean now, one after the other, until there is an answer for each, or visit returns false. An
// id that the registry does not know any more is passed: it is known here.
func (s *schemas) ask(ctx context.Context, all []schema.Entry, visit func(was, is schema.Entry) bool) error {
	for pause := firstAsked; len(all) > 0; {
		was := all[0]
		is, err := s.gate.Source.Ask(ctx, was.ID)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			if all = all[1:]; is != nil && !visit(was, schema.Entry{ID: was.ID, Schema: is}) {
				return nil
			}
			pause = firstAsked
			continue
		case pause == firstAsked:
			s.gate.Logger.Warn().Err(err).Msg("the schema registry gives no answer: it is asked again whether known " +
				"schemas are the same there")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
			pause = min(2*pause, mostAsked)
		}
	}
	return nil
}

// compareOn compares all that is known with the registry, and then what was doubted, until the context ends. The error
// is the stop for another schema under a known id.
func (s *schemas) compareOn(ctx context.Context) error {
	if !s.asks() {
		return nil
	}
	//mutation:compared-at-a-start
	all := s.known.Latest()
	for {
		if err := s.compare(ctx, all); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case id := <-s.doubts:
			all = []schema.Entry{{ID: id, Schema: s.known.Newest(id)}}
		}
	}
}

// compare compares schemas with the registry's.
func (s *schemas) compare(ctx context.Context, all []schema.Entry) error {
	var others changedSchemas
	err := s.ask(ctx, all, func(was, is schema.Entry) bool {
		if others.note(was, is) == mendedSchema {
			s.gate.Logger.Warn().Stringer("schema", was.ID).Str("was", was.Schema.Fault).
				Msg("a schema could not be used when it was asked for, and can be now: its events are rejected still;" +
					" start once with --accept schema-changed, and those to come are not")
		}
		return true
	})
	if len(others.what) == 0 {
		if errors.Is(err, ctx.Err()) {
			return nil
		}
		return err
	}
	return others.stop()
}

// CompareSchemas compares schemas that a model knows with what ask says of their ids now; nil for an id that is not
// known there any more. The error is the stop with which a daemon would end, or that of ask.
func CompareSchemas(all []schema.Entry, ask func(schema.ID) (*schema.Schema, error)) error {
	var others changedSchemas
	for _, was := range all {
		is, err := ask(was.ID)
		if err != nil {
			return err
		}
		if is != nil {
			others.note(was, schema.Entry{ID: was.ID, Schema: is})
		}
	}
	if len(others.what) > 0 {
		return others.stop()
	}
	return nil
}

// changedSchemas are known ids under which the registry has another schema now.
type changedSchemas struct {
	what    []string
	givenUp []any // of each the id, what it was and what it is
}

// note notes what the registry says now of a schema.
func (c *changedSchemas) note(was, is schema.Entry) schemaVerdict {
	verdict := compareSchemas(was.Schema, is.Schema)
	if verdict == otherSchema {
		c.what = append(c.what, fmt.Sprintf("schema %v was %s and is %s", was.ID, about(was.Schema, nil),
			about(is.Schema, was.Schema)))
		c.givenUp = append(c.givenUp, was.ID.String(), was.Schema.Text, is.Schema.Text)
	}
	return verdict
}

func (c *changedSchemas) stop() *stops.Error {
	stop := &stops.Error{Name: stops.SchemaChanged, Safe: allPublished, Do: acceptSchemas,
		What: "the schema registry has another schema than before under ids that events name: " +
			strings.Join(c.what, "; ")}
	stop.Offer("", c.givenUp)
	return stop
}

// about names a schema for people, and how it differs from another one, which may be nil.
func about(s, was *schema.Schema) string {
	const shown = 60
	text := strings.Join(strings.Fields(s.Text), " ")
	if len(text) > shown {
		text = strings.ToValidUTF8(text[:shown], "") + "..."
	}
	text = cmp.Or(s.Name(), text)
	if was == nil {
		return text
	}
	if differs := event.SchemaDifference(was, s); differs != "" {
		return text + ", " + differs
	}
	if s.Name() == was.Name() {
		return text + " with other types"
	}
	return text
}

// doubt has the schema of a record asked for again that does not fit it, once a minute at most.
func (t *Task) doubt(topic topics.Topic, r *topics.Record, why event.Reason) {
	as, ok := t.framing(topic)
	if !ok || !t.schemas.asks() || why != event.Syntax && why != event.Encoding && why != event.TooDeep {
		return
	}
	var f schema.Frame
	s, now := t.schemas, time.Now()
	if f.Read(r, as.Protobuf) != "" || now.Sub(s.doubted[f.ID]) < doubtEvery || s.known.Newest(f.ID) == nil {
		return
	}
	select {
	case s.doubts <- f.ID:
		s.doubted[f.ID] = now
	default:
	}
}

// unsavedSchemas is the stop for schemas that cannot be written before the first checkpoint.
func unsavedSchemas(dir string, err error) error {
	if errors.As(err, new(*stops.Error)) {
		return err
	}
	return &stops.Error{Name: stops.StateUnwritable, Cause: err,
		What: fmt.Sprintf("the schemas of events cannot be written to %s: %v", dir, err),
		Safe: "everything that was acknowledged; nothing was predicted since",
		Do:   "make room, or give the rights, and start again"}
}
