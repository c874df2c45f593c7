package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/schema"
)

// Registry says what schemas are that the model does not know. A registry.Client is one.
type Registry interface {
	// Get returns the schema of an id, nil if the registry does not know it, as soon as there is an answer.
	Get(ctx context.Context, id schema.ID) (*schema.Schema, error)
}

// registryWait is the longest that a request waits for a schema that has to be asked for.
const registryWait = 5 * time.Second

var (
	// errRegistry is that of a schema for which the registry gave no answer in time.
	errRegistry = fmt.Errorf("the schema registry gave no answer within %v", registryWait)
	// errSchema is about the parameter schema.
	errSchema = errors.New("schema")
)

// knownHere is what the model knows of schemas, and one that a request has asked for. That one is no part of the model:
// when an event needs it, the model asks for itself.
type knownHere struct {
	model schema.Store // may be nil
	asked schema.Entry // its schema is nil for none
}

// Lookup implements schema.Store.
func (k *knownHere) Lookup(id schema.ID, at schema.Place) *schema.Schema {
	if k.model != nil {
		if s := k.model.Lookup(id, at); s != nil {
			return s
		}
	}
	if k.asked.ID == id {
		return k.asked.Schema
	}
	return nil
}

// optionsOf are those by which a body is decoded.
func (m *models) optionsOf(r *http.Request) *event.Options {
	o := m.copy.Config.Decode
	switch by := m.decoderOf(r); {
	case by == m.forms:
		o = o.Form()
	case by != m.decode:
		o.Envelope = ""
	}
	return &o
}

// schemaOf returns what is known of the schema that a body has: by the parameter, which becomes its header, or by its
// frame. Where the model does not know it, the registry is asked.
func (s *Server) schemaOf(r *http.Request, o *event.Options, record *event.Record) (schema.Entry, error) {
	text := r.URL.Query().Get("schema")
	switch {
	case text != "" && (!o.NamesSchemas() || o.Envelope == event.CloudEvents):
		return schema.Entry{}, fmt.Errorf("%w=%s: it is for a body that is bare data with a schema: leave it out",
			errSchema, text)
	case !o.NamesSchemas():
		return schema.Entry{}, nil
	}
	protobuf := o.Format == event.Protobuf
	if text != "" {
		id, err := schema.ParseID(text)
		if err != nil {
			return schema.Entry{}, fmt.Errorf("%w=%s: want the number or the GUID of a schema", errSchema, text)
		}
		frame := id.Append(nil)
		if protobuf {
			frame = append(frame, 0) // the first message
		}
		record.Headers = recordbatch.AppendHeaders(nil, []recordbatch.Header{{Key: schema.Header, Value: frame}})
	}
	var f schema.Frame
	if in, ok := o.Opener().Open(record); !ok || f.Read(in, protobuf) != "" {
		return schema.Entry{}, nil // the decoder says what is wrong
	}
	if s.Registry == nil || o.Schemas != nil && o.Schemas.Lookup(f.ID, schema.Place{}) != nil {
		return schema.Entry{}, nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), registryWait)
	defer cancel()
	//mutation:predict-asks
	found, err := s.Registry.Get(ctx, f.ID)
	if err != nil {
		return schema.Entry{}, fmt.Errorf("%w: schema %v, which the model does not know", errRegistry, f.ID)
	}
	return schema.Entry{ID: f.ID, Schema: found}, nil
}
