package kafka

import (
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/stops"
)

// rightsErrors are the codes whose cause is credentials or rights.
var rightsErrors = []*kerr.Error{
	kerr.TopicAuthorizationFailed, kerr.GroupAuthorizationFailed, kerr.ClusterAuthorizationFailed,
	kerr.UnsupportedSaslMechanism, kerr.IllegalSaslState, kerr.TransactionalIDAuthorizationFailed,
	kerr.SecurityDisabled,
	kerr.SaslAuthenticationFailed, kerr.DelegationTokenAuthDisabled, kerr.DelegationTokenNotFound,
	kerr.DelegationTokenOwnerMismatch, kerr.DelegationTokenRequestNotAllowed, kerr.DelegationTokenAuthorizationFailed,
	kerr.DelegationTokenExpired, kerr.InvalidPrincipalType, kerr.UnacceptableCredential,
	kerr.PrincipalDeserializationFailure,
}

const upgrade = "use Apache Kafka 2.8 or later"

// remedies are hints for codes with a known cause.
var remedies = map[*kerr.Error]string{
	kerr.InvalidTopicException:       "use topic names of letters, digits, '.', '_' and '-'",
	kerr.UnsupportedVersion:          upgrade,
	kerr.InvalidPartitions:           "create the topic yourself, with as many partitions as the input has",
	kerr.InvalidReplicationFactor:    "create the topic yourself, with a replication factor that the cluster allows",
	kerr.InvalidReplicaAssignment:    "create the topic yourself",
	kerr.InvalidConfig:               "create the topic yourself, with cleanup.policy=delete",
	kerr.UnsupportedForMessageFormat: "set message.format.version of the topic to 3.0 or later",
	kerr.PolicyViolation:             "create the topic yourself, as the cluster's rules demand",
	kerr.InvalidTransactionTimeout:   "set transaction.max.timeout.ms of the brokers to 60000 or more",
	kerr.UnsupportedCompressionType:  "choose another --compression",
	kerr.InvalidSessionTimeout: "choose a --session-timeout between group.min.session.timeout.ms and" +
		" group.max.session.timeout.ms of the brokers",
	kerr.InconsistentGroupProtocol: "another program uses this consumer group: choose another --group",
	kerr.GroupMaxSizeReached:       "start fewer members, or raise group.max.size of the brokers",
	kerr.InconsistentClusterID:     "make sure that all of --brokers belong to one cluster",
}

// stopFor is the stop for a fatal error. Stops stay as they are.
func stopFor(err error) error {
	var (
		stop    *stops.Error
		code    *kerr.Error
		missing *MissingTopic
		old     *broker.UnsupportedVersion
		retries *retriesExhausted
	)
	errors.As(err, &code)
	s := &stops.Error{
		Name: stops.KafkaError, What: "Kafka refuses a request: " + words(err),
		Safe:  "everything that was acknowledged; the next start finds the rest in the journal",
		Do:    "look for this in the brokers' log; if nothing there explains it, report it with this line as a bug",
		Cause: err,
	}
	switch {
	case errors.As(err, &stop):
		return stop
	case classify(err) == fenced:
		return stopFenced(err)
	case errors.As(err, &retries):
		return retries.stop()
	case errors.As(err, &missing):
		return missing.stop("create it, or check the spelling")
	case tlsRefused(err), isCode(err, rightsErrors...):
		s.Name, s.What = stops.NotAllowed, "the cluster denies access: "+words(err)
		s.Do = "check the TLS and SASL settings, and the rights of this user: `rosenblatt check` names what is missing"
	case errors.As(err, &old):
		s.Do = upgrade
	case remedies[code] != "":
		s.Do = remedies[code]
	}
	return s
}

func stopFenced(err error) *stops.Error {
	return &stops.Error{
		Name: stops.Fenced,
		What: fmt.Sprintf("another process has taken over this output topic (%s)", words(err)),
		Safe: "everything: the other process continues after what is acknowledged",
		Do:   "find out which of the two is meant to run; do not restart this one automatically", Cause: err,
	}
}

// stopInvalid is the stop for a record that the broker calls invalid: its size is not the cause, and we made the rest.
func stopInvalid(what string, err error) *stops.Error {
	return &stops.Error{
		Name: stops.KafkaError, What: "Kafka refuses a record as invalid: " + what + ": " + words(err),
		Safe: "everything that was acknowledged; the next start finds the rest in the journal",
		Do: "make sure that the topic has cleanup.policy=delete and that the brokers demand no schema of its records;" +
			" if so, report this line as a bug",
		Cause: err,
	}
}

func stopFenceFailed(err error, patience time.Duration) *stops.Error {
	return &stops.Error{
		Name: stops.FenceFailed,
		What: fmt.Sprintf("the markers of our fence cannot be read in every partition within %v (%s)",
			patience, words(err)),
		Safe: "everything: nothing was written",
		Do: "make sure that every partition of the output and dead-letter topics has a leader and enough replicas, " +
			"then start again",
		Cause: err,
	}
}

func (e *MissingTopic) stop(do string) *stops.Error {
	return &stops.Error{
		Name: stops.TopicMissing, What: e.Error(), Safe: "everything that was acknowledged; no topic was changed",
		Do: do, Cause: e,
	}
}

// retriesExhausted is a request that failed until patience ended.
type retriesExhausted struct {
	what  string
	after time.Duration
	hint  string // remedy, if known
	err   error  // the last one
}

func (r *retriesExhausted) Error() string {
	return fmt.Sprintf("%s: given up after %v: %s", r.what, r.after.Round(time.Millisecond), words(r.err))
}

func (r *retriesExhausted) Unwrap() error { return r.err }

func (r *retriesExhausted) stop() *stops.Error {
	s := &stops.Error{
		Name: stops.Unreachable, What: r.Error(), Safe: "everything that was acknowledged; nothing was written since",
		Do: r.hint, Cause: r,
	}
	if s.Do == "" {
		s.Do = "make sure that the brokers run and can be reached from here: `rosenblatt check` goes step by step"
	}
	return s
}
