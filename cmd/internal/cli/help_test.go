package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// Place is embedded by travel; its help is a text of its own.
type Place struct{ City string }

func (Place) FlagHelp() Help { return "city: Where to,\n\tin capitals." }

type travel struct {
	Place `embed:""`

	Days int    `default:"3" placeholder:"N"`
	File string `arg:"" optional:""`
	help Help
}

func (t travel) FlagHelp() Help { return t.help }

func (t *travel) Run() error { return nil }

func TestFlagHelp(t *testing.T) {
	var out bytes.Buffer
	p := &Program{Name: "travel", Stdout: &out, Stderr: io.Discard}
	g := &travel{help: "\ndays: How long (default: ${default}).\nfile: A map.\n"}
	if code := p.Run(g, []string{"--help"}); code != ExitDone {
		t.Fatalf("exit %d", code)
	}
	for _, want := range []string{"How long (default: 3).", "Where to, in capitals.", "A map."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestFlagHelpOfNoFlag(t *testing.T) {
	_, err := (&Program{Stdout: io.Discard}).Parse(&travel{help: "day: How long."}, nil)
	if err == nil || !strings.Contains(err.Error(), `help for "day", which is no flag in cli.travel`) {
		t.Errorf("%v", err)
	}
}
