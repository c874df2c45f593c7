package verdict

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// Class is what an error means for its caller.
type Class uint8

const (
	Fatal         Class = iota // stop: an operator has to change something
	Retriable                  // repeat the request, a batch with the same bytes
	Indeterminate              // unknown what was written or what the coordinator holds: recover from the journal
	Fenced                     // another process took over: stop
	Refused                    // the batch or a record is not acceptable and used no sequence
)

// classes are Kafka's error codes (org.apache.kafka.common.protocol.Errors, as of 4.3) by class. All others, also those
// of a later Kafka, are fatal: the next start finds in the journal what was written.
//
// A produce that met UNKNOWN_SERVER_ERROR, CORRUPT_MESSAGE, REQUEST_TIMED_OUT, NETWORK_EXCEPTION,
// NOT_ENOUGH_REPLICAS_AFTER_APPEND or KAFKA_STORAGE_ERROR may have been written: the broker recognizes the same bytes
// by their sequence. It becomes indeterminate when the fence is too old.
var classes = map[Class][]*kerr.Error{
	//mutation:retriable-codes
	Retriable: {
		kerr.UnknownServerError, kerr.CorruptMessage, kerr.RequestTimedOut, kerr.NetworkException,
		kerr.KafkaStorageError,
		kerr.UnknownTopicOrPartition, kerr.UnknownTopicID, kerr.InconsistentTopicID, kerr.LeaderNotAvailable,
		kerr.NotLeaderForPartition, kerr.BrokerNotAvailable, kerr.ReplicaNotAvailable, kerr.NotController,
		kerr.NotEnoughReplicas, kerr.NotEnoughReplicasAfterAppend, kerr.ListenerNotFound, kerr.FencedLeaderEpoch,
		kerr.UnknownLeaderEpoch, kerr.OffsetNotAvailable, kerr.PreferredLeaderNotAvailable,
		kerr.EligibleLeadersNotAvailable, kerr.NewLeaderElected, kerr.RebootstrapRequired, kerr.ReassignmentInProgress,
		kerr.CoordinatorLoadInProgress, kerr.CoordinatorNotAvailable, kerr.NotCoordinator, kerr.ConcurrentTransactions,
		kerr.RebalanceInProgress, kerr.UnstableOffsetCommit, kerr.ThrottlingQuotaExceeded,
		kerr.FetchSessionIDNotFound, kerr.InvalidFetchSessionEpoch, kerr.FetchSessionTopicIDError,
	},
	//mutation:indeterminate-codes
	Indeterminate: {
		kerr.OutOfOrderSequenceNumber, kerr.DuplicateSequenceNumber, kerr.InvalidTxnState, kerr.UnknownProducerID,
		kerr.TransactionAbortable,
	},
	//mutation:fenced-codes
	Fenced:  {kerr.InvalidProducerEpoch, kerr.InvalidProducerIDMapping, kerr.ProducerFenced},
	Refused: {kerr.MessageTooLarge, kerr.RecordListTooLarge, kerr.InvalidTimestamp, kerr.InvalidRecord},
}

// Operation is what an error interrupted.
type Operation uint8

const (
	OnRequest  Operation = iota // a repeatable request
	OnFetch                     // a fetch of a reader, which examines positions out of range
	OnAppend                    // a batch under a fence
	OnSend                      // a batch of a Sender
	OnTakeover                  // a step of one
)

// Judge returns an error's class for an operation. The caller checks its context first.
func Judge(err error, op Operation) Class {
	var unreadable *broker.UnreadableResponse
	c := Classify(err)
	switch {
	//mutation:unreadable-response
	case op == OnAppend && errors.As(err, &unreadable):
		return Indeterminate // a Sender has no journal and repeats the batch
	//mutation:clock-ahead
	case op == OnAppend && IsCode(err, kerr.InvalidTimestamp):
		return Retriable // the timestamp is ours; a Sender's is the record's own
	case op == OnFetch && (errors.Is(err, kerr.OffsetOutOfRange) || IsMissing(err)):
		return Retriable // unless the reader finds another reason
	case op == OnTakeover && c == Fenced:
		// A late copy of our own InitProducerID, or the coordinator's abort of our transaction, may have raised the
		// epoch. The next InitProducerID tells (produce, View.claim).
		return Retriable
	case op == OnTakeover && c == Indeterminate:
		return Retriable // the next InitProducerID settles what the coordinator holds
	}
	return c
}

// Classify returns the class of an error by itself. An error without a code is one of the connection, which is
// retriable (refused, reset, closed, silent, an unknown name while a broker moves), but for a refused TLS handshake or
// token, a broker that is too old, a missing topic and a damaged batch.
func Classify(err error) Class {
	var (
		stop    *stops.Error
		code    *kerr.Error
		missing *MissingTopic
		corrupt *recordbatch.Corrupt
		retries *Exhausted
		dial    *net.OpError
		none    *broker.NoCredentials
	)
	switch {
	case errors.As(err, &stop), errors.As(err, &retries):
		return Fatal
	case errors.Is(err, topics.ErrIndeterminate):
		return Indeterminate
	case errors.As(err, &code):
		return classOf(code)
	case errors.As(err, &dial) && dial.Op == "dial" && dial.Timeout(): // it is a context.DeadlineExceeded, too
		return Retriable
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Fatal
	//mutation:no-credentials
	case errors.As(err, &none) && none.Final:
		return Fatal
	case TLSRefused(err), broker.IsUnsupported(err), errors.As(err, &missing), errors.As(err, &corrupt):
		return Fatal
	}
	return Retriable
}

func classOf(code *kerr.Error) Class {
	for c, codes := range classes {
		if slices.Contains(codes, code) {
			return c
		}
	}
	return Fatal
}

// Coded returns the error of a code, in which errors.Is finds kerr's; nil for 0.
func Coded(code int16, format string, args ...any) error {
	if code == 0 {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, broker.ErrorForCode(code))...)
}

// IsBrokerError tells whether err is a code in a broker's response.
func IsBrokerError(err error) bool {
	var code *kerr.Error
	return errors.As(err, &code)
}

// IsCode tells whether err is one of these codes.
func IsCode(err error, codes ...*kerr.Error) bool {
	var code *kerr.Error
	return errors.As(err, &code) && slices.Contains(codes, code)
}

// IsRefusal tells whether a broker, or whoever gives out what is needed for it, does not let this client in.
func IsRefusal(err error) bool {
	var none *broker.NoCredentials
	return TLSRefused(err) || IsCode(err, rightsErrors...) || errors.As(err, &none) && none.Final
}

// TLSRefused tells whether one side of a TLS handshake refused the other, or does not speak TLS. On an established
// connection the same errors are those of damaged bytes.
func TLSRefused(err error) bool {
	var (
		lost   *broker.Lost
		cert   *tls.CertificateVerificationError
		record tls.RecordHeaderError
	)
	//mutation:established-tls
	if errors.As(err, &lost) {
		return false
	}
	return broker.IsRefusal(err) || errors.As(err, &cert) || errors.As(err, &record)
}
