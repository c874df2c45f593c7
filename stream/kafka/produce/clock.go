package produce

import (
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/stream/kafka/verdict"
)

// clockAhead is a batch that the broker refuses for its time, which this machine's clock gave: no fault of its records.
// It is tried again with the time of then.
type clockAhead struct {
	topic string
	err   error
}

func (c *clockAhead) Error() string {
	return fmt.Sprintf("clock-ahead: this machine's clock is wrong, or that of the broker; set it right, and it goes"+
		" on (message.timestamp.after.max.ms of topic %s is what it may be ahead): %v", c.topic, c.err)
}

func (c *clockAhead) Unwrap() error { return c.err }

// mayBeWritten tells whether a batch whose request failed with a retriable error may have been written all the same.
func mayBeWritten(err error) bool {
	var code *kerr.Error
	return !errors.As(err, &code) || verdict.IsCode(err, kerr.UnknownServerError, kerr.RequestTimedOut,
		kerr.NetworkException, kerr.NotEnoughReplicasAfterAppend, kerr.KafkaStorageError, kerr.CorruptMessage)
}
