package cli

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
)

// tools is a grammar of two commands.
type tools struct {
	Run    learnTool   `cmd:""`
	Replay predictTool `cmd:""`
}

type learnTool struct {
	Bits int    `help:"Bits."`
	By   string `help:"Fields."`
	Out  string `help:"A file."`
	Log  string `help:"Names."`
	Keep string `help:"What is kept."`
}

func (*learnTool) Run(*Program) error { return nil }

type predictTool struct {
	Ngrams int    `help:"Runs of words."`
	By     string `help:"Fields."`
}

func (*predictTool) Run(*Program) error { return nil }

// TestOptionsOfVowpalWabbit: what does the same is named, with the commands that have it; no letter is taken for -h.
func TestOptionsOfVowpalWabbit(t *testing.T) {
	for args, want := range map[string]string{
		"run -b 24":      "unknown flag -b: for Vowpal Wabbit's -b, give --bits N\n",
		"run -b24":       "unknown flag -b: for Vowpal Wabbit's -b, give --bits N\n",
		"replay -b 24":   "unknown flag -b: for Vowpal Wabbit's -b, give --bits N (of run)\n",
		"run -q ui":      `unknown flag -q: for Vowpal Wabbit's -q, give --cross "user^*item^", with whole names`,
		"run --oaa=3":    "unknown flag --oaa: for Vowpal Wabbit's --oaa, give --task multiclass",
		"run --bfgs":     "unknown flag --bfgs: for Vowpal Wabbit's --bfgs, nothing does that here",
		"run -x":         "tools: unknown flag -x\n",
		"run --bitz 1":   `unknown flag --bitz, did you mean "--bits"?`,
		"replay --ngram": "unknown flag --ngram: for Vowpal Wabbit's --ngram, give --text-field NAME --ngrams N, in",
		"replay --keep a": "--keep is a setting of run, and replay does not take it: leave it out; for Vowpal " +
			"Wabbit's --keep, nothing does that here: --ignore",
		"-q ui": `unknown flag -q: for Vowpal Wabbit's -q, give --cross`,
	} {
		var notes bytes.Buffer
		p := &Program{Name: "tools", Usage: "tools --help", Stdout: io.Discard, Stderr: &notes}
		if code := p.Run(&tools{}, strings.Fields(args)); code != ExitUsage || !strings.Contains(notes.String(), want) {
			t.Errorf("%s: exit %d, %s, want %s", args, code, notes.String(), want)
		}
	}
}

// TestCounterparts: no option is listed twice.
func TestCounterparts(t *testing.T) {
	var all []string
	for _, c := range counterparts {
		all = append(all, strings.Fields(c.options)...)
	}
	slices.Sort(all)
	if once := slices.Compact(slices.Clone(all)); len(once) != len(all) || len(all) < 40 {
		t.Errorf("%d options, %d different ones", len(all), len(once))
	}
}
