package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/sr"

	"rosenblatt/stream/schema"
)

// Limits of a schema and all that it refers to.
const (
	mostLevels     = 16
	mostReferences = 200
	mostBytes      = 4 << 20 // of answers
)

// Codes of registries.
const (
	noSubject = 40401
	noVersion = 40402
	noSchema  = 40403
)

// errand asks one address for a schema and what it refers to.
type errand struct {
	client *Client
	at     int // the address
	room   int64
	asked  map[place]bool
}

// place is what a reference names.
type place struct {
	subject string
	version int
}

// reply is what a registry says of a schema.
type reply struct {
	Schema     *string     `json:"schema"`
	Type       string      `json:"schemaType"`
	References []reference `json:"references"`

	// Of a version of a subject.
	ID      uint32 `json:"id"`
	Version int    `json:"version"`
}

type reference struct {
	Name    string `json:"name"`
	Subject string `json:"subject"`
	Version int    `json:"version"`
}

// errUnknown is the answer that there is no such schema.
var errUnknown = errors.New("the registry does not know it")

// fault says why a schema that was read cannot be used.
type fault struct {
	text  string
	lacks bool // the registry does not know a reference
}

func (f *fault) Error() string { return f.text }

// schema asks for a schema. The error is that there is no answer.
func (e *errand) schema(ctx context.Context, id schema.ID) (found, error) {
	path := fmt.Sprintf("/schemas/ids/%v", id)
	if id.HasGUID {
		path = fmt.Sprintf("/schemas/guids/%v", id)
	}
	r, err := e.get(ctx, path, noSchema)
	if errors.Is(err, errUnknown) {
		return found{lacks: true}, nil
	}
	return e.found(ctx, r, err)
}

// found is what an answer says, with what its schema refers to, which is asked for. The error is that there is none.
func (e *errand) found(ctx context.Context, r reply, err error) (found, error) {
	s := &schema.Schema{Type: schema.Avro}
	if err == nil {
		s.Text = *r.Schema
		if r.Type != "" {
			s.Type = strings.ToUpper(r.Type)
		}
		e.asked = map[place]bool{}
		err = e.references(ctx, s, r.References, 1)
	}
	wrong, unusable := errors.AsType[*fault](err)
	if err != nil && !unusable {
		return found{}, err
	}
	if unusable {
		s.References, s.Fault = nil, wrong.text
		return found{schema: s, lacks: wrong.lacks}, nil
	}
	return found{schema: s}, nil
}

// references asks for what a schema refers to, and what that does: each behind what it needs itself.
func (e *errand) references(ctx context.Context, s *schema.Schema, all []reference, level int) error {
	for _, ref := range all {
		at := place{ref.Subject, ref.Version}
		if e.asked[at] {
			continue
		}
		e.asked[at] = true
		switch {
		//mutation:registry-levels
		case level > mostLevels:
			return &fault{text: fmt.Sprintf("it refers to others over more than %d levels", mostLevels)}
		//mutation:registry-references
		case len(e.asked) > mostReferences:
			return &fault{text: fmt.Sprintf("it refers to more than %d others", mostReferences)}
		}
		r, err := e.get(ctx, fmt.Sprintf("/subjects/%s/versions/%d", url.PathEscape(ref.Subject), ref.Version),
			noSubject, noVersion, noSchema)
		if errors.Is(err, errUnknown) {
			return &fault{lacks: true, text: fmt.Sprintf("it refers to %q, subject %s version %d, which is not in the "+
				"registry", ref.Name, ref.Subject, ref.Version)}
		}
		if err == nil {
			err = e.references(ctx, s, r.References, level+1)
		}
		if err != nil {
			return err
		}
		s.References = append(s.References, schema.Reference{Name: ref.Name, Subject: ref.Subject,
			Version: ref.Version, Text: *r.Schema})
	}
	return nil
}

// get makes a request. Errors: errUnknown for a 404 with one of these codes; *fault; else there is no answer.
func (e *errand) get(ctx context.Context, path string, codes ...int) (r reply, err error) {
	select {
	case e.client.slots <- struct{}{}:
		defer func() { <-e.client.slots }()
	case <-ctx.Done():
		return r, ctx.Err()
	}
	var body []byte
	err = e.client.clients[e.at].Do(context.WithValue(ctx, roomKey{}, &e.room), http.MethodGet, path, nil, &body)
	if err == nil {
		err = r.parse(body)
	}
	err = e.judge(err, codes)
	switch {
	case err == nil || errors.As(err, new(*fault)):
		e.client.counts[Known].Add(1)
	case errors.Is(err, errUnknown):
		e.client.counts[Unknown].Add(1)
	case ctx.Err() == nil:
		e.client.counts[Failed].Add(1)
	}
	return r, err
}

// parse reads a schema.
func (r *reply) parse(body []byte) error {
	if err := json.Unmarshal(body, r); err != nil {
		return &strange{text: "the answer is no JSON object with a schema", status: http.StatusOK}
	}
	//mutation:registry-schema
	if r.Schema == nil {
		return &strange{text: "the answer has no schema", status: http.StatusOK}
	}
	return nil
}

// judge tells the answers that count from others.
func (e *errand) judge(err error, codes []int) error {
	address := e.client.urls[e.at]
	if refused, ok := errors.AsType[*sr.ResponseError](err); ok {
		var body struct {
			Code    int    `json:"error_code"`
			Message string `json:"message"`
		}
		object := json.Unmarshal(refused.Raw, &body) == nil
		//mutation:strange-404
		if refused.StatusCode == http.StatusNotFound && object && slices.Contains(codes, body.Code) {
			return errUnknown
		}
		return &NoAnswer{URL: address, Err: &strange{text: body.Message, status: refused.StatusCode, code: body.Code}}
	}
	if long, ok := errors.AsType[*tooLong](err); ok && long.schema {
		return &fault{text: fmt.Sprintf("it has more than %d bytes with all that it refers to", mostBytes)}
	}
	if err != nil {
		return &NoAnswer{URL: address, Err: err}
	}
	return nil
}
