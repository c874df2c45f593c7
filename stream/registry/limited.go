package registry

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
)

// limited bounds what is read of answers, and takes no other status of success than 200.
type limited struct{ over http.RoundTripper }

// roomKey is the key of a context for the bytes that answers may still have, an *int64.
type roomKey struct{}

// RoundTrip implements http.RoundTripper.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := l.over.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if s := response.StatusCode; s > http.StatusOK && s < http.StatusMultipleChoices {
		_ = response.Body.Close() // it is not read
		return nil, &strange{status: s}
	}
	if room, ok := r.Context().Value(roomKey{}).(*int64); ok {
		response.Body = &body{ReadCloser: response.Body, room: room, schema: response.StatusCode == http.StatusOK}
	}
	return response, nil
}

// body is that of an answer.
type body struct {
	io.ReadCloser
	room   *int64
	begins []byte // what was read first
	schema bool
}

// shown is how much of a long answer is looked at.
const shown = 4 << 10

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.begins = append(b.begins, p[:min(n, shown-len(b.begins))]...)
	//mutation:registry-bytes
	if *b.room -= int64(n); *b.room < 0 {
		object := bytes.HasPrefix(bytes.TrimLeft(b.begins, " \t\r\n"), []byte("{"))
		return n, &tooLong{b.schema && object && bytes.Contains(b.begins, []byte(`"schema"`))}
	}
	return n, err
}

// tooLong is the error of a body that is longer than the limit.
type tooLong struct{ schema bool } // it seems to be one

func (*tooLong) Error() string { return fmt.Sprintf("the answer has more than %d bytes", mostBytes) }
