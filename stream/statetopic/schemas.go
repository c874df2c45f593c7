package statetopic

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/stops"
)

// takeSchema takes in a record of a schema. One that is damaged, or of a later version, is none: the schema is asked
// for again.
func (c *Copy) takeSchema(key, value []byte) {
	e, err := schema.ParseLine(value)
	if err != nil || string(schemaKey(c.output, e.Key())) != string(key) {
		return
	}
	same := func(other schema.Entry) bool { return other.Key() == e.Key() }
	if i := slices.IndexFunc(c.schemas, same); i >= 0 {
		c.schemas[i] = e
		return
	}
	c.schemas = append(c.schemas, e)
}

// Schemas returns the schemas in what was read, in their order.
func (c *Copy) Schemas() []schema.Entry { return c.schemas }

// SaveSchemas writes schemas, and returns when they are acknowledged. maxBytes is the topic's max.message.bytes. Errors
// are those of Log.Append, and the stop for a schema that is larger than the topic allows.
func SaveSchemas(ctx context.Context, log Log, output string, maxBytes int, all []schema.Entry) error {
	batch := recordbatch.Builder{Limit: min(batchBytes, maxBytes), Single: maxBytes}
	send := func() error {
		if batch.Len() == 0 {
			return nil
		}
		defer batch.Reset()
		return log.Append(ctx, &batch)
	}
	batch.Reset()
	for _, e := range all {
		line, err := e.AppendLine(nil)
		if err != nil {
			return err
		}
		key, now := schemaKey(output, e.Key()), time.Now().UnixMilli()
		if batch.Append(now, key, line) {
			continue
		}
		if err := send(); err != nil {
			return err
		}
		if !batch.Append(now, key, line) {
			return &stops.Error{Name: stops.OutputUnfit,
				What: fmt.Sprintf("schema %v has %d bytes with all that it refers to, more than max.message.bytes of "+
					"the checkpoint topic allows", e.ID, len(line)),
				Safe: "all that was published; no event with that schema was handled",
				Do:   "raise max.message.bytes of the checkpoint topic"}
		}
	}
	return send()
}
