package main

import (
	"fmt"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
)

// TestWordsAfterTheFirstRows: a column that turns to words behind the rows that decide is told at the end, with the
// count and the line, also where --numeric says that it holds numbers.
func TestWordsAfterTheFirstRows(t *testing.T) {
	t.Parallel()
	var rows strings.Builder
	rows.WriteString("amt,word,label\n")
	for i := range 1200 {
		amount := fmt.Sprint(i)
		if i >= 1000 {
			amount = fmt.Sprintf("\"1,%d\"", i)
		}
		fmt.Fprintf(&rows, "%s,a%d,%d\n", amount, i%3, i%2)
	}
	path := write(t, "t.csv", rows.String())
	guessed := "amt: a number by the first 1,000 rows, then a text 200 times, first in line 1002: each text"
	for _, command := range []string{"replay", "train"} {
		r := call(t, "", command, path)
		r.want(t, cli.ExitDone, "", guessed)
		if strings.Contains(r.stderr, "word: a number") {
			t.Error(r.stderr)
		}
		call(t, "", command, path, "--numeric", "amt").want(t, cli.ExitDone, "",
			"amt: a number by --numeric, but a text 200 times, first in line 1002")
		call(t, "", command, path, "--categorical", "amt").want(t, cli.ExitDone, "", "")
	}
	call(t, "", "replay", path, "--repeat", "2").want(t, cli.ExitDone, "", guessed)
	call(t, "", "replay", path, path).want(t, cli.ExitDone, "", "a text 400 times, first in "+path+":1002")
}

// TestOneLabelLeft: the last line says that the figures are of one label.
func TestOneLabelLeft(t *testing.T) {
	t.Parallel()
	path := write(t, "l.csv", "x,label\n1,1\n2,2\n3,1\n4,2\n5,1\n")
	r := call(t, "", "replay", path)
	r.want(t, cli.ExitDone, "", "--label-names 1,2")
	if !strings.HasSuffix(r.stderr, "; only one label is left: the figures say nothing\n") {
		t.Error(r.stderr)
	}
	call(t, "", "replay", path, "--label-names", "1,2").want(t, cli.ExitDone, "", "5 with a label")
}
