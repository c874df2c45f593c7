package main

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"rosenblatt/cmd/internal/daemon"
)

// passwordEnv holds the one setting that has no flag: a command line can be read by others.
const passwordEnv = "ROSENBLATT_SASL_PASSWORD"

// sources gives flags that are not on the command line their values from the environment and from a file. Kong reads the
// environment too, but gives up at the first value that is wrong: this one collects them.
type sources struct {
	file   *configFile
	faults daemon.Faults
}

// BeforeResolve is called by kong once the command line is known, and before what it leaves open is looked up.
func (c *commandLine) BeforeResolve(call *kong.Context) error {
	s := &sources{}
	for _, text := range misspelt(os.Environ(), flagNames(call.Model.Node)) {
		fmt.Fprintf(call.Stderr, "rosenblatt: %s\n", text)
	}
	if path := configPath(call); path != "" {
		file, err := readConfig(path)
		faults, several := daemon.AsFaults(err)
		if err != nil && !several {
			return err
		}
		s.file = file
		s.faults = append(faults, file.unknown(call.Model.Node)...)
	}
	c.sources = s
	call.AddResolver(s)
	return nil
}

// misspelt lists variables that are nearly a setting's. They are no errors: others make some that begin like ours, as Kubernetes
// does for a service named rosenblatt (ROSENBLATT_PORT).
func misspelt(environment, names []string) (all []string) {
	for _, v := range environment {
		name, value, _ := strings.Cut(v, "=")
		rest, ours := strings.CutPrefix(name, "ROSENBLATT_")
		if !ours || value == "" || name == passwordEnv || name == envName("config") {
			continue
		}
		flag := strings.ToLower(strings.ReplaceAll(rest, "_", "-"))
		meant := nearest(flag, names)
		if d := distance(flag, meant); d == 1 || d == 2 && len(flag) > 4 {
			all = append(all, fmt.Sprintf("%s is no setting and passed over: did you mean %s?", name, envName(meant)))
		}
	}
	slices.Sort(all)
	return all
}

func configPath(call *kong.Context) string {
	for _, f := range call.Flags() {
		if f.Name == "config" {
			if path, ok := call.FlagValue(f).(string); ok && path != "" {
				return path
			}
		}
	}
	return os.Getenv(envName("config"))
}

// envName is the environment variable of a flag.
func envName(flag string) string {
	return "ROSENBLATT_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// onlyOnCommandLine tells whether a flag is for one call: neither environment nor file may give it.
func onlyOnCommandLine(f *kong.Flag) bool { return f.Tag.Has("cmdline") }

// Resolve is called by kong for every flag that is not on the command line.
func (s *sources) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if flag.Name == "help" || flag.Name == "config" {
		return nil, nil
	}
	value, from := s.lookup(flag.Name)
	if value == nil {
		return nil, nil
	}
	if onlyOnCommandLine(flag) {
		s.faults = append(s.faults, fmt.Errorf("%s: --%s is for one call: give it on the command line only", from, flag.Name))
		return nil, nil
	}
	if _, list := value.([]any); list && flag.Target.Kind() != reflect.Slice {
		s.faults = append(s.faults, fmt.Errorf("%s: want one value, not a list", from))
		return nil, nil
	}
	scratch := reflect.New(flag.Target.Type()).Elem()
	if err := flag.Parse(kong.Scan().PushTyped(value, kong.FlagValueToken), scratch); err != nil {
		s.faults = append(s.faults, fmt.Errorf("%s: %s", from, strings.TrimPrefix(err.Error(), flag.ShortSummary()+": ")))
		return nil, nil
	}
	return value, nil
}

// lookup finds a flag's value, a string or a []any of strings, and says where it stands. An empty variable is none: compose
// files and unit files make such of settings that are left open.
func (s *sources) lookup(name string) (value any, from string) {
	if text := os.Getenv(envName(name)); text != "" {
		return text, envName(name)
	}
	if s.file != nil {
		if v, ok := s.file.values[name]; ok {
			return v.value, v.place
		}
	}
	return nil, ""
}

// Validate is called by kong at the end. What was found wrong is told later, with all else that is.
func (s *sources) Validate(*kong.Application) error { return nil }
