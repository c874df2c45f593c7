package main

import (
	"debug/elf"
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const (
	top        = "../.." // of the repository
	dockerfile = "cmd/rosenblatt/Dockerfile"
)

// instruction is one of a Dockerfile.
type instruction struct {
	stage int // from 0
	name  string
	flags []string // as --from=build
	args  string
}

// words splits arguments without quotes.
func (i instruction) words() []string { return strings.Fields(i.args) }

// flag is the value of a flag, empty without one.
func (i instruction) flag(name string) string {
	for _, f := range i.flags {
		if value, ok := strings.CutPrefix(f, "--"+name+"="); ok {
			return value
		}
	}
	return ""
}

// list reads arguments in exec form.
func (i instruction) list(t *testing.T) (list []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(i.args), &list); err != nil || len(list) == 0 {
		t.Fatalf("%s %s is not in exec form, and the image has no shell: %v", i.name, i.args, err)
	}
	return list
}

// image is what a Dockerfile comes to.
type image struct {
	all        []instruction
	goVersion  string            // of the golang image
	args       map[string]string // ARG with their defaults
	env        map[string]string // ENV of the last stage
	user       string
	entrypoint []string
	build      string   // the shell command with go build
	binary     string   // what it writes
	ports      []string // EXPOSE
}

// last lists the instructions of that name in the last stage.
func (m *image) last(name string) (found []instruction) {
	for _, i := range m.all {
		if i.name == name && i.stage == m.all[len(m.all)-1].stage {
			found = append(found, i)
		}
	}
	return found
}

