package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// advised are files that are not read as they are meant, with the advice that is printed, and the flags that follow it.
var advised = []struct {
	name, file, content string
	flags               string   // that it is tried with
	advice              string   // as printed
	follow              []string // are added
	want                string   // then printed
}{
	{"a quote that does not close", "e.csv", "x,w,label\n1,\"a,1\n2,b,0\n", "", "--quote none",
		[]string{"--quote", "none"}, "2 with a label"},
	{"text behind a closing quote", "e.csv", "x,w,label\n1,\"a\" b,1\n2,b,0\n", "", "--quote none",
		[]string{"--quote", "none"}, "2 with a label"},
	{"rows that a quoted cell swallows", "e.csv", "x,w,label\n1,\"a,1\n2,b\",0\n", "", "then say --quote none",
		[]string{"--quote", "none"}, "2 with a label"},
	{"other quotes", "e.csv", "x,w,label\n1,'a,b',1\n2,'c',0\n", "", `--quote "'" reads it`,
		[]string{"--quote", "'"}, "2 with a label"},
	{"escapes", "e.csv", "x,w,label\n1,\"a\\\",b\",1\n2,\"c\",0\n", "", `--escape '\' reads it`,
		[]string{"--escape", `\`}, "2 with a label"},
	{"semicolons", "e.csv", "x, EUR;w;label\n1;a;1\n2;b;0\n", "", "if those are meant, say --delimiter ';'",
		[]string{"--delimiter", ";"}, "2 with a label"},
	{"tabs", "e.csv", "x,w,label\n1\ta\t1\n2\tb\t0\n", "", "--delimiter tab reads it",
		[]string{"--delimiter", "tab", "--columns", "x,w,label"}, "2 with a label"},
	{"blanks", "e.csv", "x,w,label\n1  a 1\n2  b 0\n", "", "--delimiter blanks reads it",
		[]string{"--delimiter", "blanks", "--columns", "x,w,label"}, "2 with a label"},
	{"a title", "e.csv", "Sales\nx,w,label\n1,a,1\n2,b,0\n", "",
		"--columns names as many as the rows have cells (of a file, with --no-header)",
		[]string{"--no-header", "--columns", "x,w,label"}, "2 with a label"},
	{"names of rows", "e.csv", "w,label\n1,a,1\n2,b,0\n", "", "if it only numbers the rows, say --ignore c1",
		[]string{"--ignore", "c1"}, "nothing, it is ignored"},
	{"no header", "e.csv", "1,a,1\n2,b,0\n", "", "if it is an event, say --no-header", []string{"--no-header"},
		"2 with a label"},
	{"cp1252", "e.csv", "x,w,label\n1,caf\xe9,1\n2,b,0\n", "", "--encoding cp1252", []string{"--encoding", "cp1252"},
		"2 with a label"},
	{"cp1252 in the header", "e.csv", "x,caf\xe9,label\n1,a,1\n2,b,0\n", "", "--encoding cp1252",
		[]string{"--encoding", "cp1252"}, "2 with a label"},
	{"gbk, another of the names", "e.csv", "x,w,label\n1,\xc4\xe3,1\n2,b,0\n", "", "or the name of another one",
		[]string{"--encoding", "gbk"}, "2 with a label"},
	{"another encoding than the one that is set", "e.csv", "x,w,label\n1,caf\xe9,1\n2,b,0\n", "--encoding shift_jis",
		"--encoding cp1252 reads it", []string{"--encoding", "cp1252"}, "2 with a label"},
	{"UTF-8, not the encoding that is set", "e.csv", "x,w,label\n1,\xf0\x9f\x98\x80,1\n2,b,0\n", "--encoding euc-kr",
		"--encoding utf-8 reads it", []string{"--encoding", "utf-8"}, "2 with a label"},
	{"a header in another encoding than the one that is set", "e.csv", "x,caf\xe9,label\n1,a,1\n2,b,0\n",
		"--encoding shift_jis", "--encoding cp1252 reads it", []string{"--encoding", "cp1252"}, "2 with a label"},
	{"NaN", "e.jsonl", "{\"label\":1,\"x\":NaN}\n{\"label\":0,\"x\":1}\n", "",
		"--nan absent takes NaN and Infinity for missing values", []string{"--nan", "absent"}, "2 with a label"},
	{"infinities", "e.csv", "x,y,label\n1,inf,1\n2,1,0\n", "--numeric y",
		"--missing names words that are missing values",
		[]string{"--missing", "inf"}, "2 with a label"},
	{"an event in place of a header", "e.tsv", messages, "", "other rows have ham in the same column, too: if it is " +
		"an event, say --no-header", []string{"--no-header", "--text-field", "c2", "--label-names", "ham,spam"},
		"60 with a label"},
	{"a text as the label", "e.tsv", messages, "--no-header",
		"--text-field c2 splits it into words, and --label-field c1 may be the label",
		[]string{"--text-field", "c2", "--label-field", "c1", "--label-names", "ham,spam"}, "60 with a label"},
	{"two labels of lines", "e.svm", "1 1:1\n2 1:2\n", "", "--label-names 1,2", []string{"--label-names", "1,2"},
		"2 with a label"},
	{"two labels of vw", "e.vw", "1 | x:1\n2 | x:2\n", "", "--label-names 1,2", []string{"--label-names", "1,2"},
		"2 with a label"},
	{"labels in quotes", "e.csv", "x,label\n1,'1'\n2,'-1'\n", "", "takes the second for the positive one",
		[]string{"--label-names", "'-1','1'"}, "2 with a label"},
	{"a base of vw", "e.vw", "1 1 0.5 | x:1\n0 | x:2\n", "", "--unknown skip leaves the base out",
		[]string{"--unknown", "skip"}, "2 with a label"},
	{"codes in a column of numbers", "e.csv", "code,x,label\n04e0991234,1,1\n04e0991235,2,0\n", "--numeric code",
		"--ignore NAME leaves it out", []string{"--ignore", "code"}, "2 with a label"},
	{"numbers of events", "e.csv", numbered, "", "do they number the events? --ignore n, or --id-field n",
		[]string{"--ignore", "n"}, "300 with a label"},
	{"numbers of events as ids", "e.csv", numbered, "", "do they number the events? --ignore n, or --id-field n",
		[]string{"--id-field", "n"}, "300 with a label"},
	{"another delimiter is guessed", "e.csv", "x;w;label\n1;a;1\n2;b;0\n", "", "guessed; --delimiter overrides it",
		[]string{"--delimiter", ";"}, "2 with a label"},
}

// messages are labels and texts, as the public collection of short messages has them: without a header.
var messages = func() (all string) {
	for i := range 60 {
		label, text := "ham", "Go until jurong point, crazy"
		if i%5 == 4 {
			label, text = "spam", "WINNER!! You have won \"a prize"
		}
		all += fmt.Sprintf("%s\t%s %d\n", label, text, i)
	}
	return all
}()

// numbered are rows with their numbers.
var numbered = func() string {
	all := "n,x,label\n"
	for i := range 300 {
		all += fmt.Sprintf("%d,%d.5,%d\n", 1000+2*i, i*7%13, i%2)
	}
	return all
}()

// TestAdviceIsAccepted: what a message advises is accepted, and helps, by replay and train.
func TestAdviceIsAccepted(t *testing.T) {
	t.Parallel()
	for _, c := range advised {
		t.Run(c.name, func(t *testing.T) {
			for _, command := range []string{"replay", "train"} {
				path := write(t, c.file, c.content)
				first := call(t, "", append([]string{command, path}, strings.Fields(c.flags)...)...)
				if !strings.Contains(strings.ToLower(first.stderr), strings.ToLower(c.advice)) {
					t.Errorf("%s: no %q in %s", command, c.advice, first.stderr)
				}
				args := append(append([]string{command, path}, strings.Fields(c.flags)...), c.follow...)
				second := call(t, "", args...)
				if second.code != cli.ExitDone || command == "replay" && !strings.Contains(second.stderr, c.want) {
					t.Errorf("%s: exit %d: %s", strings.Join(args, " "), second.code, second.stderr)
				}
			}
		})
	}
}

// TestAdviceOfCheck: what check advises of rows in a topic is accepted by it, and by run.
func TestAdviceOfCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows   []string
		advice string
	}{
		"blanks":        {[]string{"1  a 1", "2  b 0"}, "--delimiter blanks"},
		"semicolons":    {[]string{"1;a,b;1", "2;b;0"}, "--delimiter ';'"},
		"single quotes": {[]string{"1,'a,b',1", "2,'c,d',0"}, `--quote "'"`},
		"lone quotes":   {[]string{`1,"a,1`, `2,"b,0`}, "--quote none"},
		"Spark":         {[]string{`1,"a\",b",1`, `2,"c\",d",0`}, `--escape '\'`},
		"cp1252":        {[]string{"1,caf\xe9,1", "2,b\xe4r,0"}, "--encoding cp1252"},
	} {
		t.Run(name, func(t *testing.T) {
			k := broker(t, kfake.SeedTopics(1, "events", "events.predictions", "events.dlq"))
			streamtest.Connect(t, k).Produce(t, "events", 0, c.rows...)
			args := []string{"check", "--brokers", k, "--input", "events", "--state", t.TempDir(), "--format", "csv",
				"--columns", "x,w,label"}
			first := call(t, "", args...)
			if first.code == cli.ExitDone || !strings.Contains(first.stdout, c.advice) {
				t.Errorf("exit %d, no %q: %s", first.code, c.advice, first.stdout)
			}
			flag, value, _ := strings.Cut(c.advice, " ")
			if len(value) == len(`';'`) { // a character in quotes
				value = value[1:2]
			}
			args = append(args, flag, value)
			second := call(t, "", args...)
			if !strings.Contains(second.stdout, "2 events: 2 with a label") {
				t.Errorf("%q: exit %d: %s", args, second.code, second.stdout)
			}
		})
	}
}
