package checkpoint

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the lists of file operations in testdata")

// Durability depends on the order of operations (see doc.go), so people review changes of these lists.
func TestFileOperations(t *testing.T) {
	watched := &opFS{under: newMem()}
	s := &Store{FS: watched, Dir: testDir}
	mustSave(t, s, 8, 1)
	wantOperations(t, watched, "first-save.txt")
	mustSave(t, s, 9, 2)
	wantOperations(t, watched, "save.txt")
	mustSave(t, s, 10, 3)
	watched.log = nil
	mustSave(t, s, 11, 4)
	wantOperations(t, watched, "save-with-pruning.txt")
	mustSave(t, s, 11, 5)
	wantOperations(t, watched, "save-of-the-same-seq.txt")

	put(t, watched.under.(memFS), testDir+"/checkpoint-12", []byte("garbage"))
	put(t, watched.under.(memFS), testDir+"/checkpoint-12.0123456789abcdef.tmp", nil)
	watched.log = nil
	if _, _, err := s.Newest(); err != nil {
		t.Fatal(err)
	}
	wantOperations(t, watched, "newest-with-leftovers.txt")
}

// wantOperations compares the operations since the previous call with a file.
func wantOperations(t *testing.T, watched *opFS, name string) {
	t.Helper()
	got := strings.Join(watched.log, "\n") + "\n"
	watched.log = nil
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, []byte(got), fileMode); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: the operations are\n%s\nwant\n%s", name, got, want)
	}
}
