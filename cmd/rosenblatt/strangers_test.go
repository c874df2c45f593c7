package main

import (
	"fmt"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
)

// TestFilesOfStrangers: what is printed of files as they are found, by replay.
func TestFilesOfStrangers(t *testing.T) {
	t.Parallel()
	rows := func(n int, row string) string {
		var all strings.Builder
		for i := range n {
			all.WriteString(strings.ReplaceAll(row, "#", fmt.Sprint(i)))
		}
		return all.String()
	}
	for name, c := range map[string]struct {
		content string
		flags   string
		want    string
		code    int
	}{
		"blanks and a tab": {"18.0   8   307.0\t\"a b\"\n15.0   8   350.0\t\"c d\"\n", "",
			"separated by blanks", cli.ExitFailed},
		"numbers in it": {"18.0   8   307.0\t\"a b\"\n15.0   8   350.0\t\"c d\"\n", "",
			"say --no-header", cli.ExitFailed},
		"another header": {"checking account,age in years,label\nA11 42 1\nA12 24 0\n", "",
			"the header of a file is separated otherwise: add --columns 'checking account,age in years,label'",
			cli.ExitFailed},
		"one cell": {"a,b,label\n1\n", "", "the row has 1 cell, but", cli.ExitFailed},
		"true count": {"x,label\n" + rows(1200, "#,z\n"), "", "every event is rejected: bad-label 1,200 times",
			cli.ExitFailed},
		"quantity": {"x,label\n" + rows(200, "#,#.5\n"), "--task multiclass", "is it a quantity? Each is a class",
			cli.ExitDone},
		"two fields": {"a,b,label\nx,y,1\n", "--text-field a --text-field b", "text-field: it is given twice",
			cli.ExitUsage},
		"uneven rows":       {"x,label\n1,1\n2,0\n3\n", "", "this one is cut short", cli.ExitDone},
		"NA in two columns": {"x,y,label\n1,NA,1\nNA,2,0\n", "", "NA 2, in 2 columns: taken for", cli.ExitDone},
	} {
		t.Run(name, func(t *testing.T) {
			r := call(t, "", append([]string{"replay", write(t, "e.csv", c.content)}, strings.Fields(c.flags)...)...)
			r.want(t, c.code, "", c.want)
			if strings.Contains(r.stderr, "dead letter") {
				t.Error(r.stderr)
			}
		})
	}
}

// TestFormatOfTheModel: a file whose ending does not tell its format has that of --from-model.
func TestFormatOfTheModel(t *testing.T) {
	t.Parallel()
	path, out := write(t, "g.data", "1,2,1\n2,3,0\n"), write(t, "g.model", "")
	named := []string{"--no-header", "--label-field", "c3"}
	call(t, "", append([]string{"replay", path, "--format", "csv", "--out", out}, named...)...).
		want(t, cli.ExitDone, "", "")
	call(t, "", "replay", path, "--from-model", out, "--no-header", "--no-learn").
		want(t, cli.ExitDone, "", "2 with a label")
	// The columns are the model's, too, and run says which they are.
	call(t, "", "replay", write(t, "h.csv", "a,b,label\n1,2,1\n2,3,0\n"), "--out", out).want(t, cli.ExitDone, "", "")
	call(t, "", "replay", path, "--from-model", out, "--no-header", "--no-learn", "--format", "csv").
		want(t, cli.ExitDone, "", "  a      number")
	run := []string{"run", "--brokers", "127.0.0.1:1", "--input", "e", "--format", "csv", "--from-model", out}
	call(t, "", run...).want(t, cli.ExitUsage, "", ": those of --from-model are --columns 'a,b,label'")
}
