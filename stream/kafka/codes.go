package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"

	kafkago "github.com/segmentio/kafka-go"

	"rosenblatt/stream"
)

// class is what an error means for the one who asked.
type class uint8

const (
	broken    class = iota // a bug here, or something an operator has to change; also every code that is not listed
	passing                // goes away by itself: ask again; a produce is sent again as it was, under the same sequence
	doubtful               // to a produce: nobody knows what was written, recover
	fenced                 // somebody else took over
	refused                // to a produce: the batch or one of its records is not acceptable; it used no sequence
	forbidden              // the credentials do not allow it
)

// classes maps Kafka's error codes (org.apache.kafka.common.protocol.Errors). A produce that met 7, 13, 20 or 56 may
// have been written all the same; sending the same bytes again is safe, since the broker recognises them by their sequence.
var classes = map[int16]class{
	3: passing, 5: passing, 6: passing, 7: passing, 8: passing, 9: passing, 13: passing, 14: passing, 15: passing,
	16: passing, 19: passing, 20: passing, 41: passing, 51: passing, 56: passing, 60: passing, 70: passing, 71: passing,
	72: passing, 74: passing, 75: passing, 78: passing, 80: passing, 83: passing, 88: passing, 89: passing, 100: passing,
	103: passing, 106: passing, 108: passing, 129: passing,

	45: doubtful, 46: doubtful, 48: doubtful, 59: doubtful,

	47: fenced, 49: fenced, 90: fenced,

	10: refused, 32: refused, 87: refused,

	29: forbidden, 30: forbidden, 31: forbidden, 33: forbidden, 34: forbidden, 53: forbidden, 54: forbidden, 58: forbidden,
	65: forbidden, 66: forbidden,
}

// Codes that a reader looks at by itself.
const (
	codeUnknownServerError = -1
	codeOutOfRange         = 1
	codeCorrupt            = 2
	codeUnknownTopic       = 3
	codeTopicExists        = 36
	codeGroupNotFound      = 69
	codeUnknownTopicID     = 100
	codeOtherTopicID       = 103
)

// coded turns a code in an answer into an error that kafkago.Error can be taken out of; nil for 0.
func coded(code int16, format string, args ...any) error {
	if code == 0 {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, kafkago.Error(code))...)
}

// codeOf finds the code in an error; ok is false when there is none.
func codeOf(err error) (code int16, ok bool) {
	var k kafkago.Error
	if errors.As(err, &k) {
		return int16(k), true
	}
	return 0, false
}

// classify says what an error means. Errors that carry no code happened on the way to the broker and pass, but for those
// of a TLS handshake and of a broker that is too old.
func classify(err error) class {
	if code, ok := codeOf(err); ok {
		return classes[code]
	}
	var (
		cert   *tls.CertificateVerificationError
		record tls.RecordHeaderError
		alert  tls.AlertError
		host   x509.HostnameError
		old    *unsupported
		gone   *errMissing
		stop   *stream.Stop
	)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return broken
	case errors.As(err, &cert), errors.As(err, &record), errors.As(err, &alert), errors.As(err, &host):
		return forbidden
	case errors.As(err, &old), errors.As(err, &gone), errors.As(err, &stop):
		return broken
	}
	return passing
}

// hopeless explains an error that does not pass by itself.
func hopeless(err error) error {
	switch classify(err) {
	case forbidden:
		return fmt.Errorf("the cluster does not let us: %w (check the TLS and SASL settings, and the rights of this user)", err)
	case fenced:
		return fmt.Errorf("fenced: %w", err)
	}
	return fmt.Errorf("a bug or a matter for the operator: %w", err)
}
