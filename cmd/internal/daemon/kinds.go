package daemon

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
	"rosenblatt/stream/survey"
)

// KindRows is how many rows of a file decide what its columns hold.
const KindRows = survey.Most

// FixKinds fixes which columns of a file's table hold words and which numbers, where the options leave it open, by its
// first rows. It returns the settings that run needs to read the same, empty for none. It is for commands on files:
// where a model lives on, kinds are not guessed.
func FixKinds(o *event.Options, rows [][]byte) (settings string) {
	survey.FixKinds(o, rows)
	var all []string
	if len(o.Categorical) > 0 {
		all = append(all, "--categorical "+cli.Argument(o.Categorical...))
	}
	if len(o.Numeric) > 0 {
		all = append(all, "--numeric "+cli.Argument(o.Numeric...))
	}
	return strings.Join(all, " ")
}

// NoteKinds is FixKinds with a line about it, as replay and train print it.
func NoteKinds(w io.Writer, o *event.Options, rows [][]byte) {
	if settings := FixKinds(o, rows); settings != "" {
		fmt.Fprintf(w, "rosenblatt: columns of words and of numbers, by the first %s; run needs: %s\n",
			english.Plural(len(rows), "row", ""), settings)
	}
}

// Guessed are the columns that FixKinds has added to those that were given.
func Guessed(all, given []string) (added []string) {
	return slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(given, name) })
}

// NoteStrays says which columns of numbers had words behind the rows that decided, or against --numeric, which names
// those given. Places in the one file that is read are its lines.
func NoteStrays(w io.Writer, all event.Strays, given []string, file string) {
	for _, x := range all {
		by := "the first " + humanize.Comma(KindRows) + " rows, then"
		if slices.Contains(given, x.Column) {
			by = "--numeric, but"
		}
		where := x.First
		if line, ok := strings.CutPrefix(where, file+":"); ok {
			where = "line " + line
		}
		fmt.Fprintf(w, "rosenblatt: %s: a number by %s a text %s, first in %s: each text became a feature of its own\n",
			x.Column, by, english.Plural(int(x.Count), "time", ""), where)
	}
}

// keepKinds leaves out what a model says of columns that a file does not have.
func keepKinds(o *event.Options, given bool) {
	unknown := func(name string) bool { return !slices.Contains(o.Columns, name) }
	if !given && len(o.Columns) > 0 {
		o.Categorical = slices.DeleteFunc(slices.Clone(o.Categorical), unknown)
		o.Numeric = slices.DeleteFunc(slices.Clone(o.Numeric), unknown)
	}
}
