package registry

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"rosenblatt/stream/schema"
)

// Registered is a schema as a version of a subject.
type Registered struct {
	ID      schema.ID
	Version int
	Schema  *schema.Schema
}

// Latest is the newest version of a subject.
const Latest = "latest"

// Subject asks once for a version of a subject, a number or Latest; nil without an error if the registry does not know
// it.
func (c *Client) Subject(ctx context.Context, subject, version string) (r *Registered, err error) {
	err = c.inTurn(ctx, func(e *errand) (err error) {
		r, err = e.subject(ctx, subject, version)
		return err
	})
	return r, err
}

// subject asks for a version of a subject. The error is that there is no answer.
func (e *errand) subject(ctx context.Context, subject, version string) (*Registered, error) {
	r, err := e.get(ctx, fmt.Sprintf("/subjects/%s/versions/%s", url.PathEscape(subject), url.PathEscape(version)),
		noSubject, noVersion)
	if errors.Is(err, errUnknown) {
		return nil, nil
	}
	got, err := e.found(ctx, r, err)
	if err != nil {
		return nil, err
	}
	return &Registered{schema.ID{Number: r.ID}, r.Version, got.schema}, nil
}
