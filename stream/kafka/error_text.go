package kafka

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"rosenblatt/stream/kafka/wire"
)

// words describes an error of a connection in words that need no knowledge of Go. Other errors are our own words or
// Kafka's.
func words(err error) string {
	var (
		op    *net.OpError
		name  *net.DNSError
		other *wire.NotKafka
	)
	at := ""
	if errors.As(err, &op) && op.Addr != nil {
		at = " (" + op.Addr.String() + ")"
	}
	switch {
	case isBrokerError(err):
		return err.Error()
	case errors.As(err, &name):
		return fmt.Sprintf("the name of a broker, %s, cannot be resolved here", name.Name)
	case tlsRefused(err):
		return wordsTLS(err) + at
	case errors.As(err, &other) && other.TLS():
		return "this port speaks TLS"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nobody listens there: the connection was refused" + at
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the other side reset the connection" + at
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return "the connection was closed before a response came" + at
	case errors.Is(err, os.ErrDeadlineExceeded), op != nil && op.Timeout():
		return "no response in time" + at
	case op != nil:
		return fmt.Sprintf("no connection: %v%s", root(op), at)
	}
	return err.Error()
}

func wordsTLS(err error) string {
	var (
		record  tls.RecordHeaderError
		unknown x509.UnknownAuthorityError
		invalid x509.CertificateInvalidError
		host    x509.HostnameError
		op      *net.OpError
	)
	switch {
	case errors.As(err, &record):
		return "this port does not speak TLS"
	case errors.As(err, &unknown):
		return "the broker's certificate is signed by an authority that is not trusted here (--tls-ca)"
	case errors.As(err, &host):
		return "the broker's certificate is for another name than " + host.Host + " (--tls-server-name)"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the broker's certificate has expired, or is not valid yet"
	case errors.As(err, &op):
		return "the TLS handshake failed: " + strings.TrimPrefix(op.Err.Error(), "tls: ")
	}
	return "the broker's certificate is not valid: " + strings.TrimPrefix(root(err).Error(), "x509: ")
}

// root is the innermost error.
func root(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err
}
