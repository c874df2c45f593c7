package stream

import (
	"errors"
	"fmt"
)

// ErrInDoubt says that a batch may or may not have been written: nothing more may be sent under this epoch, and only
// recovery from the journal tells what stands there.
var ErrInDoubt = errors.New("a write in doubt")

// Refused is a single record that the broker will not take, whatever is done (codes 10, 32, 87).
type Refused struct {
	Index int // of the record in the batch given to Append
	Code  int // Kafka's error code
}

func (r *Refused) Error() string {
	return fmt.Sprintf("record %d of the batch was refused with code %d", r.Index, r.Code)
}

// The names of the stops. Those that --accept can pass are in Acceptable.
const (
	StateInvalid    = "state-invalid"
	StateMissing    = "state-missing"
	InputGone       = "input-gone"
	BeyondEnd       = "beyond-end"
	TopicChanged    = "topic-changed"
	JournalGone     = "journal-gone"
	LettersGone     = "dead-letters-gone"
	ConfigDiffers   = "config"
	JournalDiffers  = "journal-differs"
	OtherWriter     = "other-writer"
	OutputUnfit     = "output-unfit"
	OutputTooNarrow = "output-too-narrow"
	FenceFailed     = "fence-failed"
	BadBatch        = "bad-batch"
	Fenced          = "fenced"
	NotAllowed      = "not-allowed"
	TopicMissing    = "topic-missing"
	Unreachable     = "unreachable"
	KafkaError      = "kafka-error"
	StateInUse      = "state-in-use"
	StateUnreadable = "state-unreadable"
	StateUnwritable = "state-unwritable"
)

// Acceptable lists the stops that --accept can pass.
func Acceptable() []string {
	return []string{StateInvalid, StateMissing, InputGone, BeyondEnd, TopicChanged, JournalGone, LettersGone, ConfigDiffers}
}

// Stop is a state of the world in which the daemon cannot keep its promise. It ends the run, names itself, and says what is
// safe and what to do.
type Stop struct {
	Name  string // one of the names above
	What  string // what was found, with the numbers
	Safe  string // what is safe as it stands
	Do    string // what the operator can do
	Cause error  // the error that it came from, may be nil
}

func (s *Stop) Unwrap() error { return s.Cause }

func (s *Stop) Error() string {
	return fmt.Sprintf("error=%s: %s. Safe: %s. To do: %s", s.Name, s.What, s.Safe, s.Do)
}

// IsStop tells whether err is the stop of this name.
func IsStop(err error, name string) bool {
	var s *Stop
	return errors.As(err, &s) && s.Name == name
}
