package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"rosenblatt/stream/stops"
)

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{nil, ExitDone},
		{errors.New("broken"), ExitFailed},
		{ErrReported, ExitFailed},
		{ErrPartial, ExitPartial},
		{&stops.Error{Name: stops.InputGone}, ExitStopped},
		{&stops.Error{Name: stops.NotAllowed}, ExitStopped},
		{&LoggedError{&stops.Error{Name: stops.ConfigDiffers}}, ExitStopped},
		{&stops.Error{Name: stops.Unreachable}, ExitFailed},
		{&LoggedError{&stops.Error{Name: stops.StateInUse}}, ExitFailed},
		{&LoggedError{fmt.Errorf("wrapped: %w", &stops.Error{Name: stops.Fenced})}, ExitFenced},
		{Usagef("wrong"), ExitUsage},
		{Faults{errors.New("wrong")}, ExitUsage},
	} {
		p := &Program{Stdout: io.Discard, Stderr: io.Discard}
		if got := p.Report(c.err); got != c.code {
			t.Errorf("%v: exit %d, want %d", c.err, got, c.code)
		}
	}
}

// greeter is a program without commands.
type greeter struct {
	Name  []string `placeholder:"NAME" help:"Names."`
	Times int      `default:"1" placeholder:"N" help:"How often (default: ${default})."`
}

func (g *greeter) Run(p *Program) error {
	if g.Times < 0 {
		return Usagef("times: %d", g.Times)
	}
	for range g.Times {
		fmt.Fprintln(p.Stdout, g.Name)
	}
	return nil
}

func TestProgramWithoutCommands(t *testing.T) {
	t.Setenv("GREET_TIMES", "2")
	t.Setenv("GREET_NAMES", "d")
	for _, c := range []struct {
		args, stdout, stderr string
		code                 int
	}{
		{"--name a,b", "[a b]\n[a b]\n",
			"greet: GREET_NAMES is not a setting and is ignored: did you mean GREET_NAME?\n", ExitDone},
		{"--times 1", "[]\n", "", ExitDone},
		{"--times=-1", "", "greet: times: -1\nTry: greet --help\n", ExitUsage},
		{"--help", "--times", "", ExitDone},
		{"--tims 1", "", "unknown flag --tims", ExitUsage},
	} {
		var out, notes bytes.Buffer
		p := &Program{Name: "greet", Usage: "greet --help", EnvPrefix: "GREET_", Stdout: &out, Stderr: &notes}
		code := p.Run(&greeter{}, strings.Fields(c.args))
		if code != c.code || !strings.Contains(out.String(), c.stdout) || !strings.Contains(notes.String(), c.stderr) {
			t.Errorf("%s: exit %d\n%s\n%s", c.args, code, out.String(), notes.String())
		}
	}
}

func TestFaults(t *testing.T) {
	var f Faults
	f.AddIf(false, "not added")
	f.Check("a", nil)
	f.OneOf("b", "x", "x", "y")
	f.Within("c", 1, 1, 2)
	if err := f.Err(); err != nil {
		t.Fatalf("%v, want none", err)
	}
	f.AddIf(true, "added %d", 1)
	f.Check("a", context.Canceled)
	f.OneOf("b", "z", "x", "y", "v")
	f.Within("c", 3, 1, 2)
	const want = "added 1\na: context canceled\nb: \"z\": want x, y or v\nc: 3: want 1 to 2"
	if err := f.Err(); err == nil || err.Error() != want || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %s", err, want)
	}
}
