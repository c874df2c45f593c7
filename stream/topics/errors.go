package topics

import (
	"errors"
	"fmt"
)

// ErrIndeterminate says that a batch may or may not have been written: nothing more may be sent under this epoch, and
// only recovery from the journal tells what stands there.
var ErrIndeterminate = errors.New("a write in doubt")

// Refused is a single record that the broker will not take, whatever is done (codes 10, 32, 87).
type Refused struct {
	Batch int // the index of its batch among those given to Append
	Index int // of the record in that batch
	Code  int // Kafka's error code
}

func (r *Refused) Error() string {
	return fmt.Sprintf("record %d of the batch was refused with code %d", r.Index, r.Code)
}
