package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/stops"
)

// outcome is the result of a call of the program.
type outcome struct {
	code           int
	stdout, stderr string
}

// call runs the program as its process would.
func call(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	var out, notes bytes.Buffer
	code := newProgram(strings.NewReader(stdin), &out, &notes).RunCommands(&commandLine{}, args)
	return outcome{code, out.String(), notes.String()}
}

func (o outcome) want(t *testing.T, code int, stdout, stderr string) {
	t.Helper()
	if o.code != code || !strings.Contains(o.stdout, stdout) || !strings.Contains(o.stderr, stderr) {
		t.Errorf("exit %d, want %d with %q and %q\nstdout: %s\nstderr: %s", o.code, code, stdout, stderr, o.stdout,
			o.stderr)
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestUsage(t *testing.T) {
	t.Parallel()
	call(t, "").want(t, cli.ExitUsage, "", "Commands:\n  run ")
	call(t, "", "help").want(t, cli.ExitDone, "Commands:", "")
	call(t, "", "help", "run").want(t, cli.ExitDone, "--checkpoint-interval", "")
	call(t, "", "--version").want(t, cli.ExitDone, "rosenblatt ", "")
	call(t, "", "fly").want(t, cli.ExitUsage, "", "unexpected argument fly")
	call(t, "", "run", "--brokerz", "k:1").want(t, cli.ExitUsage, "", "unknown flag --brokerz")
	call(t, "", "check", "--brokers", "k:1", "--input", "e", "--decoders=1", "--http", "off").want(t, cli.ExitUsage, "",
		"rosenblatt: --decoders, --http are settings of run, and check does not take them: leave them out\n")
	call(t, "", "verify", "--brokers", "k:1", "--input", "e", "--until-end").want(t, cli.ExitUsage, "",
		"rosenblatt: --until-end is a setting of run, and verify does not take it: leave it out\n")
	call(t, "", "run", "--bits", "many").want(t, cli.ExitUsage, "", "--bits")
	call(t, "", "run").want(t, cli.ExitUsage, "", "2 settings are wrong:\n  brokers: missing")
	call(t, "", "run", "--brokers", "k:1").want(t, cli.ExitUsage, "", "rosenblatt: input: missing")
	call(t, "", "inspect").want(t, cli.ExitUsage, "", "path")
	call(t, "", "produce").want(t, cli.ExitUsage, "", "3 settings are wrong:\n  brokers: missing")
	call(t, "", "check").want(t, cli.ExitUsage, "", "brokers: missing")
	call(t, "", "check", "--health", "8080").want(t, cli.ExitUsage, "", "want a URL")
	call(t, "", "--help").want(t, cli.ExitDone, "Commands:", "")
	call(t, "", "run", "--help").want(t, cli.ExitDone, "--checkpoint-interval", "")
	call(t, "", "version").want(t, cli.ExitDone, "rosenblatt ", "")
}

// TestEveryFlagHasHelp, and the help of a flag with a default names it.
func TestEveryFlagHasHelp(t *testing.T) {
	t.Parallel()
	grammar, err := kong.New(&commandLine{}, daemon.Vars(), cli.HelpTexts)
	if err != nil {
		t.Fatal(err)
	}
	flags := 0
	var visit func(*kong.Node)
	visit = func(n *kong.Node) {
		for _, f := range n.Flags {
			flags++
			if f.Help == "" || !strings.HasSuffix(f.Help, ".") {
				t.Errorf("%s --%s: help %q is no sentence", n.Name, f.Name, f.Help)
			}
			if f.HasDefault && !strings.Contains(f.Help, "default: "+f.Default) &&
				!strings.Contains(f.Help, "default: the checkpoint's, else "+f.Default) {
				t.Errorf("%s --%s: help %q does not name the default %q", n.Name, f.Name, f.Help, f.Default)
			}
			if !f.IsBool() && f.PlaceHolder == "" {
				t.Errorf("%s --%s: no placeholder", n.Name, f.Name)
			}
		}
		for _, child := range n.Children {
			visit(child)
		}
	}
	visit(grammar.Model.Node)
	if flags < 60 {
		t.Errorf("only %d flags were checked", flags)
	}
}

// TestStopIsPrinted: on a terminal on lines of their own, in a log as fields.
func TestStopIsPrinted(t *testing.T) {
	t.Parallel()
	stop := &stops.Error{Name: stops.InputGone, What: "ten are gone", Safe: "the rest", Do: "accept it"}
	for format, want := range map[string]string{
		"console": "error=input-gone\n  what: ten are gone\n  safe: the rest\n  do:   accept it\n",
		"json":    `"error":"input-gone","what":"ten are gone","safe":"the rest","do":"accept it"`,
	} {
		var notes bytes.Buffer
		p := newProgram(nil, io.Discard, &notes)
		c := &runCommand{Settings: daemon.Defaults()}
		c.LogFormat = format
		err := c.report(t.Context(), p, c.Logger(&notes), stop)
		if code := p.Report(err); code != cli.ExitStopped || !strings.Contains(notes.String(), want) {
			t.Errorf("%s: exit %d and\n%s", format, code, notes.String())
		}
		if n := strings.Count(notes.String(), "input-gone"); n != 1 {
			t.Errorf("%s: printed %d times", format, n)
		}
	}
}
