package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// OpenNewest opens a checkpoint or, given a folder, the newest valid one in it. It calls passed, unless that is nil,
// with each newer one, which is invalid. It changes nothing, so a daemon may be using the folder.
func OpenNewest(path string, passed func(*Invalid)) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return Open(nil, path)
	}
	files, err := (&Store{Dir: path}).Files()
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		f, err := Open(nil, name)
		var invalid *Invalid
		switch {
		case err == nil:
			return f, nil
		case errors.As(err, &invalid):
			if passed != nil {
				passed(invalid)
			}
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
