package stream

import (
	"errors"
	"fmt"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// refusedRecord is a record whose dead letter the broker refused.
type refusedRecord struct {
	at    topics.Place
	cause error
}

func (r *refusedRecord) Error() string {
	return fmt.Sprintf("the dead letter of %v: %v", r.at, r.cause)
}

func (r *refusedRecord) Unwrap() error { return r.cause }

// refusedStop makes a stop of a dead letter that the broker refuses even without the record's value, key and headers.
func refusedStop(err error) error {
	var r *refusedRecord
	if errors.As(err, &r) {
		return unplaced(r.at, r)
	}
	return err
}

// unplaced is the stop for a record whose dead letter cannot be written.
func unplaced(at topics.Place, cause error) *stops.Error {
	s := &stops.Error{Name: stops.KafkaError, Cause: cause,
		What: fmt.Sprintf("%v is rejected, and its dead letter fits into no batch even without value and key", at),
		Safe: "everything up to this record; its position is not passed",
		Do:   "raise max.message.bytes of the dead-letter topic, and start again"}
	if cause != nil {
		s.What = fmt.Sprintf("%v is rejected, and the broker refuses its dead letter even without value and key: %v",
			at, cause)
	}
	return s
}
