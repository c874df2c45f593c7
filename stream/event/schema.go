package event

import (
	"errors"
	"fmt"
	"sync"

	"rosenblatt/stream/avro"
)

// compiled returns the type of the text of a schema. Decoders share it.
func compiled(text string) (*avro.Type, error) {
	schemas.Lock()
	defer schemas.Unlock()
	if known, ok := schemas.types[text]; ok {
		return known.top, known.err
	}
	if schemas.types == nil || len(schemas.types) >= mostCompiled {
		schemas.types = map[string]compiledSchema{}
	}
	top, err := avro.Compile(text)
	schemas.types[text] = compiledSchema{top, err}
	return top, err
}

// mostCompiled bounds the schemas that are kept.
const mostCompiled = 64

type compiledSchema struct {
	top *avro.Type
	err error
}

var schemas struct {
	sync.Mutex
	types map[string]compiledSchema
}

// Form returns the options by which the JSON form of events is what the events are: their own, unless they have a
// schema or an envelope. In text formats the form of an event is the event without its envelope.
func (o Options) Form() Options {
	if o.HasSchema() {
		o.Format, o.Schema, o.Schemas = JSON, "", nil
	}
	o.Envelope = ""
	return o
}

func (o *Options) validateAvro() error {
	switch {
	case o.Encoding != "":
		return errors.New("avro is no text: leave out the encoding")
	}
	if o.NamesSchemas() {
		return o.validateObjects()
	}
	if _, err := compiled(o.Schema); err != nil {
		return fmt.Errorf("the schema cannot be used: %w", err)
	}
	return o.validateObjects()
}
