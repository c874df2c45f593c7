package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestDurations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte("wait: 10\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		env  string
		want time.Duration
		text string // of the error
	}{
		{[]string{"--wait", "10"}, "", 0, `"10": want a duration with its unit: did you mean 10s?`},
		{[]string{"--wait", "1.5"}, "", 0, "did you mean 1.5s?"},
		{[]string{"--wait", "1e3"}, "", 0, `"1e3": want a duration, as 500ms`},
		{[]string{"--wait", "1m30"}, "", 0, "did you mean 1m30s?"},
		{[]string{"--wait", "soon"}, "", 0, `"soon": want a duration, as 500ms, 10s`},
		{nil, "10", 0, "WAIT_WAIT: \"10\": want a duration with its unit: did you mean 10s?"},
		{[]string{"--config", path}, "", 0, "c.yaml:1: wait: \"10\": want a duration with its unit"},
		{[]string{"--wait", "1m30s"}, "", 90 * time.Second, ""},
		{[]string{"--wait", "7d"}, "", 168 * time.Hour, ""},
		{[]string{"--wait", "1d12h30m"}, "", 36*time.Hour + 30*time.Minute, ""},
		{[]string{"--wait", "0.5d"}, "", 12 * time.Hour, ""},
		{nil, "14d", 336 * time.Hour, ""},
		{[]string{"--wait", "d"}, "", 0, `"d": want a duration, as 500ms, 10s, 1m30s or 7d`},
		{[]string{"--wait", "7d3"}, "", 0, "did you mean 7d3s?"},
		{[]string{"--wait", "7days"}, "", 0, "want a duration"},
		{[]string{"--wait", "1d-2h"}, "", 0, "want a duration"},
		{[]string{"--wait", "1e3d"}, "", 0, "want a duration"},
		{[]string{"--wait", "NaNd"}, "", 0, "want a duration"},
		{[]string{"--wait", "999999d"}, "", 0, "want a duration"},
		{nil, "", 5 * time.Second, ""},
	} {
		t.Setenv("WAIT_WAIT", c.env)
		var grammar struct {
			Wait struct {
				Wait time.Duration `default:"5s"`
			} `cmd:""`
			Config string
		}
		p := &Program{Name: "wait", EnvPrefix: "WAIT_", Stdout: new(strings.Builder), Stderr: new(strings.Builder)}
		_, err := p.Parse(&grammar, append([]string{"wait"}, c.args...))
		if (err == nil) != (c.text == "") || err != nil && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q %q: %v, want %q", c.args, c.env, err, c.text)
		}
		if err == nil && grammar.Wait.Wait != c.want {
			t.Errorf("%q %q: %v", c.args, c.env, grammar.Wait.Wait)
		}
	}
}
