package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
)

const commaRows = "x,market,label\n1,a,1\n2.5,b,0\n-1,a,1\n3,b,0\n"

// separated writes the rows with another delimiter.
func separated(t *testing.T, name, delimiter string) string {
	t.Helper()
	return write(t, name, strings.ReplaceAll(commaRows, ",", delimiter))
}

// TestReplayTables: what separates columns, and whether they are named, changes nothing else.
func TestReplayTables(t *testing.T) {
	t.Parallel()
	bare := strings.TrimPrefix(commaRows, "x,market,label\n")
	named := []string{"--no-header", "--columns", "x,market,label"}
	want := replayJSON(t, "", write(t, "e.csv", commaRows))
	if want.Learners[0].Examples != 4 {
		t.Fatalf("%+v", want)
	}
	for name, args := range map[string][]string{
		"semicolons":    {separated(t, "e.csv", ";")},
		"tabs":          {separated(t, "e.csv", "\t")},
		"tsv":           {separated(t, "e.tsv", "\t")},
		"bars":          {separated(t, "e.csv", "|"), "--delimiter", "|"},
		"tab by name":   {separated(t, "e.csv", "\t"), "--delimiter", "tab"},
		"no header":     append([]string{write(t, "e.csv", bare)}, named...),
		"not the names": {write(t, "e.csv", bare), "--no-header", "--label-field", "c3"},
	} {
		got := replayJSON(t, "", args...)
		if got.Source = want.Source; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	bareFile := write(t, "bare.csv", bare)
	two := replayJSON(t, "", append([]string{bareFile, bareFile}, named...)...)
	if two.Examples != 8 {
		t.Errorf("two files without a header: %+v", two)
	}
}

// TestTablesAreTold: what was guessed is said, and what is wrong names the setting.
func TestTablesAreTold(t *testing.T) {
	t.Parallel()
	guess := `e.csv: the columns are separated by ";", not by commas (guessed; --delimiter overrides it)`
	noHeader := "there are numbers in it: if it is an event, say --no-header"
	bare := write(t, "e.csv", "1,a,1\n2,b,0\n")
	for _, command := range []string{"replay", "train"} {
		call(t, "", command, separated(t, "e.csv", ";")).want(t, cli.ExitDone, "", guess)
		call(t, "", command, bare, "--no-header", "--columns", "x,label").
			want(t, cli.ExitUsage, "", "e.csv:1: columns: 2 names, but the first row has 3 cells")
		call(t, "", command, bare, "--columns", "x,m,label").want(t, cli.ExitUsage, "", "say --no-header")
		call(t, "", command, bare, "--no-header", "--columns", "x,m,label").want(t, cli.ExitDone, "", "")
		call(t, "", command, bare, "--delimiter", "x").want(t, cli.ExitUsage, "", `delimiter "x": want a comma, ";"`)
		call(t, "", command, write(t, "e.csv", "1,m,label\n2,b,0\n2,c,1\n")).want(t, cli.ExitDone, "", noHeader)
		call(t, "", command, write(t, "e.jsonl", someEvents), "--delimiter", ";").
			want(t, cli.ExitUsage, "", "json has no columns: leave out")
	}
	call(t, "", "replay", "--brokers", "k:1", "--topic", "events", "--no-header").want(t, cli.ExitUsage, "",
		"no-header: it is for files")
	call(t, "", "run", "--brokers", "k:1", "--input", "events", "--format", "csv", "--columns", "a",
		"--delimiter", "::").want(t, cli.ExitUsage, "", `delimiter "::": want a comma`)
}

// TestProduceTables: rows are sent as they are, and what run needs is printed; run then reads them.
func TestProduceTables(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events", "bare", "named"))
	to := []string{"produce", "--brokers", k, "--topic"}
	call(t, "", append(to, "events", separated(t, "e.csv", ";"), "--key", "market")...).want(t, cli.ExitDone,
		"4 events in events", "run needs: --format csv --delimiter ';' --columns 'x,market,label'")
	call(t, "", append(to, "events", separated(t, "e.tsv", "\t"), "--count", "1")...).want(t, cli.ExitDone,
		"1 event in events", "run needs: --format csv --delimiter tab --columns 'x,market,label'")
	call(t, "", append(to, "bare", write(t, "e.csv", "1,a,1\n2,b,0\n"), "--no-header", "--key", "c2")...).want(t,
		cli.ExitDone, "2 events in bare", "run needs: --format csv --columns 'c1,c2,c3'")
	call(t, "", append(to, "named", write(t, "e.csv", "\"a, EUR\",,it's,label\n1,2,3,1\n"))...).want(t, cli.ExitDone,
		"1 event in named", `run needs: --format csv --columns 'a\, EUR,c2,it'\''s,label'`)
	call(t, "", "run", "--brokers", k, "--input", "named", "--state", t.TempDir(), "--format", "csv",
		"--columns", `a\, EUR,c2,it's,label`, "--create-topics", "--until-end", "--http", "off").
		want(t, cli.ExitDone, "1 predictions, 1 of them labelled", "")
	if got := strings.Join(values(t, k, "events", 0, 5), " "); got != "1;a;1 2.5;b;0 -1;a;1 3;b;0 1\ta\t1" {
		t.Errorf("sent %q", got)
	}
	call(t, "", "run", "--brokers", k, "--input", "events", "--state", t.TempDir(), "--format", "csv",
		"--delimiter", ";", "--columns", "x,market,label", "--create-topics", "--until-end", "--http", "off").
		want(t, cli.ExitDone, "4 predictions, 4 of them labelled", "")
	call(t, "", "run", "--brokers", k, "--input", "bare", "--state", t.TempDir(), "--format", "csv", "--columns",
		"c1,c2,label", "--create-topics", "--until-end", "--http", "off").
		want(t, cli.ExitDone, "2 predictions, 2 of them labelled", "")
}
