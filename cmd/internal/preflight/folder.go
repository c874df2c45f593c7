package preflight

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/dustin/go-humanize/english"
	"github.com/gofrs/flock"
)

// folder checks whether checkpoints could be written. It creates no folder: check may run as another user.
func (l *checklist) folder(dir string) {
	const what = "state"
	at, missing := dir, false
	info, err := os.Stat(at)
	for (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) && at != filepath.Dir(at) {
		at, missing = filepath.Dir(at), true
		info, err = os.Stat(at)
	}
	var writing error
	if err == nil && info.IsDir() {
		writing = tryWriting(at)
	}
	switch {
	case err != nil:
		l.fail(what, err.Error(), "choose another --state")
	case !info.IsDir():
		l.fail(what, at+" is not a folder", "choose another --state")
	case writing != nil:
		found, do := folderAdvice(writing)
		l.fail(what, at+": "+found, do)
	case missing:
		l.ok(what, "%s does not exist yet and can be created", dir)
	case locked(dir):
		l.note(what, dir+" is in use by another process",
			"a daemon of this model is running; to start a second one, choose another --model and --output")
	default:
		l.ok(what, "%s%s", dir, checkpoints(dir))
	}
}

func tryWriting(dir string) error {
	f, err := os.CreateTemp(dir, ".rosenblatt-check-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString("check")
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// locked tells whether a running daemon holds the folder.
func locked(dir string) bool {
	path := filepath.Join(dir, "lock")
	if _, err := os.Stat(path); err != nil {
		return false
	}
	lock := flock.New(path)
	ok, err := lock.TryLock()
	if ok {
		_ = lock.Unlock() // closing the file does it too
	}
	return err == nil && !ok
}

func checkpoints(dir string) string {
	all, err := filepath.Glob(filepath.Join(dir, "checkpoint-*"))
	if err != nil || len(all) == 0 {
		return ", empty"
	}
	return ", " + english.Plural(len(all), "checkpoint", "")
}
