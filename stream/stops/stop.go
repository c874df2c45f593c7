package stops

import (
	"errors"
	"fmt"
	"slices"
)

// The names of the stops. Kinds describes them.
const (
	StateInvalid      = "state-invalid"
	StateMissing      = "state-missing"
	InputGone         = "input-gone"
	BeyondEnd         = "beyond-end"
	TopicChanged      = "topic-changed"
	JournalGone       = "journal-gone"
	DeadLettersGone   = "dead-letters-gone"
	ConfigDiffers     = "config"
	JournalDiffers    = "journal-differs"
	OtherWriter       = "other-writer"
	OutputUnfit       = "output-unfit"
	OutputTooNarrow   = "output-too-narrow"
	PartitionsDiffer  = "partitions-differ"
	FenceFailed       = "fence-failed"
	FenceIneffective  = "fence-ineffective"
	UnsupportedBroker = "unsupported-broker"
	BadBatch          = "bad-batch"
	Fenced            = "fenced"
	NotAllowed        = "not-allowed"
	TopicMissing      = "topic-missing"
	Unreachable       = "unreachable"
	KafkaError        = "kafka-error"
	StateInUse        = "state-in-use"
	StateUnreadable   = "state-unreadable"
	StateUnwritable   = "state-unwritable"
	TooManySchemas    = "too-many-schemas"
	SchemaChanged     = "schema-changed"
)

// Error is a condition in which the invariant cannot be kept. It ends the run.
type Error struct {
	Name  string
	What  string // what was found, with the numbers
	Safe  string
	Do    string // what the operator can do
	Cause error  // may be nil

	Retriable bool // in this case, whatever its Kind

	token string // see Offer
}

// IsRetriable reports whether another start with the same settings may succeed. After the other stops it ends in the
// same way until an operator has decided or repaired something.
func (s *Error) IsRetriable() bool {
	return s.Retriable || slices.ContainsFunc(Kinds(), func(k Kind) bool { return k.Name == s.Name && k.Retriable })
}

func (s *Error) Unwrap() error { return s.Cause }

func (s *Error) Error() string {
	return fmt.Sprintf("error=%s: %s. Safe: %s. To do: %s", s.Name, s.What, s.Safe, s.Do)
}

// Is reports whether err is the stop of this name.
func Is(err error, name string) bool {
	var s *Error
	return errors.As(err, &s) && s.Name == name
}

// InputGoneAt says that the input no longer holds the position.
func InputGoneAt(topic string, partition int32, position, start int64) *Error {
	return &Error{Name: InputGone,
		What: fmt.Sprintf("topic %s partition %d begins at offset %d, the model's position is %d:"+
			" %d records are gone that were not read yet or have to be learned again",
			topic, partition, start, position, start-position),
		Safe: "all that was predicted and learned before",
		Do: "restore the records; or go on at the log's start without them with --accept input-gone; and raise the" +
			" topic's retention"}
}

// BeyondEndAt says that the input ends before the position.
func BeyondEndAt(topic string, partition int32, position, end int64) *Error {
	return &Error{Name: BeyondEnd,
		What: fmt.Sprintf("topic %s partition %d ends at offset %d, the model's position is %d:"+
			" records the model has learned from are gone", topic, partition, end, position),
		Safe: "all that was predicted and learned before",
		Do: "find out why the log was cut (unclean leader election, restored backup); or go on at the log's" +
			" end with --accept beyond-end"}
}

// ReplacedAt says that records below a position are others now: the epoch of the leader that wrote the last of them
// ended below it.
func ReplacedAt(name, topic string, partition int32, position int64, leader int32, end int64) *Error {
	return &Error{Name: name,
		What: fmt.Sprintf("topic %s partition %d holds other records from offset %d on than those that were read or"+
			" written up to offset %d: leader epoch %d ended there, and later leaders wrote on", topic, partition, end,
			position, leader),
		Safe: "all that was predicted and learned before",
		Do: fmt.Sprintf("find out why acknowledged records were lost (unclean leader election, restored disk, power"+
			" loss of all replicas), and restore them; or go on at offset %d with --accept %s", end, name)}
}

// Recreated says that a topic was replaced by another one of its name while the task ran.
func Recreated(topic, was, is string) *Error {
	return &Error{Name: TopicChanged,
		What: fmt.Sprintf("topic %s had the id %s and has %s now: it was deleted and created again", topic, was, is),
		Safe: "every prediction published so far, and the checkpoint of it",
		Do:   "restore the topic, or start with --accept topic-changed to begin at the new topic's start"}
}

// OnlyRead makes a stop that of a command that only reads.
func OnlyRead(err error) error {
	if stop, ok := errors.AsType[*Error](err); ok {
		read := *stop
		read.Safe = "everything: nothing was changed"
		return &read
	}
	return err
}
