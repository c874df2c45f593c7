package cli

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// passwordFlag is the one setting that has no flag, since other users can read a command line.
const passwordFlag = "sasl-password"

// sources resolves flags that are not on the command line from the environment and from a file. Unlike kong's own
// reading of the environment, which ends at the first wrong value, it collects the faults.
type sources struct {
	prefix string
	notes  io.Writer
	opened bool
	file   *configFile
	faults Faults
}

// open is called by kong for every word of the command line, before the other flags are resolved.
func (s *sources) open(call *kong.Context) error {
	if s.opened {
		return nil
	}
	s.opened = true
	for _, text := range misspelled(s.prefix, os.Environ(), flagNames(call.Model.Node)) {
		fmt.Fprintf(s.notes, "%s: %s\n", call.Model.Name, text)
	}
	if path := s.configPath(call); path != "" {
		file, err := readConfig(path)
		faults, several := AsFaults(err)
		if err != nil && !several {
			return err
		}
		s.file = file
		s.faults = append(faults, file.unknown(call.Model.Node, s.prefix)...)
	}
	call.AddResolver(s)
	return nil
}

func (s *sources) configPath(call *kong.Context) string {
	for _, f := range call.Flags() {
		if f.Name == "config" {
			if path, ok := call.FlagValue(f).(string); ok && path != "" {
				return path
			}
		}
	}
	return os.Getenv(envName(s.prefix, "config"))
}

func envName(prefix, flag string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// commandLineOnly reports whether a value of a flag is for one call: neither environment nor file may set it. The tag
// names what values contain that may stay there; where it is empty, none may.
func commandLineOnly(f *kong.Flag, value any) bool {
	lasting := f.Tag.Get("cmdline")
	//mutation:token-may-stay
	if !f.Tag.Has("cmdline") || lasting == "" {
		return f.Tag.Has("cmdline")
	}
	for text := range strings.SplitSeq(strings.Trim(fmt.Sprint(value), "[]"), ",") {
		for word := range strings.FieldsSeq(text) {
			if !strings.Contains(word, lasting) {
				return true
			}
		}
	}
	return false
}

// Resolve is called by kong for every flag that is not on the command line.
func (s *sources) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if flag.Name == "help" || flag.Name == "config" {
		return nil, nil
	}
	value, from := s.lookup(flag.Name)
	if value == nil {
		return nil, nil
	}
	if commandLineOnly(flag, value) {
		s.faults.Addf("%s: --%s is for one call: give it on the command line only%s", from, flag.Name,
			flag.Tag.Get("unless"))
		return nil, nil
	}
	if _, list := value.([]any); list && flag.Target.Kind() != reflect.Slice {
		s.faults.Addf("%s: want one value, not a list", from)
		return nil, nil
	}
	scratch := reflect.New(flag.Target.Type()).Elem()
	if err := flag.Parse(kong.Scan().PushTyped(value, kong.FlagValueToken), scratch); err != nil {
		s.faults.Addf("%s: %s", from, strings.TrimPrefix(err.Error(), flag.ShortSummary()+": "))
		return nil, nil
	}
	return value, nil
}

// lookup finds a flag's value, a string or a []any of strings, and where it is set. An empty variable counts as none:
// compose files contain such for settings that are left open.
func (s *sources) lookup(name string) (value any, from string) {
	variable := envName(s.prefix, name)
	if text := os.Getenv(variable); text != "" {
		return text, variable
	}
	if s.file != nil {
		if v, ok := s.file.values[name]; ok {
			return v.value, v.place
		}
	}
	return nil, ""
}

// Validate is called by kong at the end. Parse reports the faults with those of the settings.
func (s *sources) Validate(*kong.Application) error { return nil }
