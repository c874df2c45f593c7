package topics

import (
	"errors"
	"fmt"
)

// ErrIndeterminate says that a batch may or may not have been written: nothing more may be sent under this epoch, and
// only recovery from the journal shows whether it was.
var ErrIndeterminate = errors.New("an indeterminate write")

// Refused is a single record that the broker never takes: it is too large or not valid.
type Refused struct {
	Batch int   // its index among those given to Append
	Index int   // of the record in that batch
	Err   error // what the broker said
}

func (r *Refused) Error() string {
	return fmt.Sprintf("record %d of the batch is refused: %v", r.Index, r.Err)
}

func (r *Refused) Unwrap() error { return r.Err }