// instructions splits a Dockerfile: comments, continued lines and flags are all of the grammar that is used.
func instructions(text string) (all []instruction) {
	stage := -1
	var whole string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		whole += strings.TrimSuffix(line, `\`)
		if strings.HasSuffix(line, `\`) {
			continue
		}
		name, rest, _ := strings.Cut(whole, " ")
		i := instruction{name: strings.ToUpper(name), args: strings.TrimSpace(rest)}
		for strings.HasPrefix(i.args, "--") {
			flag, after, _ := strings.Cut(i.args, " ")
			i.flags, i.args = append(i.flags, flag), strings.TrimSpace(after)
		}
		if i.name == "FROM" {
			stage++
		}
		i.stage, whole = stage, ""
		all = append(all, i)
	}
	return all
}

var outputFlag = regexp.MustCompile(` -o (\S+)`)

func readDockerfile(t *testing.T) *image {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, dockerfile))
	if err != nil {
		t.Fatal(err)
	}
	m := &image{all: instructions(string(text)), args: map[string]string{}, env: map[string]string{}}
	for _, i := range m.all {
		key, value, _ := strings.Cut(i.args, "=")
		switch {
		case i.name == "ARG":
			m.args[key] = value
		case i.name == "RUN" && strings.Contains(i.args, "go build"):
			output := outputFlag.FindStringSubmatch(i.args)
			if output == nil {
				t.Fatalf("no -o in %s", i.args)
			}
			m.build, m.binary = i.args, output[1]
		case i.name == "FROM" && strings.HasPrefix(i.args, "golang:"):
			m.goVersion = strings.TrimPrefix(i.words()[0], "golang:")
		}
	}
	for _, i := range m.last("ENV") {
		key, value, _ := strings.Cut(i.args, "=")
		m.env[key] = value
	}
	for _, i := range m.last("USER") {
		m.user = i.args
	}
	for _, i := range m.last("EXPOSE") {
		m.ports = i.words()
	}
	for _, i := range m.last("ENTRYPOINT") {
		m.entrypoint = i.list(t)
	}
	return m
}

// TestDockerfile: a program on its own, which is not root, in a folder that it may write to.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	m := readDockerfile(t)
	mod, err := os.ReadFile(filepath.Join(top, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(mod), "\ngo "+m.goVersion+"\n") {
		t.Errorf("the image has Go %q, which is not what go.mod says", m.goVersion)
	}
	if from := m.last("FROM"); len(from) != 1 || from[0].args != "scratch" {
		t.Errorf("the last stage is %v, want it from scratch", from)
	}
	if !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(m.user) {
		t.Errorf("the user is %q, want the numbers of one that is not root", m.user)
	}
	state, program := false, false
	for _, c := range m.last("COPY") {
		from, to := c.words()[0], c.words()[1]
		state = state || c.flag("chown") == m.user && m.makes(path.Join(from, m.env["ROSENBLATT_STATE"])) && to == "/"
		program = program || from == m.binary && c.flag("chown") == "" && len(m.entrypoint) == 1 &&
			to == m.entrypoint[0]
	}
	if !state {
		t.Errorf("no COPY gives the folder %q to user %s", m.env["ROSENBLATT_STATE"], m.user)
	}
	if !program {
		t.Errorf("no COPY brings %s to where the entrypoint %q is", m.binary, m.entrypoint)
	}
	for _, want := range []string{"CGO_ENABLED=0 ", " -trimpath ", ` -ldflags="-s -w" `} {
		if !strings.Contains(m.build, want) {
			t.Errorf("no %q in %s", want, m.build)
		}
	}
}

// makes reports whether a stage before the last makes that folder.
func (m *image) makes(folder string) bool {
	return slices.ContainsFunc(m.all, func(i instruction) bool {
		return i.name == "RUN" && slices.Contains(i.words(), "mkdir") && slices.Contains(i.words(), folder)
	})
}

// TestDockerignore: nothing that git tracks is kept from the image's build, for then Go would call the program changed.
func TestDockerignore(t *testing.T) {
	t.Parallel()
	patterns := map[string][]string{}
	for _, name := range []string{".dockerignore", ".gitignore"} {
		text, err := os.ReadFile(filepath.Join(top, name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				patterns[name] = append(patterns[name], strings.TrimPrefix(line, "**/"))
			}
		}
	}
	for _, p := range patterns[".dockerignore"] {
		if !slices.Contains(patterns[".gitignore"], p) {
			t.Errorf(".dockerignore has %s, .gitignore has not", p)
		}
	}
}

// TestDockerBuild runs the Dockerfile's own build command. The program needs nothing of its system, and starts with the
// very command and environment that docker-compose.yml gives it.
func TestDockerBuild(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program with the image's flags: not with -short")
	}
	m := readDockerfile(t)
	out := filepath.Join(t.TempDir(), "rosenblatt")
	c := exec.Command("sh", "-euc", strings.ReplaceAll(m.build, m.binary, out))
	c.Dir = top
	c.Env = append(os.Environ(), "GOOS=linux", "GOFLAGS=-buildvcs=auto") // as in the image
	for name, value := range m.args {
		c.Env = append(c.Env, name+"="+value)
	}
	commit := commitHere()
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", m.build, err, text)
	}
	static(t, out)
	if runtime.GOOS != "linux" {
		t.Log("built, but it does not run here")
		return
	}
	p, s := loadCompose(t), daemonService
	text, err := (&exec.Cmd{Path: out, Args: append([]string{out}, append(p.Services[s].Command, "--dry-run")...),
		Dir: t.TempDir(), Env: containerEnv(p.Services[s], m)}).CombinedOutput()
	if err != nil || !strings.Contains(string(text), "\nstate: /state\n") {
		t.Errorf("%v: %v\n%s", p.Services[s].Command, err, text)
	}
	if commit == "" {
		t.Log("go build finds no checkout, the program knows no commit")
		return
	}
	text, err = exec.Command(out, "version").Output()
	if err != nil || !strings.Contains(string(text), commit) {
		t.Errorf("the version does not tell commit %s: %s, %v", commit, text, err)
	}
}

// commitHere is the commit that is checked out; empty where go build finds none: this is no checkout, or it is one of
// several worktrees.
func commitHere() string {
	if at, err := os.Stat(filepath.Join(top, ".git")); err != nil || !at.IsDir() {
		return ""
	}
	out, err := exec.Command("git", "-C", top, "rev-parse", "HEAD").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// static fails if a program needs a loader or a library.
func static(t *testing.T, program string) {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the program needs an interpreter, the image has none")
		}
	}
	if libraries, err := f.ImportedLibraries(); err != nil || len(libraries) > 0 {
		t.Errorf("the program needs %v, %v", libraries, err)
	}
}
