package verdict

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"

	"rosenblatt/stream/kafka/broker"
)

// Words describes an error of a connection without Go's terms. Other errors keep their text.
func Words(err error) string {
	var failed *broker.RequestError
	if errors.As(err, &failed) && !IsBrokerError(err) && !TLSRefused(err) {
		return failed.Sent.String() + ": " + words(failed.Err, false)
	}
	return words(err, true)
}

func words(err error, where bool) string {
	var (
		op    *net.OpError
		name  *net.DNSError
		other *broker.NotKafka
	)
	at := ""
	if errors.As(err, &op) && op.Addr != nil && where {
		at = " (" + op.Addr.String() + ")"
	}
	switch {
	case IsBrokerError(err):
		return err.Error()
	case errors.As(err, &name):
		return fmt.Sprintf("the name of a broker, %s, cannot be resolved here", name.Name)
	case TLSRefused(err):
		found, do := broker.DescribeTLS(err)
		return found + at + ": " + do
	case errors.As(err, &other) && other.TLS():
		return "this port speaks TLS"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nobody listens there: the connection was refused" + at
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the other side reset the connection" + at
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return "the connection was closed before a response came" + at
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), op != nil && op.Timeout():
		return "no response in time" + at
	case op != nil:
		return fmt.Sprintf("no connection: %v%s", op.Err, at)
	}
	return err.Error()
}

// IsClosing tells whether the other side has closed or reset the connection in place of a response.
func IsClosing(err error) bool {
	//mutation:partial-response
	if errors.As(err, new(*broker.Partial)) {
		return false
	}
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, end) {
			return true
		}
	}
	return false
}
