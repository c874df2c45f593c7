package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
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
	got := call(t, "", "completion", shell)
	got.want(t, cli.ExitDone, "rosenblatt", "")
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
	{[]string{"rosenblatt", "run", "--format", ""}, strings.Join(event.FormatNames(), " ")},
	{[]string{"rosenblatt", "run", "--tls", "--format", "l"}, "libsvm"},
	{[]string{"rosenblatt", "produce", "--generate", "h"}, "hyperplane"},
	{[]string{"rosenblatt", "produce", "--checkpoint-e"}, ""},
	{[]string{"rosenblatt", "replay", "and.csv", "--learner", "pa"}, "pa pa1 pa2"},
	{[]string{"rosenblatt", "run", "--tls", "Dockerf"}, ""}, // a file, but run takes none
	{[]string{"rosenblatt", "run", "--config", "Dockerf"}, aFile},
	{[]string{"rosenblatt", "--config", "Dockerf"}, aFile},
	{[]string{"rosenblatt", "inspect", "Dockerf"}, aFile},
}

// aFile is one in the folder where the tests run.
const aFile = "Dockerfile"

// sameWords fails unless what was found is, in whatever order, what is wanted.
func sameWords(t *testing.T, words, found []string, want string) {
	t.Helper()
	all := strings.Fields(want)
	slices.Sort(all)
	slices.Sort(found)
	if !slices.Equal(found, all) {
		t.Errorf("%q: %q, want %q", words, found, all)
	}
}

func TestCompletionBash(t *testing.T) {
	t.Parallel()
	script := completion(t, "bash")
	// As with complete -o default: where it offers nothing and does not forbid it, bash looks for files.
	const left = `[[ ${COMPREPLY[*]} || ! $files ]] || COMPREPLY=($(compgen -f -- "${COMP_WORDS[-1]}"))`
	ask := func(words ...string) string {
		line := "COMP_WORDS=('" + strings.Join(words, "' '") +
			"'); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _rosenblatt; " + left + "; echo \"${COMPREPLY[*]}\"\n"
		return strings.TrimSpace(shell(t, "bash",
			"set -u\nfiles=yes\ncomplete() { :; }\ncompopt() { files=; }\n"+script+line, "-s"))
	}
	for _, l := range lines {
		sameWords(t, l.words, strings.Fields(ask(l.words...)), l.want)
	}
	if got := ask("rosenblatt", "run", "--scale", "=", "m"); got != "maxabs" {
		t.Errorf("--scale=m: %q", got)
	}
}

func TestCompletionFish(t *testing.T) {
	t.Parallel()
	script := completion(t, "fish")
	var asks strings.Builder
	for _, l := range lines {
		asks.WriteString("complete -C '" + strings.Join(l.words, " ") +
			"' | string split -f1 \\t | string join ' '; echo ==\n")
	}
	got := strings.Split(shell(t, "fish", script+asks.String(), "--no-config"), "==\n")
	for i, l := range lines {
		sameWords(t, l.words, strings.Fields(got[i]), l.want)
	}
}

// zshAsks starts an interactive zsh in a terminal of its own, which finds FOLDER/_rosenblatt as any command's
// completion. Ctrl-X completes the line, prints what could be added instead of adding it, and then END; Ctrl-U removes
// the line.
const zshAsks = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1= ; fpath=(FOLDER $fpath); autoload -Uz compinit; compinit -u -D
compadd() { [[ " $*" == *" -"[OAD]" "* ]] ||
	{ local -a all; builtin compadd -O all "$@"; print -rn -- " <$all>" }; builtin compadd "$@" }
finish() { _main_complete; print -r -- "<<END>>"; compstate[insert]=; compstate[list]= }
zle -C finish complete-word finish; bindkey "^X" finish; print REA""DY'
zpty -r -m z text '*READY*'
ask() { zpty -w -n z "$1"$'\x18'; zpty -r -m z text '*<<END>>*'; print -r -- "${(V)text}"; zpty -w -n z $'\x15' }
`

func TestCompletionZsh(t *testing.T) {
	t.Parallel()
	script := completion(t, "zsh")
	shell(t, "zsh", script, "-f", "-n")
	asks := strings.ReplaceAll(zshAsks, "FOLDER", filepath.Dir(write(t, "_rosenblatt", script)))
	for _, l := range lines {
		asks += "ask '" + strings.Join(l.words, " ") + "'\n"
	}
	got := strings.Split(shell(t, "zsh", asks+"zpty -d z\n", "-f"), "<<END>>\n")
	if len(got) != len(lines)+1 {
		t.Fatalf("%q", got)
	}
	for i, l := range lines {
		var found []string
		for _, m := range regexp.MustCompile(` <([^<>]*)>`).FindAllStringSubmatch(got[i], -1) {
			found = append(found, strings.Fields(m[1])...)
		}
		sameWords(t, l.words, found, l.want)
	}
	if got := shell(t, "zsh", "compdef() { print -r -- $@ }\n"+script, "-f"); got != "_rosenblatt rosenblatt\n" {
		t.Errorf("sourced: %q", got)
	}
}

// TestCompletionIsComplete: every flag of every command is there, and nothing that is no choice.
func TestCompletionIsComplete(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bash", "zsh", "fish"} {
		script := completion(t, name)
		for _, want := range []string{"checkpoint-interval", "sasl-password-file", "learner", "generate",
			"from-checkpoint", "scram-sha-512", "verify"} {
			if !strings.Contains(script, want) {
				t.Errorf("%s: no %s", name, want)
			}
		}
	}
	call(t, "", "completion", "tcsh").want(t, cli.ExitUsage, "", "bash")
}
