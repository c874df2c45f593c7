package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"time"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// classify says what an error means. Codes are looked up. Errors without one happened on the way to the broker, and those
// pass: a connection that is refused, reset, closed or silent, a name that is not known (of a broker that is being moved it
// is not, for a while). But TLS that was refused by either side, a broker that is too old and a topic that is missing stay
// so until somebody changes something. What the context ended is nobody's fault: who asks looks at it first.
func classify(err error) class {
	var (
		stop *stops.Error
		odd  *unreadableResponse
		old  *unsupportedVersion
		gone *missingTopic
	)
	switch {
	case errors.As(err, &stop):
		return fatal
	case errors.Is(err, topics.ErrIndeterminate):
		return indeterminate
	}
	if code, ok := codeOf(err); ok {
		return classes[code]
	}
	switch {
	case errors.As(err, &odd):
		return retriable // a produce knows better: see judge
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fatal
	case tlsRefused(err), errors.As(err, &old), errors.As(err, &gone):
		return fatal
	}
	return retriable
}

// Passes tells whether an error of a broker, or on the way to one, goes away by itself.
func Passes(err error) bool { return classify(err) == retriable }

// tlsRefused tells whether one side of a TLS handshake did not accept the other, or does not speak TLS. An alert that comes
// from the broker has a type that crypto/tls keeps to itself; net.OpError says where it is from.
func tlsRefused(err error) bool {
	var (
		cert    *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		unknown x509.UnknownAuthorityError
		invalid x509.CertificateInvalidError
		host    x509.HostnameError
		op      *net.OpError
	)
	if errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error") {
		return op.Err.Error() != "tls: internal error" // that one may be a broker in trouble
	}
	return errors.As(err, &cert) || errors.As(err, &record) || errors.As(err, &unknown) || errors.As(err, &invalid) || errors.As(err, &host)
}

// lacksRights lists the codes that credentials and rights are behind.
var lacksRights = map[int16]bool{29: true, 30: true, 31: true, 33: true, 34: true, 53: true, 54: true, 58: true, 61: true,
	62: true, 63: true, 64: true, 65: true, 66: true, 67: true, 93: true, 97: true}

// remedies say what to do about codes whose cause is known.
var remedies = map[int16]string{
	17:  "use topic names of letters, digits, '.', '_' and '-'",
	35:  "use Apache Kafka 2.8 or later",
	37:  "create the topic yourself, with as many partitions as the input has",
	38:  "create the topic yourself, with a replication factor that the cluster allows",
	39:  "create the topic yourself",
	40:  "create the topic yourself, with cleanup.policy=delete",
	43:  "set message.format.version of the topic to 3.0 or later",
	44:  "create the topic yourself, as the cluster's rules want it",
	50:  "set transaction.max.timeout.ms of the brokers to 60000 or more",
	76:  "choose another --compression",
	104: "see that all of --brokers belong to one cluster",
}

// stopFor is the stop for an error that does not pass by itself. Stops stay as they are.
func stopFor(err error) error {
	var (
		stop *stops.Error
		gone *missingTopic
		old  *unsupportedVersion
		late *retriesExhausted
	)
	code, _ := codeOf(err)
	s := &stops.Error{
		Name: stops.KafkaError, What: "Kafka does not do what is asked of it: " + words(err),
		Safe: "everything that was acknowledged; the next start finds the rest in the journal",
		Do:   "look for this in the brokers' log; if nothing there explains it, report it with this line as a bug", Cause: err,
	}
	switch {
	case errors.As(err, &stop):
		return stop
	case classify(err) == fenced:
		return stopFenced(err)
	case errors.As(err, &late):
		return late.stop()
	case errors.As(err, &gone):
		return gone.stop("create it, or mind the spelling")
	case tlsRefused(err), lacksRights[code]:
		s.Name, s.What = stops.NotAllowed, "the cluster does not let us: "+words(err)
		s.Do = "check the TLS and SASL settings, and the rights of this user: `rosenblatt check` names what is missing"
	case errors.As(err, &old):
		s.Do = remedies[35]
	case remedies[code] != "":
		s.Do = remedies[code]
	}
	return s
}

// stop is the stop for a topic that is missing.
func (e *missingTopic) stop(do string) *stops.Error {
	return &stops.Error{Name: stops.TopicMissing, What: e.Error(), Safe: "everything that was acknowledged; no topic was touched", Do: do, Cause: e}
}

// retriesExhausted is a question that got no answer for as long as there was patience.
type retriesExhausted struct {
	what  string
	after time.Duration
	hint  string // what to do, where that is known
	err   error  // the last one
}

func (g *retriesExhausted) Error() string {
	return fmt.Sprintf("%s: given up after %v: %s", g.what, g.after.Round(time.Millisecond), words(g.err))
}

func (g *retriesExhausted) Unwrap() error { return g.err }

func (g *retriesExhausted) stop() *stops.Error {
	s := &stops.Error{Name: stops.Unreachable, What: g.Error(), Safe: "everything that was acknowledged; nothing was written since", Do: g.hint, Cause: g}
	if s.Do == "" {
		s.Do = "see that the brokers run and can be reached from here: `rosenblatt check` goes step by step"
	}
	return s
}
