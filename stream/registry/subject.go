package registry

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"time"

	"rosenblatt/stream/schema"
)

// Registered is a schema as a version of a subject.
type Registered struct {
	ID      schema.ID
	Version int
	Schema  *schema.Schema
}

// Subjects says what the schemas of subjects of a registry are. A Client is one.
type Subjects interface {
	// AwaitSubject returns a schema of a subject, or of SUBJECT:VERSION, as soon as there is one. Until then it calls
	// failed each time that there is none.
	AwaitSubject(ctx context.Context, named string, failed func(error)) (*schema.Schema, error)
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

// NoSuch says that a registry has no such subject, or no such version of it.
type NoSuch struct {
	named  string
	newest int // of the subject, whose version is not there; 0: nor is the subject
}

// Error implements error.
func (e *NoSuch) Error() string {
	if e.newest > 0 {
		return fmt.Sprintf("the registry has no version %s: the newest of this subject is %d", e.named, e.newest)
	}
	return "the registry has no subject " + e.named
}

// Advice is what to do about it.
func (e *NoSuch) Advice() string {
	if e.newest > 0 {
		return "--schema names another version, or with the subject alone the newest"
	}
	return "register its schema, or name another subject with --schema"
}

// AskSubject asks once for the newest schema of a subject or, as SUBJECT:VERSION, for that of a version.
func (c *Client) AskSubject(ctx context.Context, named string) (*schema.Schema, error) {
	subject, version := named, Latest
	if i := strings.LastIndexByte(named, ':'); i > 0 {
		if _, err := strconv.ParseUint(named[i+1:], 10, 31); err == nil || named[i+1:] == Latest {
			subject, version = named[:i], named[i+1:]
		}
	}
	r, err := c.Subject(ctx, subject, version)
	if err == nil && r == nil {
		err = c.noSuch(ctx, named, subject, version)
	}
	if err != nil {
		return nil, err
	}
	return r.Schema, nil
}

// noSuch tells a version that is not there from a subject that is not.
func (c *Client) noSuch(ctx context.Context, named, subject, version string) error {
	e := &NoSuch{named: named}
	//mutation:version-or-subject
	if version != Latest {
		if newest, err := c.Subject(ctx, subject, Latest); err == nil && newest != nil {
			e.newest = newest.Version
		}
	}
	return e
}

// AwaitSubject is AskSubject until there is a schema, however long that takes. The error is the context's.
func (c *Client) AwaitSubject(
	ctx context.Context, named string, failed func(error),
) (*schema.Schema, error) {
	var told time.Time
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		s, err := c.AskSubject(ctx, named)
		//mutation:subject-awaited
		if err == nil || ctx.Err() != nil {
			return s, err
		}
		failed(err)
		if time.Since(told) >= logged {
			told = time.Now()
			c.trouble.logger.Warn().Err(err).Str("subject", named).Str("do", Advice(err)).
				Msg("no schema for the events: the registry is asked again, and nothing is predicted meanwhile")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause/2 + rand.N(pause/2+1)):
		}
	}
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
