package verdict

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

// StopFor is the stop for a fatal error. Stops stay as they are.
func StopFor(err error) error {
	var (
		stop    *stops.Error
		code    *kerr.Error
		missing *MissingTopic
		retries *Exhausted
	)
	errors.As(err, &code)
	s := &stops.Error{
		Name: stops.KafkaError, What: "Kafka refuses a request: " + Words(err),
		Safe:  "everything that was acknowledged; the next start finds the rest in the journal",
		Do:    "look for this in the brokers' log; if nothing there explains it, report it with this line as a bug",
		Cause: err,
	}
	switch {
	case errors.As(err, &stop):
		return stop
	case Classify(err) == Fenced:
		return StopFenced(err)
	case errors.As(err, &retries):
		return retries.stop()
	case errors.As(err, &missing):
		return missing.Stop("create it, or check the spelling")
	case IsRefusal(err):
		s.Name, s.What = stops.NotAllowed, "the cluster denies access: "+Words(err)
		s.Do = "check the TLS and SASL settings, and the rights of this user: `rosenblatt check` names what is missing"
	case broker.IsUnsupported(err):
		s.Name, s.What = stops.UnsupportedBroker, Words(err)
		s.Do = upgrade + ", or another broker that the table in the guide's page on logins and providers names;" +
			" if it is one of these, look into its log and report it with this line as a bug"
	case remedies[code] != "":
		s.Do = remedies[code]
	}
	return s
}

// StopFenced is the stop for a process that another one has fenced.
func StopFenced(err error) *stops.Error {
	return &stops.Error{
		Name: stops.Fenced,
		What: fmt.Sprintf("another process has taken over this output topic (%s)", Words(err)),
		Safe: "everything: the other process continues after what is acknowledged",
		Do:   "find out which of the two is meant to run; do not restart this one automatically", Cause: err,
	}
}

// StopInvalid is the stop for a record that the broker calls invalid: its size is not the cause, and we made the rest.
func StopInvalid(what string, err error) *stops.Error {
	return &stops.Error{
		Name: stops.KafkaError, What: "Kafka refuses a record as invalid: " + what + ": " + Words(err),
		Safe: "everything that was acknowledged; the next start finds the rest in the journal",
		Do: "make sure that the topic has cleanup.policy=delete and that the brokers demand no schema of its records;" +
			" if so, report this line as a bug",
		Cause: err,
	}
}

// StopFenceFailed is the stop for markers that did not come within a start's patience.
func StopFenceFailed(err error, patience time.Duration) *stops.Error {
	return &stops.Error{
		Name: stops.FenceFailed,
		What: fmt.Sprintf("the markers of our fence cannot be read in every partition within %v (%s)",
			patience, Words(err)),
		Safe: "everything: nothing was written",
		Do: "make sure that every partition of the output and dead-letter topics has a leader and enough replicas, " +
			"then start again",
		Cause: err,
	}
}

// Exhausted is a request that failed until patience ended.
type Exhausted struct {
	What  string
	After time.Duration
	Hint  string // remedy, if known
	Err   error  // the last one
}

func (r *Exhausted) Error() string {
	return fmt.Sprintf("%s: given up after %v: %s", r.What, r.After.Round(time.Millisecond), Words(r.Err))
}

func (r *Exhausted) Unwrap() error { return r.Err }

func (r *Exhausted) stop() *stops.Error {
	s := &stops.Error{
		Name: stops.Unreachable, What: r.Error(), Safe: "everything that was acknowledged; nothing was written since",
		Do: r.Hint, Cause: r,
	}
	if s.Do == "" && IsBrokerError(r.Err) {
		s.Do = "look for this in the log of the broker that the response is from"
	}
	if s.Do == "" {
		s.Do = "make sure that the brokers run and can be reached from here: `rosenblatt check` goes step by step"
	}
	return s
}
