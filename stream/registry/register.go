package registry

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/sr"

	"rosenblatt/stream/schema"
)

// ErrNotRegistered means that a subject does not have a schema.
var ErrNotRegistered = errors.New("the schema is not registered")

// Register returns the id of a schema under a subject. With add, it is added to the subject unless it is there. The
// error may be ErrNotRegistered, or a *NoAnswer with what the registry says against the schema.
func (c *Client) Register(ctx context.Context, subject string, s *schema.Schema, add bool) (id uint32, err error) {
	of := sr.Schema{Schema: s.Text, Type: sr.TypeAvro}
	if s.Type == schema.Protobuf {
		of.Type = sr.TypeProtobuf
	}
	for i, client := range c.clients {
		var n int
		if add {
			n, err = client.RegisterSchema(ctx, subject, of, -1, -1)
		} else {
			var found sr.SubjectSchema
			found, err = client.LookupSchema(ctx, subject, of)
			n = found.ID
		}
		if err == nil {
			return uint32(n), nil
		}
		said, ok := errors.AsType[*sr.ResponseError](err)
		switch {
		//mutation:subject-lacks
		case ok && !add && (said.ErrorCode == 40401 || said.ErrorCode == 40403):
			return 0, fmt.Errorf("%w under the subject %s", ErrNotRegistered, subject)
		case ok && said.ErrorCode != 0:
			return 0, &NoAnswer{c.urls[i], fmt.Errorf("subject %s: code %d: %s", subject, said.ErrorCode, said.Message)}
		}
		err = &NoAnswer{c.urls[i], err}
	}
	return 0, err
}
