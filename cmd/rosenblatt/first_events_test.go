package main

import (
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// labelledBy is a table of which the label has another name than the default.
func labelledBy(header string) string {
	return header + "\n" + strings.Repeat("1,0.5,0\n2,-0.5,1\n", 20)
}

// TestLabelColumn: replay and train choose the column that is most likely the label, and say so; a label that is named
// is not overridden.
func TestLabelColumn(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"n,x,is_fraud": `"is_fraud" is the label (it is the last one; --label-field NAME takes another)`,
		"n,x,Class":    `"Class" is the label (by its name`,
		"n,x, Label ":  `"Label" is the label (by its name`,
		"n,x,y":        `"y" is the label (by its name`,
		"x,y,target":   `"target" is the label (by its name`,
		"n,x,label":    "the first 40 events: 40 with a label",
	} {
		file := write(t, "tx.csv", labelledBy(header))
		got := call(t, "", "replay", file)
		got.want(t, cli.ExitDone, "perceptron        40 ", want)
		if header == "n,x,label" && strings.Contains(got.stderr, "is the label") {
			t.Errorf("it chooses where the label has its name: %s", got.stderr)
		}
		if header != "n,x,label" {
			call(t, "", "train", file, "--until", "budget", "--max-passes", "3").want(t, cli.ExitDone, "mistakes", want)
		}
	}
	coordinate := write(t, "tx.csv", "Class,x,y\n"+strings.Repeat("1,0.5,0.3\n-1,0.2,1\n", 20))
	call(t, "", "replay", coordinate).want(t, cli.ExitDone, "", `"Class" is the label (by its name`)
	named := call(t, "", "replay", write(t, "tx.csv", labelledBy("Class,x,y")), "--label-field", "y")
	if named.want(t, cli.ExitDone, "perceptron        40 ", ""); strings.Contains(named.stderr, "is the label") {
		t.Error(named.stderr)
	}
}

// TestNothingPredicted: events that are all rejected are an error that says what to set, with the results written.
func TestNothingPredicted(t *testing.T) {
	t.Parallel()
	file := write(t, "tx.csv", "label,x\n"+strings.Repeat("Yes,1\nNo,2\n", 20))
	call(t, "", "replay", file, "--json", "-").want(t, cli.ExitFailed, `"learners"`,
		"nothing was predicted: every event is rejected: bad-label 40 times, the first: the label \"Yes\" is none of")
	call(t, "", "replay", file).want(t, cli.ExitFailed, "rejected 40 of 40",
		"--label-names No,Yes takes the second for the positive one")
	call(t, "", "replay", file, "--positive", "yes").want(t, cli.ExitDone, "",
		`no event has the label "yes" of the settings: labels are Yes 20, No 20`)
	call(t, "", "replay", file, "--positive", "Yes").want(t, cli.ExitDone, "", "the first 40 events: 40 with a label\n")
	call(t, "", "train", file).want(t, cli.ExitFailed, "",
		"labels are Yes 20, No 20; --label-names No,Yes takes the second for the positive one\n")
}

// TestNothingLearned: events without a label are no error, and it is said.
func TestNothingLearned(t *testing.T) {
	t.Parallel()
	file := write(t, "tx.jsonl", strings.Repeat(`{"Class":1,"x":2}`+"\n", 20))
	call(t, "", "replay", file).want(t, cli.ExitDone, "",
		`rosenblatt: no event has a label in the field "label": nothing is learned; --label-field NAME names it, `+
			`is it "Class"?`)
	call(t, "", "train", file).want(t, cli.ExitFailed, "", `is it "Class"?`)
	for name, text := range map[string]string{"empty.jsonl": "", "header.csv": "label,x\n"} {
		call(t, "", "replay", write(t, name, text)).want(t, cli.ExitFailed, "",
			"rosenblatt: nothing was predicted: there was no event\n")
	}
}

// TestFirstEvents: what the first events hold is shown, and what is most likely a mistake is named.
func TestFirstEvents(t *testing.T) {
	t.Parallel()
	file := write(t, "tx.csv", "label,amount,when,user,country\n"+strings.Repeat(
		"1,\"78,87\",2026-01-31,90071992547409931,NA\n0,\"1,5\",2026-02-01,90071992547409932,vic\n", 20))
	got := call(t, "", "replay", file)
	for _, want := range []string{
		"the first 40 events: 40 with a label\n",
		"  field    kind                distinct  example            becomes\n",
		"  amount   text                2         78,87              amount=text, 1\n",
		"  country  text 20, absent 20  1         vic                country=text, 1\n",
		"rosenblatt: amount: numbers with a comma, as 78,87: each",
		"rosenblatt: when: times, as 2026-01-31: each",
		"rosenblatt: user: 40 whole numbers are over 2^53",
		"rosenblatt: country: NA 20: taken for a missing value (--missing)",
	} {
		got.want(t, cli.ExitDone, "", want)
	}
}

