package tail

import (
	"bufio"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/daemon"
)

// TestTable: columns that no row has are left out until one has them, texts cannot move a terminal's cursor, and lines
// are cut at its width, where a character may be two cells wide.
func TestTable(t *testing.T) {
	var out strings.Builder
	table := &table{out: bufio.NewWriter(&out), width: 30, colours: true,
		columns: []column{{title: "a"}, {title: "n", right: true}, {title: "b"}}}
	show := func(want string, rows ...*row) {
		t.Helper()
		out.Reset()
		for _, r := range rows {
			if err := table.add(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := table.flush(); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	show("\x1b[1mA\x1b[0m\none\nthree\n", &row{cells: []string{"one", "", ""}}, &row{cells: []string{"three", "", ""}})
	show("two\n", &row{cells: []string{"two", "", ""}})
	show("\x1b[1mA        N\x1b[0m\n\x1b[31mfour     4\x1b[0m\nfive   -10\n",
		&row{cells: []string{"four", "4", ""}, wrong: true}, &row{cells: []string{"five", "-10", ""}})
	show("\x1b[1mA        N  B\x1b[0m\nsix      6  a\uFFFD[31m b\uFFFD\n",
		&row{cells: []string{"six", "6", "a\x1b[31m\tb\u202e"}})
	show("seven    7  漢漢漢漢漢漢漢漢…\n", &row{cells: []string{"seven", "7", strings.Repeat("漢", 20)}})
	show("")
}

// TestModels: with a model for each partition all of them are shown, and no other one.
func TestModels(t *testing.T) {
	for per, names := range map[string]map[string]bool{
		"all":       {"m@1": true, "m.0@1": false, "mm@1": false, "m": false, "": false, "@1": false},
		"partition": {"m.0@1": true, "m.12@3": true, "m@1": false, "m.x@1": false, "n.0@1": false, "m.0": false},
	} {
		x := &tail{plan: &plan{names: daemon.Topics{Model: "m", ModelPer: per}}}
		for name, want := range names {
			if got := x.isModel(name); got != want {
				t.Errorf("--model-per %s, %q: %v", per, name, got)
			}
		}
	}
}
