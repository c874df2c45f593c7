package inspection

import (
	"encoding/json"
	"fmt"
	"io"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/model"
)

// Open opens a checkpoint, or the newest valid one in a folder. Invalid ones are named on notes and left as they are.
func Open(path string, notes io.Writer) (*checkpoint.File, error) {
	return checkpoint.OpenNewest(path, func(invalid *checkpoint.Invalid) {
		fmt.Fprintf(notes, "rosenblatt: %v\n", invalid)
	})
}

// NewestHeader is that of the newest valid checkpoint in a folder; nil without one.
func NewestHeader(folder string) *model.Header {
	file, err := Open(folder, io.Discard)
	if err != nil {
		return nil
	}
	return HeaderOf(file)
}

// HeaderOf is that of a checkpoint; nil where it is none of a model.
func HeaderOf(file *checkpoint.File) *model.Header {
	var h model.Header
	if json.Unmarshal(file.Header, &h) != nil || len(h.Positions) == 0 {
		return nil
	}
	return &h
}
