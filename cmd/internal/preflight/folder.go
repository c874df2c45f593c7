package preflight

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/dustin/go-humanize/english"
	"github.com/gofrs/flock"

	"rosenblatt/checkpoint"
)

// folder checks whether checkpoints could be written. It creates no folder: check may run as another user.
func (l *checklist) folder(dir string, member bool) {
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
	//mutation:check-folder-of-a-member
	case locked(dir) && member:
		l.note(what, dir+" is in use by another process", "a daemon with this folder is running; one more that shares"+
			" the model needs a --state of its own")
	case locked(dir):
		l.note(what, dir+" is in use by another process",
			"a daemon of this model is running; to start a second one, choose another --model and --output")
	default:
		l.checkpoints(what, dir)
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

// checkpoints opens the newest ones, up to one that is valid. It renames none, as a start does.
func (l *checklist) checkpoints(what, dir string) {
	files, err := (&checkpoint.Store{Dir: dir}).Files()
	for i := 0; err == nil && i < len(files); i++ {
		_, invalid := checkpoint.Open(nil, files[i])
		if invalid == nil {
			l.ok(what, "%s, %s", dir, english.Plural(len(files), "checkpoint", ""))
			return
		}
		l.fail(what, invalid.Error(), "see Stops in the operator's guide: state-invalid and state-unreadable")
	}
	switch {
	case err != nil:
		l.fail(what, err.Error(), "choose another --state")
	case len(files) == 0:
		l.ok(what, "%s, without a checkpoint", dir)
	}
}
