package producer

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/avro"
	"rosenblatt/stream/event"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/schema"
)

// Coding says how events in json are sent in a format that has a schema.
type Coding struct {
	Encode     string `placeholder:"avro"`
	Schema     string `placeholder:"FILE"`
	Register   bool
	SchemaIDIn string `name:"schema-id-in" default:"prefix" placeholder:"prefix|header"`

	daemon.Registry `embed:""`
}

// FlagHelp implements cli.Documented.
func (Coding) FlagHelp() cli.Help {
	return `
encode: Send events, which are in json, in this format: fields by name, numbers and times as their json forms. With
	--schema-registry each has the id of its schema, as the subject TOPIC-value has it; else values are bare.
schema: The schema to write with, a file .avsc or a container file .avro.
register: Add the schema to the subject, if it is not there yet.
schema-id-in: Whether the id is before each value, or in the header __value_schema_id (default: ${default}).
`
}

const (
	prefix   = "prefix"
	inHeader = "header"
)

// check finds what is wrong with the settings. What the registry needs is nil without one.
func (s *Coding) check(f *cli.Faults) *registry.Options {
	with := s.RegistryOptions(f)
	if s.Encode == "" {
		f.AddIf(s.Schema != "" || s.Register || with != nil || s.SchemaIDIn == inHeader,
			"schema, register, schema-id-in, schema-registry: these are for --encode")
		return nil
	}
	f.OneOf("encode", s.Encode, event.Avro)
	f.OneOf("schema-id-in", s.SchemaIDIn, prefix, inHeader)
	f.AddIf(s.Schema == "", "schema: missing: --encode needs a file with the schema")
	f.AddIf(with == nil && (s.Register || s.SchemaIDIn == inHeader),
		"register, schema-id-in: these need --schema-registry")
	return with
}

// coder writes events in a format that has a schema.
type coder struct {
	top     *avro.Type
	prefix  []byte // before each value
	headers []recordbatch.Header
	needs   string // with which settings run reads them
}

// coder returns nil where events are sent as they are.
func (s *Settings) coder(ctx context.Context) (*coder, error) {
	if s.Encode == "" {
		return nil, nil
	}
	text, err := os.ReadFile(s.Coding.Schema)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(string(text), "Obj\x01") {
		plain, _, err := daemon.SchemaOf(event.Avro, s.Coding.Schema, "")
		if err != nil {
			return nil, err
		}
		text = []byte(plain)
	}
	c := &coder{needs: " --format " + s.Encode}
	if c.top, err = avro.Compile(string(text)); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Coding.Schema, err)
	}
	var f cli.Faults
	with := s.Coding.check(&f)
	if with == nil {
		c.needs += " --schema " + cli.Argument(s.Coding.Schema)
		return c, f.Err()
	}
	with.Logger = daemon.ConsoleLog(os.Stderr)
	client, err := registry.New(*with)
	if err != nil {
		return nil, err
	}
	subject := s.Topic + "-value"
	id, err := client.Register(ctx, subject, &schema.Schema{Type: schema.Avro, Text: string(text)}, s.Register)
	if err != nil {
		return nil, explainRegistry(err)
	}
	c.needs += " --schema-registry " + cli.Argument(s.SchemaRegistry...)
	frame := binary.BigEndian.AppendUint32([]byte{0}, id)
	//mutation:encode-header
	if s.SchemaIDIn == inHeader {
		c.headers = []recordbatch.Header{{Key: schema.Header, Value: frame}}
		return c, nil
	}
	c.prefix = frame
	return c, nil
}

// explainRegistry says what to do.
func explainRegistry(err error) error {
	if errors.Is(err, registry.ErrNotRegistered) {
		return fmt.Errorf("%w: --register adds it", err)
	}
	if advice := registry.Advice(err); advice != "" {
		return fmt.Errorf("schema-registry: %w; %s", err, advice)
	}
	return fmt.Errorf("schema-registry: %w", err)
}

// encode writes the value of an event anew.
func (c *coder) encode(e *outgoing) error {
	value, err := avro.Append(append([]byte{}, c.prefix...), c.top, e.value)
	if err != nil {
		return err
	}
	e.value, e.headers = value, c.headers
	return nil
}
