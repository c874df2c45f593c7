package broker

import (
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
)

// Error is an error code in a response. errors.Is finds the error of package kerr in it.
type Error struct{ Code *kerr.Error }

func (b *Error) Error() string {
	return fmt.Sprintf("%s (code %d): %s", b.Code.Message, b.Code.Code, strings.TrimSuffix(b.Code.Description, "."))
}

func (b *Error) Unwrap() error { return b.Code }

// ErrorForCode returns the *Error of a code, nil for 0.
func ErrorForCode(code int16) error {
	if code == 0 {
		return nil
	}
	known := kerr.TypedErrorForCode(code)
	if known.Code != code { // kerr takes unknown codes for UNKNOWN_SERVER_ERROR, which is retriable
		known = &kerr.Error{Message: "UNKNOWN", Code: code, Description: "a code of a later Kafka"}
	}
	return &Error{known}
}

// UnreadableResponse is a response that cannot be decoded.
type UnreadableResponse struct{ Err error }

func (u *UnreadableResponse) Error() string { return u.Err.Error() }
func (u *UnreadableResponse) Unwrap() error { return u.Err }

// Partial is a connection that ends within a response.
type Partial struct{ Err error }

func (p *Partial) Error() string { return p.Err.Error() }
func (p *Partial) Unwrap() error { return p.Err }

// OversizedResponse is a response over the limit.
type OversizedResponse struct {
	Size int
	Head []byte // its first bytes
}

func (o *OversizedResponse) Error() string {
	return fmt.Sprintf("a response of %d bytes is over the limit", o.Size)
}

// NotKafka is a response that no broker sends.
type NotKafka struct {
	Head [8]byte // its first bytes
	Err  error   // what ended the connection, if anything
}

func (n *NotKafka) Error() string { return fmt.Sprintf("no Kafka broker responds with %q", n.Head[:]) }
func (n *NotKafka) Unwrap() error { return n.Err }

// TLS tells whether it begins as a TLS alert or handshake (RFC 8446, section 5.1).
func (n *NotKafka) TLS() bool { return (n.Head[0] == 21 || n.Head[0] == 22) && n.Head[1] == 3 }
