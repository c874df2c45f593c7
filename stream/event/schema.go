package event

import (
	"errors"
	"fmt"
	"sync"

	"rosenblatt/stream/avro"
	"rosenblatt/stream/protobuf"
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
		o.Format, o.Schema, o.Subject, o.Message, o.Schemas = JSON, "", "", "", nil
	}
	o.Envelope = ""
	return o
}

// validateSchema validates the options of a format of which schemas describe the values.
func (o *Options) validateSchema() error {
	switch {
	case o.Encoding != "":
		return fmt.Errorf("%s is no text: leave out the encoding", o.Format)
	case o.Message != "" && (o.Format != Protobuf || o.NamesSchemas()):
		return errors.New("a message is named of a schema of protobuf that all events have: leave it out")
	case o.NamesSchemas(), o.Unasked():
		return o.validateObjects()
	}
	var err error
	if o.Format == Avro {
		_, err = compiled(o.Schema)
	} else {
		_, err = compiledMessage(o.Schema, o.Message)
	}
	if err != nil {
		return fmt.Errorf("the schema cannot be used: %w", err)
	}
	return o.validateObjects()
}

// compiledMessage returns the message of the text of a schema. Decoders share it.
func compiledMessage(text, message string) (*protobuf.Message, error) {
	messages.Lock()
	defer messages.Unlock()
	name := messageName{text, message}
	if known, ok := messages.known[name]; ok {
		return known.top, known.err
	}
	if messages.known == nil || len(messages.known) >= mostCompiled {
		messages.known = map[messageName]compiledProto{}
	}
	top, err := protobuf.Bundled(text, message)
	if err == nil && !top.IsObject() {
		top, err = nil, noObject(top)
	}
	messages.known[name] = compiledProto{top, err}
	return top, err
}

type messageName struct{ text, message string }

type compiledProto struct {
	top *protobuf.Message
	err error
}

var messages struct {
	sync.Mutex
	known map[messageName]compiledProto
}

// Fields lists what the schema of events makes of their fields. The options are valid.
func (o *Options) Fields() ([]avro.FieldUse, error) {
	if o.Format == Avro {
		top, err := compiled(o.Schema)
		if err != nil {
			return nil, err
		}
		return avro.Fields(top), nil
	}
	top, err := compiledMessage(o.Schema, o.Message)
	if err != nil {
		return nil, err
	}
	return protobuf.Fields(top), nil
}
