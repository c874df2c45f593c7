package preflight

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"

	"rosenblatt/stream/kafka/broker"
)

// What a step found, in plain words, and what to do about it.

func timedOut(err error) bool {
	var n net.Error
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &n) && n.Timeout()
}

func closed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, syscall.EPIPE)
}

func nameAdvice(err error) (found, do string) {
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "no machine of this name is known",
			"check the spelling in --brokers; if it is right, this machine's DNS (or /etc/hosts) does not know it"
	case errors.As(err, &dns) && (dns.IsTimeout || dns.IsTemporary):
		return "the name server does not respond",
			"check this machine's network and DNS; nothing is known about the broker yet"
	}
	return "the name cannot be looked up (" + err.Error() + ")", "check this machine's DNS"
}

func connectAdvice(err error) (found, do string) {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the machine is there, but nobody listens at this port", "is the broker running, and is this its port?"
	case timedOut(err):
		return "nothing responds",
			"a firewall in between drops it, or the machine is off: check that this port is open from here"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "there is no way from this machine to that one", "check routes, VPN and network"
	}
	return "no connection (" + err.Error() + ")", "is the broker running, the port right, a firewall between?"
}

func tlsAdvice(err error) (found, do string) {
	const leave = "leave --tls... away, or use the broker's TLS port"
	switch {
	case closed(err):
		return "the broker closed the connection during the TLS handshake: most likely this port does not speak TLS",
			leave
	case timedOut(err):
		return "no response to TLS: most likely this port does not speak it", leave
	}
	return broker.DescribeTLS(err)
}

// protocolAdvice explains a failure before the login. encrypted tells whether TLS is used.
func protocolAdvice(err error, encrypted bool) (found, do string) {
	var other *broker.NotKafka
	switch {
	case errors.As(err, &other) && other.TLS():
		return "this port speaks TLS", "add --tls, or --tls-ca FILE with the authority's certificate"
	case errors.As(err, &other) && string(other.Head[:4]) == "HTTP":
		return "this is a web server, not a Kafka broker", "check the port"
	case errors.As(err, &other):
		return "this is not a Kafka broker", "check the port"
	case encrypted && broker.IsRemote(err): // TLS 1.3 shows a refused certificate only now
		return broker.DescribeTLS(err)
	case closed(err) && !encrypted:
		return "the broker closed the connection without a response: most likely this port wants TLS",
			"add --tls, or --tls-ca FILE with the authority's certificate; else see the broker's log"
	case closed(err):
		return "the broker closed the connection without a response", "if it requires a client certificate," +
			" give one that it trusts with --tls-cert and --tls-key; else see the broker's log"
	case timedOut(err):
		return "it accepts the connection but does not respond", "is this the port for clients? See the broker's log"
	}
	return "no response (" + err.Error() + ")", seeLog
}

func folderAdvice(err error) (found, do string) {
	switch {
	case errors.Is(err, syscall.EROFS):
		return "the file system there is read-only", "mount it writable, or choose another --state"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "there is no room left", "make room, or choose another --state"
	case errors.Is(err, os.ErrPermission):
		return fmt.Sprintf("this user (number %d) may not write there", os.Getuid()),
			"give it the right, run as the daemon's user, or choose another --state"
	}
	return "no file can be written there (" + err.Error() + ")", "choose another --state"
}
