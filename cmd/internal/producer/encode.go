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
	"rosenblatt/stream/protobuf"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/schema"
)

// Coding says how events in json are sent in a format that has a schema.
type Coding struct {
	Encode     string `placeholder:"avro|protobuf"`
	Schema     string `placeholder:"FILE"`
	Message    string `placeholder:"NAME"`
	Register   bool
	SchemaIDIn string `name:"schema-id-in" default:"prefix" placeholder:"prefix|header"`

	daemon.Registry `embed:""`
}

// FlagHelp implements cli.Documented.
func (Coding) FlagHelp() cli.Help {
	return `
encode: Send events, which are in json, in this format: fields by name, numbers and times as their json forms. With
	--schema-registry each has the id of its schema, as the subject TOPIC-value has it; else values are bare.
schema: The schema to write with, a file .avsc or a container file .avro; of protobuf a file .proto, .desc or .binpb.
message: The message of a protobuf schema, unless it has only one.
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
		f.AddIf(s.Schema != "" || s.Message != "" || s.Register || with != nil || s.SchemaIDIn == inHeader,
			"schema, message, register, schema-id-in, schema-registry: these are for --encode")
		return nil
	}
	f.OneOf("encode", s.Encode, event.Avro, event.Protobuf)
	f.AddIf(s.Message != "" && s.Encode != event.Protobuf, "message: it is for --encode protobuf")
	f.OneOf("schema-id-in", s.SchemaIDIn, prefix, inHeader)
	f.AddIf(s.Schema == "", "schema: missing: --encode needs a file with the schema")
	f.AddIf(with == nil && (s.Register || s.SchemaIDIn == inHeader),
		"register, schema-id-in: these need --schema-registry")
	return with
}

// coder writes events in a format that has a schema.
type coder struct {
	write   func(dst, form []byte) ([]byte, error) // the bytes of an event with this JSON form
	schema  schema.Schema
	place   []byte // of a message in its schema, behind the id
	prefix  []byte // before each value
	headers []recordbatch.Header
	needs   string // with which settings run reads them
}

// coder returns nil where events are sent as they are.
func (s *Settings) coder(ctx context.Context) (*coder, error) {
	if s.Encode == "" {
		return nil, nil
	}
	c, err := s.newCoder()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Coding.Schema, err)
	}
	c.needs = " --format " + s.Encode
	var f cli.Faults
	with := s.Coding.check(&f)
	if with == nil {
		c.needs += " --schema " + cli.Argument(s.Coding.Schema)
		if s.Message != "" {
			c.needs += " --message " + cli.Argument(s.Message)
		}
		return c, f.Err()
	}
	with.Logger = daemon.ConsoleLog(os.Stderr)
	client, err := registry.New(*with)
	if err != nil {
		return nil, err
	}
	id, err := client.Register(ctx, s.Topic+"-value", &c.schema, s.Register)
	if err != nil {
		return nil, explainRegistry(err)
	}
	c.needs += " --schema-registry " + cli.Argument(s.SchemaRegistry...)
	frame := append(binary.BigEndian.AppendUint32([]byte{0}, id), c.place...)
	//mutation:encode-header
	if s.SchemaIDIn == inHeader {
		c.headers = []recordbatch.Header{{Key: schema.Header, Value: frame}}
		return c, nil
	}
	c.prefix = frame
	return c, nil
}

// newCoder reads the schema of a coder.
func (s *Settings) newCoder() (*coder, error) {
	if s.Encode == event.Protobuf {
		w, err := protobuf.NewWriter(s.Coding.Schema, s.Message)
		if err != nil {
			return nil, err
		}
		if len(w.Imports) > 0 && len(s.SchemaRegistry) > 0 {
			return nil, fmt.Errorf("it imports %s, which the registry would need as references: put their messages "+
				"into the file, or leave --schema-registry out and send bare values", strings.Join(w.Imports, ", "))
		}
		return &coder{write: w.Append, schema: schema.Schema{Type: schema.Protobuf, Text: w.Text},
			place: w.Indexes()}, nil
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
	top, err := avro.Compile(string(text))
	if err != nil {
		return nil, err
	}
	write := func(dst, form []byte) ([]byte, error) { return avro.Append(dst, top, form) }
	return &coder{write: write, schema: schema.Schema{Type: schema.Avro, Text: string(text)}}, nil
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
	value, err := c.write(append([]byte{}, c.prefix...), e.value)
	if err != nil {
		return err
	}
	e.value, e.headers = value, c.headers
	return nil
}
