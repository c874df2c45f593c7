package preflight

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/kafka/broker"
)

// TestAdvice: what cannot be caused on every machine is said in words, too.
func TestAdvice(t *testing.T) {
	wrap := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", err)}
	}
	odd := &broker.NotKafka{Head: [8]byte{21, 3, 3, 0, 2, 2, 70, 0}}
	web := &broker.NotKafka{Head: [8]byte([]byte("HTTP/1.1"))}
	loginBy := func(mechanism string) func(error) (string, string) {
		return func(err error) (string, string) {
			return loginAdvice(err, &daemon.Connection{SASL: mechanism, SASLUser: "ann", SASLTokenFile: "token"})
		}
	}
	login, scram, token, keys := loginBy("plain"), loginBy("scram-sha-256"), loginBy("oauthbearer"),
		loginBy("aws-msk-iam")
	refused := &broker.RefusedLogin{Code: broker.ErrorForCode(kerr.SaslAuthenticationFailed.Code), Said: "ended"}
	for _, c := range []struct {
		say  func(error) (string, string)
		err  error
		want string
	}{
		{nameAdvice, &net.DNSError{IsNotFound: true}, "no machine of this name is known"},
		{nameAdvice, &net.DNSError{IsTimeout: true}, "the name server does not respond"},
		{nameAdvice, errors.New("odd"), "cannot be looked up (odd)"},
		{connectAdvice, wrap(syscall.ECONNREFUSED), "nobody listens"},
		{connectAdvice, wrap(syscall.ETIMEDOUT), "nothing responds"},
		{connectAdvice, wrap(syscall.EHOSTUNREACH), "no way from this machine"},
		{connectAdvice, errors.New("odd"), "no connection (odd)"},
		{tlsAdvice, os.ErrDeadlineExceeded, "no response to TLS"},
		{tlsAdvice, &net.OpError{Op: "remote error", Err: errors.New("tls: certificate required")},
			"does not accept this side of TLS (certificate required): if it requires a client certificate"},
		{tlsAdvice, errors.New("odd"), "odd"},
		{plainText, odd, "this port speaks TLS"},
		{plainText, web, "this is a web server"},
		{plainText, &broker.NotKafka{}, "not a Kafka broker"},
		{plainText, os.ErrDeadlineExceeded, "accepts the connection but does not respond"},
		{plainText, io.EOF, "most likely this port wants TLS"},
		{encrypted, io.EOF, "closed the connection without a response: if it requires a client certificate"},
		{encrypted, &net.OpError{Op: "remote error", Err: errors.New("tls: bad certificate")},
			"does not accept this side of TLS (bad certificate)"},
		{token, refused, `refuses the token (it says "ended")`}, {keys, refused, "refuses the keys of AWS"},
		{token, &broker.NoCredentials{Text: "no token: it is empty"}, "no token: it is empty"},
		{keys, io.EOF, "closed the connection during the login"},
		{login, broker.ErrorForCode(kerr.SaslAuthenticationFailed.Code), "user or password are wrong"},
		{scram, broker.ErrorForCode(kerr.SaslAuthenticationFailed.Code),
			"a password for scram has to be set for scram-sha-256 itself"},
		{login, broker.ErrorForCode(kerr.IllegalSaslState.Code), "wants no login"},
		{login, &broker.UnsupportedMechanism{Offered: []string{"SCRAM-SHA-512"}},
			"does not know plain: it offers SCRAM-SHA-512"},
		{login, io.ErrUnexpectedEOF, "closed the connection during the login"},
		{login, os.ErrDeadlineExceeded, "does not respond to the login"},
		{folderAdvice, &os.PathError{Err: syscall.EROFS}, "read-only"},
		{folderAdvice, &os.PathError{Err: syscall.ENOSPC}, "no room left"},
		{folderAdvice, &os.PathError{Err: syscall.EACCES}, "may not write there"},
		{folderAdvice, errors.New("odd"), "(odd)"},
	} {
		found, do := c.say(c.err)
		if text := found + ": " + do; strings.Contains(text, "scram has to be set for plain") || !strings.Contains(text,
			c.want) || do == "" {
			t.Errorf("%v: %q, want %q", c.err, text, c.want)
		}
	}
}

func plainText(err error) (string, string) { return protocolAdvice(err, false) }
func encrypted(err error) (string, string) { return protocolAdvice(err, true) }

// TestClocks: a difference is reported only as far as it is certain, however long the request took.
func TestClocks(t *testing.T) {
	before := time.UnixMilli(1_000_000)
	after := before.Add(300 * time.Millisecond)
	for theirs, want := range map[time.Duration]time.Duration{
		0: 0, 100 * time.Millisecond: 0, 300 * time.Millisecond: 0,
		-time.Minute: -time.Minute, time.Minute: time.Minute - 300*time.Millisecond,
	} {
		if got := clockBetween(before.Add(theirs), before, after); got != want {
			t.Errorf("theirs %s from the question: %s apart, want %s", theirs, got, want)
		}
	}
}
