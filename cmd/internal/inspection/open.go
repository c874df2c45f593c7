package inspection

import (
	"fmt"
	"io"

	"rosenblatt/checkpoint"
)

// Open opens a checkpoint, or the newest valid one in a folder. Invalid ones are named on notes and left as they are.
func Open(path string, notes io.Writer) (*checkpoint.File, error) {
	return checkpoint.OpenNewest(path, func(invalid *checkpoint.Invalid) {
		fmt.Fprintf(notes, "rosenblatt: %v\n", invalid)
	})
}
