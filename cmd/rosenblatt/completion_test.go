package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// shell runs a script, or skips where there is no such shell.
func shell(t *testing.T, name, script string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("there is no %s here", name)
	}
	cmd := exec.Command(path, args...)
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func completion(t *testing.T, shell string) string {
	t.Helper()
	clearEnvironment(t)
	got := call(t, "", "completion", shell)
	got.want(t, exitDone, "rosenblatt", "")
	return got.stdout
}

// lines are command lines, the last word yet to be completed, and what they can become.
var lines = []struct {
	words []string
	want  string // all of them, or one of them behind a +
}{
	{[]string{"rosenblatt", "re"}, "replay"},
	{[]string{"rosenblatt", "completion", "z"}, "zsh"},
	{[]string{"rosenblatt", "run", "--checkpoint-e"}, "--checkpoint-every"},
	{[]string{"rosenblatt", "run", "--format", ""}, "json libsvm vw csv"},
	{[]string{"rosenblatt", "run", "--tls", "--format", "l"}, "libsvm"},
	{[]string{"rosenblatt", "produce", "--generate", "h"}, "hyperplane"},
	{[]string{"rosenblatt", "produce", "--checkpoint-e"}, ""},
}

func TestCompletionBash(t *testing.T) {
	script := completion(t, "bash")
	ask := func(words ...string) string {
		line := "COMP_WORDS=('" + strings.Join(words, "' '") + "'); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _rosenblatt; echo \"${COMPREPLY[*]}\"\n"
		return strings.TrimSpace(shell(t, "bash", "set -u\ncomplete() { :; }\n"+script+line, "-s"))
	}
	for _, l := range lines {
		if got := ask(l.words...); got != l.want {
			t.Errorf("%q: %q, want %q", l.words, got, l.want)
		}
	}
	if got := ask("rosenblatt", "run", "--scale", "=", "m"); got != "maxabs" {
		t.Errorf("--scale=m: %q", got)
	}
	if got := ask("rosenblatt", "inspect", "st"); got != "" { // files are left to bash
		t.Errorf("inspect st: %q", got)
	}
}

func TestCompletionFish(t *testing.T) {
	script := completion(t, "fish")
	var asks strings.Builder
	for _, l := range lines {
		asks.WriteString("complete -C '" + strings.Join(l.words, " ") + "' | string split -f1 \\t | string join ' '; echo ==\n")
	}
	got := strings.Split(shell(t, "fish", script+asks.String(), "--no-config"), "==\n")
	for i, l := range lines {
		found, want := strings.Fields(got[i]), strings.Fields(l.want)
		slices.Sort(found)
		slices.Sort(want)
		if !slices.Equal(found, want) {
			t.Errorf("%q: %q, want %q", l.words, found, want)
		}
	}
}

// TestCompletionZsh: zsh takes the script, and its own compinit registers what is in it.
func TestCompletionZsh(t *testing.T) {
	script := completion(t, "zsh")
	shell(t, "zsh", script, "-f", "-n")
	got := shell(t, "zsh", "autoload -Uz compinit; compinit -u -D\n"+script+"\nprint $_comps[rosenblatt] $+functions[_rosenblatt]\n", "-f")
	if strings.TrimSpace(got) != "_rosenblatt 1" {
		t.Errorf("%q", got)
	}
}

// TestCompletionIsWhole: every flag of every command is there, and nothing that only looks like a choice.
func TestCompletionIsWhole(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish"} {
		script := completion(t, name)
		for _, want := range []string{"checkpoint-interval", "sasl-password-file", "learner", "generate", "from-checkpoint", "scram-sha-512", "verify"} {
			if !strings.Contains(script, want) {
				t.Errorf("%s: no %s", name, want)
			}
		}
	}
	for placeholder, want := range map[string]int{"FILE|-": 0, "json|csv": 2, "NAME": 0, "earliest|latest|TIME": 2, "P:FROM-TO": 0, "": 0} {
		if got := choices(placeholder); len(got) != want {
			t.Errorf("%q: %q", placeholder, got)
		}
	}
	call(t, "", "completion", "tcsh").want(t, exitUsage, "", "bash")
}
