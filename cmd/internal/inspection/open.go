package inspection

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"rosenblatt/checkpoint"
)

// Open opens a checkpoint, or the newest valid one in a folder. Invalid ones are named on notes and left as they are.
func Open(path string, notes io.Writer) (*checkpoint.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return checkpoint.Open(nil, path)
	}
	files, err := (&checkpoint.Store{Dir: path}).Files()
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		f, err := checkpoint.Open(nil, name)
		var invalid *checkpoint.Invalid
		switch {
		case err == nil:
			return f, nil
		case errors.As(err, &invalid):
			fmt.Fprintf(notes, "rosenblatt: %v\n", invalid)
		case !errors.Is(err, fs.ErrNotExist): // a running daemon may have removed it since
			return nil, err
		}
	}
	if len(files) > 0 {
		return nil, fmt.Errorf("%s: none of its %d checkpoints is valid", path, len(files))
	}
	return nil, noCheckpoint(path)
}

// noCheckpoint names folders below that hold checkpoints.
func noCheckpoint(path string) error {
	below, err := filepath.Glob(filepath.Join(path, "*", "checkpoint-*"))
	if err != nil || len(below) == 0 {
		return fmt.Errorf("%s holds no checkpoint", path)
	}
	var models []string
	for _, file := range below {
		if dir := filepath.Dir(file); len(models) == 0 || models[len(models)-1] != dir {
			models = append(models, dir)
		}
	}
	return fmt.Errorf("%s holds no checkpoint itself: want one of its models, %s", path, strings.Join(models, " or "))
}
