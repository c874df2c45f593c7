package preflight

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
)

func TestFolder(t *testing.T) {
	state := t.TempDir()
	folder := filepath.Join(state, "m")
	member := false
	lines := func() string {
		var out strings.Builder
		(&checklist{out: &out}).folder(folder, member)
		return out.String()
	}
	expect := func(want string) {
		t.Helper()
		if got := lines(); !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	expect("ok    state        " + folder + " does not exist yet and can be created")
	release, err := (&checkpoint.Store{Dir: folder}).Lock()
	if err != nil {
		t.Fatal(err)
	}
	expect("note  state        " + folder + " is in use by another process: a daemon of this model is running")
	member = true
	expect("note  state        " + folder + " is in use by another process: a daemon with this folder is running; one" +
		" more that shares the model needs a --state of its own")
	if err := release(); err != nil {
		t.Fatal(err)
	}
	expect("ok    state        " + folder + ", without a checkpoint")
	if err := os.WriteFile(filepath.Join(folder, "checkpoint-5"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	expect("FAIL  state        " + filepath.Join(folder, "checkpoint-5") + " is not a valid checkpoint")
	invalid := filepath.Join(folder, "checkpoint-5")
	if err := os.Rename(invalid, invalid+".corrupt"); err != nil {
		t.Fatal(err)
	}
	expect("ok    state        " + folder + ", without a checkpoint")
	s := &checkpoint.Store{Dir: folder}
	if _, err := s.Save(5, []byte("{}"), nil, checkpoint.Base{}); err != nil {
		t.Fatal(err)
	}
	expect("ok    state        " + folder + ", 1 checkpoint")
	file := filepath.Join(folder, "checkpoint-5")
	for _, folder = range []string{file, filepath.Join(file, "m")} { // --state names a file
		expect("FAIL  state        " + file + " is not a folder: choose another --state")
	}
}
