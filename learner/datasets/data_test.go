package datasets

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestMain says what is missing. Of a package that passes, `go test ./...` shows a line only, with this warning on it:
// "[no tests to run]". With -v each skipped test names its data set.
func TestMain(m *testing.M) {
	for _, name := range Provided {
		if Find(name) == "" {
			fmt.Println("testing: warning: no tests to run")
			fmt.Printf("data set %s is missing: .ci/data gets it; tests that need it are skipped\n", name)
		}
	}
	os.Exit(m.Run())
}

// TestProvided: in CI what .ci/data provides is there.
func TestProvided(t *testing.T) {
	for _, name := range Provided {
		t.Run(name, func(t *testing.T) {
			if info, err := os.Stat(Path(t, name)); err != nil || info.Size() == 0 {
				t.Error(info, err)
			}
		})
	}
}

// TestProvidedByTheScript: .ci/data has the same files.
func TestProvidedByTheScript(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository(), ".ci", "data"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range regexp.MustCompile(`(?m)^    \("([^"]+)", [A-Z]+,`).FindAllStringSubmatch(string(text), -1) {
		names = append(names, row[1])
	}
	slices.Sort(names)
	if !slices.Equal(names, Provided) {
		t.Errorf(".ci/data has %q, want %q", names, Provided)
	}
}

// TestMissing: without a data set the test that needs it is skipped, and in CI fails if .ci/data provides the set.
func TestMissing(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", "")
	for _, c := range []struct {
		ci, name string
		want     string
	}{
		{"", "iris/iris.csv", "skipped"}, {"", "elec2/electricity.csv", "skipped"},
		{"true", "iris/iris.csv", "failed"}, {"true", "elec2/electricity.csv", "skipped"},
	} {
		t.Setenv("CI", c.ci)
		if got := ending(t, c.name); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// ending is how a test ends that needs a data set.
func ending(t *testing.T, name string) (how any) {
	defer func() { how = recover() }()
	Path(recorder{t}, name)
	return nil
}

// recorder panics with how a test ends, where a real one ends its goroutine.
type recorder struct{ testing.TB }

func (recorder) Skipf(string, ...any)  { panic("skipped") }
func (recorder) Fatalf(string, ...any) { panic("failed") }
