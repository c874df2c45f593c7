package event

import (
	"math/rand/v2"
	"testing"
)

// What the quotes of a line alone show is what its cells do.
func TestRowsByQuotes(t *testing.T) {
	const bytes = `"""',;  ` + "\t" + `ab|`
	r := rand.New(rand.NewPCG(1, 1))
	for _, d := range dialects {
		rows := d.Rows()
		if rows == nil {
			continue
		}
		for range 200_000 {
			line := make([]byte, r.IntN(12))
			for i := range line {
				line[i] = bytes[r.IntN(len(bytes))]
			}
			quick := rows.Begin(line)
			rows.state = complete
			if more, _ := rows.More(line); more != quick {
				t.Fatalf("%+v: %q goes on: %v, by its cells %v", d, line, quick, more)
			}
		}
	}
}