// TestMissingWords: they are absent by default, and words with --missing none, which verify knows; a change by an
// operator is a difference, as that of any other setting.
func TestMissingWords(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, "1,2,NA", "0,NA,b", "1,?,a")
	common := []string{"--brokers", strings.Join(s.Cluster.Brokers, ","), "--input", s.Name, "--state", s.Dir,
		"--format", "csv", "--columns", "label,x,y", "--bits", "12"}
	run := func(extra ...string) outcome {
		return call(t, "", append(append([]string{"run", "--until-end", "--http", "off", "--create-topics"}, common...),
			extra...)...)
	}
	verified := func() { // by the checkpoint
		t.Helper()
		call(t, "", append([]string{"verify"}, common[:6]...)...).want(t, cli.ExitDone, "verified: ", "")
	}
	run("--missing", "none").want(t, cli.ExitDone, "3 predictions", "")
	s.Cluster.Produce(t, s.Name, 0, "0,NA,b", "1,?,?")
	run("--missing", "none").want(t, cli.ExitDone, "5 predictions", "")
	verified()
	inspect := call(t, "", "inspect", s.Dir+"/"+s.Name)
	inspect.want(t, cli.ExitDone, "x=NA", "")
	run("--missing", "NA").want(t, cli.ExitStopped, "", "decode.missing was absent, is")
	run("--missing", "NA", "--accept", "config").want(t, cli.ExitDone, "5 predictions", "")
	run("--missing", "NA").want(t, cli.ExitDone, "5 predictions", "")
	run().want(t, cli.ExitStopped, "", "decode.missing was")
	call(t, "", "run", "--brokers", "k:1", "--input", "e", "--missing", "NA").want(t, cli.ExitUsage, "", "are for csv")

	n := streamtest.New(t, streamtest.Start(t), 1)
	n.Cluster.Produce(t, n.Name, 0, "1,2,NA", "0,NA,b", "1,?,a")
	common[1], common[3], common[5] = strings.Join(n.Cluster.Brokers, ","), n.Name, n.Dir
	run().want(t, cli.ExitDone, "3 predictions", "")
	verified()
	if got := call(t, "", "inspect", n.Dir+"/"+n.Name); strings.Contains(got.stdout, "NA") {
		t.Error(got.stdout)
	}
}

// TestCheckEvents: a check reads some events and says what a daemon would make of them.
func TestCheckEvents(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 2)
	check := func(extra ...string) outcome {
		return call(t, "", append([]string{"check", "--brokers", strings.Join(s.Cluster.Brokers, ","), "--input",
			s.Name, "--create-topics", "--state", t.TempDir()}, extra...)...)
	}
	check().want(t, cli.ExitDone, "ok    events       "+s.Name+" holds none yet", "")
	for p := range 2 {
		s.Cluster.Produce(t, s.Name, p, strings.Split(strings.Repeat(`{"Class":"Yes","x":1}`+"\n", 80), "\n")[:80]...)
	}
	check().want(t, cli.ExitDone, `warn  events       the newest 100 events: 0 with a label, 100 without: no event `+
		`has a label in the field "label": nothing is learned; --label-field NAME names it, is it "Class"?`, "")
	check("--label-field", "Class").want(t, cli.ExitFailed, "FAIL  events       the newest 100 events: 0 with a "+
		"label, 100 rejected as bad-label: every event is rejected: bad-label 100 times", "")
	check("--label-field", "Class", "--positive", "yes").want(t, cli.ExitDone,
		`note  events       label: no event has the label "yes" of the settings: labels are "Yes" 100`, "")
	good := check("--label-field", "Class", "--positive", "Yes")
	good.want(t, cli.ExitDone, "ok    events       the newest 100 events: 100 with a label", "")
	good.want(t, cli.ExitDone, "      x      number  1         1        x (always 1: stays 1)\n", "")
	check("--format", "csv", "--columns", "Class,x").want(t, cli.ExitFailed, "is it \"Class\"?", "")
}

// TestNothingToVerify: an audit that finds no prediction does not say that it has verified some.
func TestNothingToVerify(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	got := call(t, "", "verify", "--brokers", strings.Join(s.Cluster.Brokers, ","), "--input", s.Name,
		"--format", "csv", "--columns", "Class,x", "--bits", "12")
	got.want(t, cli.ExitDone, "\nnothing to verify: 0 predictions (none)", "")
	got.want(t, cli.ExitDone, "note: there was nothing to verify: "+s.Name+".predictions holds no prediction", "")
	got.want(t, cli.ExitDone, `note: no column is called "label", so nothing can be learned`, "")
}
