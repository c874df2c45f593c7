package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
)

// settings are the defaults with some files.
func settings(t *testing.T, files ...string) *Settings {
	t.Helper()
	s := &Settings{}
	if err := kong.ApplyDefaults(s, daemon.Vars()); err != nil {
		t.Fatal(err)
	}
	s.Files = files
	return s
}

// run evaluates standard input.
func run(t *testing.T, s *Settings, stdin string, given ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, notes bytes.Buffer
	names := map[string]bool{}
	for _, name := range given {
		names[name] = true
	}
	p := &cli.Program{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &notes}
	err = Run(t.Context(), p, s, names, nil)
	return out.String(), notes.String(), err
}

func TestRun(t *testing.T) {
	s := settings(t, "-")
	s.Format, s.Learner, s.JSON = "json", []string{"perceptron pa1:C=1"}, "-"
	out, notes, err := run(t, s, strings.Repeat("{\"label\":1,\"x\":2}\n{\"label\":0,\"x\":-2}\nbroken\n", 20),
		"format")
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Source   string
		Learners []struct {
			Name     string
			Examples int
		}
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Source != "-" || len(r.Learners) != 2 || r.Learners[1].Name != "pa1:C=1" || r.Learners[1].Examples != 40 {
		t.Errorf("%+v", r)
	}
	first, rejects, _ := strings.Cut(notes, "rosenblatt: ")
	if !strings.HasPrefix(first, "the first 60 events: 40 with a label, 20 rejected as syntax\n") ||
		!strings.HasPrefix(rejects, "standard input:3:1: syntax") || strings.Count(rejects, "\n") != 5 ||
		!strings.Contains(rejects, "\nrosenblatt: 20 of 60 events were rejected; most as syntax, the first: ") {
		t.Error(notes)
	}
}

// TestSchemes: learners with a form under each scheme are evaluated under each, and their names tell it.
func TestSchemes(t *testing.T) {
	s := settings(t, "-")
	s.Format, s.Task, s.Multiclass, s.Learner = "json", "multiclass", "direct,ovo", []string{"perceptron"}
	const events = `{"label":"a","x":2}` + "\n" + `{"label":"b","y":1}` + "\n" + `{"label":"c","z":1}` + "\n"
	out, _, err := run(t, s, strings.Repeat(events, 3), "format", "task")
	if err != nil || !strings.Contains(out, "perceptron direct") || !strings.Contains(out, "perceptron ovo") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestResultsKeepFiles: a result is written neither over what is read nor over another one.
func TestResultsKeepFiles(t *testing.T) {
	dir := t.TempDir()
	events, link := filepath.Join(dir, "events.csv"), filepath.Join(dir, "link.csv")
	const content = "label,x\n1,2\n-1,-2\n"
	if err := os.WriteFile(events, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(events, link); err != nil {
		t.Fatal(err)
	}
	for text, set := range map[string]func(*Settings){
		"predictions: " + link + " is that of events": func(s *Settings) { s.Predictions = link },
		"csv: " + events + " is that of events":       func(s *Settings) { s.CSV = dir + "/./events.csv" },
		"predictions: a.csv is that of csv":           func(s *Settings) { s.CSV, s.Predictions = "./a.csv", "a.csv" },
		"predictions: - is that of json":              func(s *Settings) { s.JSON, s.Predictions = "-", "-" },
		"out: x is that of report":                    func(s *Settings) { s.Report, s.Out = "x", "x" },
	} {
		s := settings(t, events)
		set(s)
		_, _, err := run(t, s, "")
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "/./", "/"), text) {
			t.Errorf("%v, want %s", err, text)
		}
		if got, err := os.ReadFile(events); err != nil || string(got) != content {
			t.Fatalf("%s: %q %v", text, got, err)
		}
	}
	s := settings(t, events)
	s.JSON, s.CSV = os.DevNull, os.DevNull
	if _, _, err := run(t, s, ""); err != nil {
		t.Error(err)
	}
}

// TestModelNeedsAPlace: a place where no model can be written is found before anything is read.
func TestModelNeedsAPlace(t *testing.T) {
	for _, path := range []string{"none/model", "checkpoint-5", t.TempDir()} {
		s := settings(t, "-")
		s.Format, s.Out = "json", path
		if _, notes, err := run(t, s, `{"x":1,"label":1}`, "format"); err == nil ||
			!strings.HasPrefix(err.Error(), "out: ") || notes != "" {
			t.Errorf("%s: %v, %q", path, err, notes)
		}
	}
}

func TestWrongSettings(t *testing.T) {
	s := settings(t)
	s.Order, s.Delay, s.Bits = "size", "-1", 31
	_, _, err := run(t, s, "", "from")
	for _, want := range []string{"nothing to replay", "order: \"size\"", "delay: \"-1\"", "bits: 31",
		"from: it needs --topic"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	_, _, err = run(t, settings(t, "-"), "")
	if _, ok := errors.AsType[*cli.UsageError](err); !ok {
		t.Errorf("%v, want a usage error for standard input without a format", err)
	}
}

func TestCommandText(t *testing.T) {
	const want = `rosenblatt replay 'a b.csv' --learner 'it'\''s' --x ''`
	if got := commandText([]string{"replay", "a b.csv", "--learner", "it's", "--x", ""}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
