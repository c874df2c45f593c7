package event

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/learner"
)

// TestRealData decodes real files whole: every line is an example, and as many are positive as their sources say.
func TestRealData(t *testing.T) {
	elec := Defaults(CSV)
	elec.LabelField, elec.Positive = "class", "UP"
	for _, c := range []struct {
		file                        string
		o                           Options
		examples, positive, maximum int // maximum: of features
	}{
		{"elec2/electricity.csv", elec, 45312, 19237, 8},
		{"a9a/a9a", Defaults(LIBSVM), 32561, 7841, 14},
		{"rcv1_small/rcv1_small.dat", Defaults(VW), 1000, 459, 400},
	} {
		file := open(t, c.file)
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		if c.o.Format == CSV {
			lines.Scan()
			c.o.Columns = strings.Split(lines.Text(), ",")
		}
		d := decoder(t, c.o)
		var e Example
		var arena []learner.Feature
		examples, positive := 0, 0
		for lines.Scan() {
			arena = d.Decode(nil, lines.Bytes(), arena[:0], &e)
			if e.reason() != OK || e.Label == 0 || len(arena) > c.maximum {
				t.Fatalf("%s, line %d: %q %s, %d features", c.file, examples+1, e.reason(), e.text(), len(arena))
			}
			examples++
			if e.Label > 0 {
				positive++
			}
		}
		if lines.Err() != nil || examples != c.examples || positive != c.positive {
			t.Errorf("%s: %v, %d examples, %d positive; want %d and %d", c.file, lines.Err(), examples, positive,
				c.examples, c.positive)
		}
	}
}

// open opens a file of ../shared/data beside the repository, or skips the test.
func open(t *testing.T, name string) *os.File {
	t.Helper()
	root, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(root, "go.mod")); missing == nil || root == filepath.Dir(root) {
			break
		}
		root = filepath.Dir(root)
	}
	file, err := os.Open(filepath.Join(root, "..", "shared", "data", name))
	if err != nil {
		t.Skipf("the data sets are not here: %v", err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}
