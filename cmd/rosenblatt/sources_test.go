package main

import (
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
)

// parsed returns the settings of a call of run.
func parsed(t *testing.T, args ...string) daemon.Settings {
	t.Helper()
	var c commandLine
	p := newProgram(nil, io.Discard, io.Discard)
	if _, err := p.Parse(&c, append([]string{"run"}, args...)); err != nil {
		t.Fatal(err)
	}
	return c.Run.Settings
}

// TestPrecedence: a flag wins over the environment, the environment over the file, the file over the default.
func TestPrecedence(t *testing.T) {
	file := write(t, "c.yaml", "brokers: [f:1, f:2]\nmax-bytes: 1\nmax-depth: 1\nbits: 1\n"+
		"tls: true\ncheckpoint-interval: 1m\nmodel: file\n")
	t.Setenv("ROSENBLATT_MAX_BYTES", "2")
	t.Setenv("ROSENBLATT_BITS", "2")
	t.Setenv("ROSENBLATT_TLS", "false")
	t.Setenv("ROSENBLATT_IGNORE", "a,b")
	t.Setenv("ROSENBLATT_MODEL", "") // as compose leaves one that is not set
	s := parsed(t, "--config", file, "--bits", "3")
	if s.Bits != 3 || s.MaxBytes != 2 || s.MaxDepth != 1 || s.MaxFeatures != 10000 {
		t.Errorf("bits %d, max-bytes %d, max-depth %d, max-features %d: want 3, 2, 1, 10000", s.Bits, s.MaxBytes,
			s.MaxDepth, s.MaxFeatures)
	}
	if strings.Join(s.Brokers, " ") != "f:1 f:2" || s.TLS || s.CheckpointInterval != time.Minute ||
		len(s.Ignore) != 2 || s.Model != "file" {
		t.Errorf("%+v", s)
	}
	t.Setenv("ROSENBLATT_CONFIG", file)
	if s := parsed(t); s.MaxDepth != 1 {
		t.Errorf("ROSENBLATT_CONFIG was not read: max-depth %d", s.MaxDepth)
	}
}

func TestFileForms(t *testing.T) {
	t.Parallel()
	s := parsed(t, "--config", write(t, "c.yaml",
		"brokers: k:1,k:2\npositive: 1\nlabel-names: [no, yes]\nseed: 18446744073709551615\n"+
			"model: ~\nlabel-field: \"\"\ncolumns: [\"a,b\", c]\n"))
	if len(s.Brokers) != 2 || s.Positive != "1" || strings.Join(s.LabelNames, "|") != "no|yes" || s.Seed != 1<<64-1 ||
		s.Model != "" || len(s.Columns) != 2 {
		t.Errorf("%+v", s)
	}
	parsed(t, "--config", write(t, "empty.yaml", "# nothing\n"))
	for _, text := range []string{"config:0123456789ab", "[config:0123456789ab, input-gone:0123456789ab]"} {
		s = parsed(t, "--config", write(t, "accept.yaml", "accept: "+text+"\n"))
		if len(s.Accept) == 0 || s.Accept[0] != "config:0123456789ab" {
			t.Errorf("%s: %v", text, s.Accept)
		}
	}
}

func TestWrongFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"bitz: 20":                "c.yaml:1: bitz: unknown setting: did you mean bits?",
		"\nmax_bytes: 20":         "c.yaml:2: max_bytes: unknown setting: did you mean max-bytes?",
		"Checkpoint-Intervall: 1": "did you mean checkpoint-interval?",
		"bits: many":              `c.yaml:1: bits: expected a valid 64 bit int but got "many"`,
		"bits: [1, 2]":            "c.yaml:1: bits: want one value, not a list",
		"bits: {a: 1}":            "c.yaml:1: bits: want a value, or a list of values",
		"bits: 1\nbits: 2":        "c.yaml:2: bits: duplicate",
		"- bits":                  "want a mapping",
		"sasl-password: geheim":   "passwords have no place here",
		"accept: config":          "--accept is for one call: give it on the command line only, or as STOP",
		"accept: [config:0123456789ab, input-gone]": "c.yaml:1: accept: --accept is for one call",
		"skip: 0:1-2":   "c.yaml:1: skip: --skip is for one call",
		"dry-run: true": "c.yaml:1: dry-run: --dry-run is for one call",
		"a: [":          "yaml",
	} {
		got := call(t, "", "run", "--config", write(t, "c.yaml", text))
		got.want(t, cli.ExitUsage, "", want)
		if strings.Contains(got.stderr, "geheim") {
			t.Errorf("the password is printed: %s", got.stderr)
		}
	}
	call(t, "", "run", "--config", "no such file").want(t, cli.ExitUsage, "", "no such file")
}

// TestAllFaultsAtOnce: those of the file, of the environment, and of the settings together.
func TestAllFaultsAtOnce(t *testing.T) {
	t.Setenv("ROSENBLATT_SEED", "x")
	t.Setenv("ROSENBLATT_ACCEPT", "config")
	got := call(t, "", "run", "--config", write(t, "c.yaml", "bitz: 20\nmax-bytes: much\n"), "--format", "xml")
	for _, want := range []string{"7 settings are wrong", "bitz", "max-bytes: expected", "ROSENBLATT_SEED",
		"ROSENBLATT_ACCEPT: --accept is for one call", "brokers: missing", "input: missing", `format: "xml"`} {
		got.want(t, cli.ExitUsage, "", want)
	}
}

