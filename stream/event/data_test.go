package event

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/learner/datasets"
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
		t.Run(c.file, func(t *testing.T) {
			file, err := os.Open(datasets.Path(t, c.file))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
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
				arena = d.Decode(&Record{Value: lines.Bytes()}, arena[:0], &e)
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
		})
	}
}
