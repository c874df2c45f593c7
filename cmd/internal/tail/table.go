package tail

import (
	"bufio"
	"io"
	"os"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"rosenblatt/cmd/internal/cli"
)

// column is one of a table.
type column struct {
	title string
	right bool // numbers, which are aligned so
}

// table shows rows in columns that are as wide as the first rows need. A column that no row has is left out. On a
// terminal there are colours, and lines are cut at its width.
type table struct {
	out     *bufio.Writer
	columns []column
	colours bool
	width   int // of a terminal; 0: lines are not cut
	rows    []*row
	widths  []int // by column, as printed; 0: left out. Nil: nothing is printed yet
}

const (
	mostRows  = 500 // that decide how wide columns are
	mostWidth = 60  // of a column; a longer cell moves those behind it
	gap       = "  "
)

// jsonLines shows rows as objects.
type jsonLines struct{ out *bufio.Writer }

func (j *jsonLines) add(r *row) error {
	_, err := j.out.Write(append(r.json, '\n'))
	return err
}

func (j *jsonLines) flush() error { return j.out.Flush() }

func newShower(out io.Writer, json bool, columns []column) shower {
	if json {
		return &jsonLines{bufio.NewWriter(out)}
	}
	t := &table{out: bufio.NewWriter(out), columns: columns}
	if f, ok := out.(*os.File); ok && cli.IsTerminal(f) {
		t.colours = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			t.width = width
		}
	}
	return t
}

func (t *table) add(r *row) error {
	for i := range r.cells {
		//mutation:tail-printable
		r.cells[i] = cli.Printable(r.cells[i])
	}
	if t.rows = append(t.rows, r); len(t.rows) >= mostRows {
		return t.print()
	}
	return nil
}

func (t *table) flush() error {
	if err := t.print(); err != nil {
		return err
	}
	return t.out.Flush()
}

// print writes the rows that are kept, below a head where the columns are others than before.
func (t *table) print() error {
	if len(t.rows) == 0 {
		return nil
	}
	if t.measure() {
		head := make([]string, len(t.columns))
		for i, c := range t.columns {
			head[i] = strings.ToUpper(c.title)
		}
		t.line(head, bold)
	}
	for _, r := range t.rows {
		style := ""
		if r.wrong {
			style = red
		}
		t.line(r.cells, style)
	}
	t.rows = t.rows[:0]
	return nil
}

// measure decides how wide columns are. It reports whether a head is needed.
func (t *table) measure() (changed bool) {
	if t.widths == nil {
		t.widths, changed = make([]int, len(t.columns)), true
	}
	for _, r := range t.rows {
		for i, cell := range r.cells {
			if cell == "" {
				continue
			}
			if t.widths[i] == 0 {
				t.widths[i], changed = uniseg.StringWidth(t.columns[i].title), true
			}
		}
	}
	if !changed {
		return false
	}
	for _, r := range t.rows {
		for i, cell := range r.cells {
			t.widths[i] = max(t.widths[i], min(uniseg.StringWidth(cell), mostWidth))
		}
	}
	return true
}

// Of terminals.
const (
	bold  = "\x1b[1m"
	red   = "\x1b[31m"
	reset = "\x1b[0m"
)

// line writes a line; a style is for terminals alone.
func (t *table) line(cells []string, style string) {
	var b strings.Builder
	last := len(cells) - 1
	for last > 0 && (t.widths[last] == 0 || cells[last] == "") {
		last--
	}
	for i, cell := range cells[:last+1] {
		if t.widths[i] == 0 {
			continue
		}
		pad := strings.Repeat(" ", max(0, t.widths[i]-uniseg.StringWidth(cell)))
		switch {
		case t.columns[i].right:
			b.WriteString(pad + cell)
		case i == last:
			b.WriteString(cell)
		default:
			b.WriteString(cell + pad)
		}
		if i < last {
			b.WriteString(gap)
		}
	}
	text := b.String()
	if t.width > 0 {
		text = cut(text, t.width)
	}
	if t.colours && style != "" {
		text = style + text + reset
	}
	_, _ = t.out.WriteString(text + "\n") // its errors stay until flush
}

// cut shortens a text to the width of a terminal.
func cut(text string, width int) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	var b strings.Builder
	used, state := 0, -1
	for rest := text; rest != ""; {
		var cluster string
		var wide int
		cluster, rest, wide, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used += wide; used > width-1 {
			break
		}
		b.WriteString(cluster)
	}
	return b.String() + "…"
}