// TestAllFaultsOfAFileAtOnce, of every command that has settings: what is duplicated or nested, what is unknown, what
// is out of range, and what is missing.
func TestAllFaultsOfAFileAtOnce(t *testing.T) {
	t.Setenv(daemon.PasswordEnv, "geheim")
	file := write(t, "c.yaml", "bitz: 20\ninput: a\ninput: b\nbrokers: {a: b}\nsasl: plain\nmax-bytes: much\n")
	for command, all := range map[string][]string{
		"run": {"6 settings are wrong", ":3: input: duplicate", ":4: brokers: want a value",
			":1: bitz: unknown setting: did you mean bits?", "max-bytes: ", "brokers: missing", "sasl-user: missing"},
		"check": {"6 settings are wrong", ":1: bitz", ":3: input", ":4: brokers", "max-bytes: ", "brokers: missing",
			"sasl-user: missing"},
		"produce": {"7 settings are wrong", ":1: bitz", ":3: input", ":4: brokers", "brokers: missing",
			"topic: missing", "nothing to send"},
	} {
		got := call(t, "", command, "--config", file)
		for _, want := range all {
			got.want(t, cli.ExitUsage, "", want)
		}
	}
}

// TestOneFileServesAll: a file for run may be given to the other commands.
func TestOneFileServesAll(t *testing.T) {
	t.Parallel()
	file := write(t, "c.yaml", "brokers: 127.0.0.1:1\ninput: events\nbits: 20\ntopic: events\n")
	call(t, "", "check", "--config", file, "--state", t.TempDir()).want(t, cli.ExitFailed, "FAIL  ", "")
	call(t, "", "produce", "--config", file).want(t, cli.ExitUsage, "", "rosenblatt: nothing to send")
}

func TestDryRunParsesBack(t *testing.T) {
	t.Parallel()
	args := []string{"--brokers", "k1:1,k2:2", "--input", "events", "--ignore", "a,b: c,#d", "--positive", "yes",
		"--checkpoint-interval", "90s",
		"--learner", "perceptron:rate=0.5,threshold=1", "--seed", "18446744073709551615", "--tls-server-name", "b",
		"--no-learn", "--start", "latest",
		"--columns", "label,x,a,b: c,#d", "--format", "csv", "--text-field", "x", "--http", "off"}
	first := call(t, "", append([]string{"run", "--dry-run"}, args...)...)
	first.want(t, cli.ExitDone, "output: events.predictions\n", "")
	if first.stderr != "" {
		t.Errorf("stderr: %s", first.stderr)
	}
	file := write(t, "c.yaml", first.stdout)
	call(t, "", "run", "--dry-run", "--config", file).want(t, cli.ExitDone, first.stdout, "")
	want, err := parsed(t, args...).Resolve()
	if err != nil {
		t.Fatal(err)
	}
	got, err := parsed(t, "--config", file).Resolve()
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Settings, want.Settings) || !reflect.DeepEqual(got.Task, want.Task) {
		t.Errorf("got %+v\nwant %+v", got.Settings, want.Settings)
	}
}

// TestSecretsAreNeverPrinted: neither by --dry-run nor by what is said of faults or of the connection.
func TestSecretsAreNeverPrinted(t *testing.T) {
	t.Setenv(daemon.PasswordEnv, "geheim")
	token := write(t, "token", "geheim")
	args := []string{"--brokers", "127.0.0.1:1", "--input", "events", "--sasl", "scram-sha-256", "--sasl-user", "me"}
	run := append([]string{"run", "--http-token-file", token}, args...)
	dry := call(t, "", append(run, "--dry-run")...)
	dry.want(t, cli.ExitDone, "# the password is in ROSENBLATT_SASL_PASSWORD, hidden", "")
	for _, got := range []outcome{dry, call(t, "", append(run, "--bits", "99")...),
		call(t, "", append([]string{"check", "--state", t.TempDir()}, args...)...)} {
		if text := got.stdout + got.stderr; strings.Contains(text, "geheim") || text == "" {
			t.Errorf("exit %d: %s", got.code, text)
		}
	}
	call(t, "", append(run, "--sasl-password", "geheim")...).want(t, cli.ExitUsage, "", "unknown flag --sasl-password")
}

// TestMisspeltVariable is reported, and those of other programs are not.
func TestMisspeltVariable(t *testing.T) {
	for name, value := range map[string]string{"ROSENBLATT_BITZ": "20", "ROSENBLATT_MAX_BYTE": "5",
		"ROSENBLATT_PORT": "tcp://10.0.0.1:80", "ROSENBLATT_SERVICE_HOST": "10.0.0.1",
		"ROSENBLATT_TEST_BROKERS": "k:1", "ROSENBLATT_PICTURES": "x", "ROSENBLATT_MODLE": "", "ROSENBLATT_SEED": "3"} {
		t.Setenv(name, value)
	}
	got := call(t, "", "run", "--dry-run", "--brokers", "k:1", "--input", "events")
	got.want(t, cli.ExitDone, "seed: 3\n", "")
	if want := "rosenblatt: ROSENBLATT_BITZ is not a setting and is ignored: did you mean ROSENBLATT_BITS?\n" +
		"rosenblatt: ROSENBLATT_MAX_BYTE is not a setting and is ignored: " +
		"did you mean ROSENBLATT_MAX_BYTES?\n"; got.stderr != want {
		t.Errorf("stderr %q, want %q", got.stderr, want)
	}
}
