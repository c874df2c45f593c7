package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/stops"
)

// updating reports whether the pages are to be written.
func updating() bool { return os.Getenv("ROSENBLATT_UPDATE_GOLDEN") != "" }

// upToDate compares a page with its file, or writes it if ROSENBLATT_UPDATE_GOLDEN is set.
func upToDate(t *testing.T, path, text string) {
	t.Helper()
	path = filepath.Join(top, path)
	if updating() {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if old, err := os.ReadFile(path); err != nil || string(old) != text {
		t.Errorf("%s is not up to date (%v): set ROSENBLATT_UPDATE_GOLDEN=1 and run this test to write it", path, err)
	}
}

// cellOf is a text in a table of Markdown.
func cellOf(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// TestReferenceOfStops: the page has the table of stops.
func TestReferenceOfStops(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Stops\n\nMade from the table in `stream/stops`. The [operator's guide](../docs/stops.md) says" +
		" how stops work, and what the exit codes mean.\n\n" +
		"| stop, `error=` | exit | found | `--accept` continues ... |\n|---|--:|---|---|\n")
	for _, k := range stops.Kinds() {
		then := k.Accepted
		if then == "" {
			then = "no: " + k.Instead
		}
		exit := newProgram(nil, io.Discard, io.Discard).Report(&stops.Error{Name: k.Name})
		fmt.Fprintf(&b, "| `%s` | %d | %s | %s |\n", k.Name, exit, cellOf(k.Found), cellOf(then))
	}
	upToDate(t, "cmd/rosenblatt/reference/stops.md", b.String())
}

// TestReferenceOfSettings: the page has every flag of every command, with its help. A group that several commands have
// is there once.
func TestReferenceOfSettings(t *testing.T) {
	t.Parallel()
	call, err := newProgram(strings.NewReader(""), io.Discard, io.Discard).Parse(&commandLine{}, []string{"version"})
	if err != nil {
		t.Fatal(err)
	}
	root := call.Model.Node
	var b strings.Builder
	b.WriteString("# Settings\n\nMade from the texts of `rosenblatt COMMAND --help`. A flag `--max-bytes 1000` is" +
		" `ROSENBLATT_MAX_BYTES=1000` in\nthe environment and `max-bytes: 1000` in a file: see" +
		" [Configuration](../docs/configuration.md#configuration).\n\n" + flagTable(root.Flags))
	begun := map[string]string{} // tables by command
	for _, command := range root.Children {
		if command.Hidden {
			continue
		}
		fmt.Fprintf(&b, "\n## rosenblatt %s\n\n%s\n", command.Name, command.Help)
		if len(command.Positional) > 0 {
			b.WriteString("\n| argument | |\n|---|---|\n")
			for _, a := range command.Positional {
				fmt.Fprintf(&b, "| `%s` | %s |\n", cellOf(a.Tag.PlaceHolder), cellOf(a.Help))
			}
		}
		names, groups := grouped(command.Flags)
		for _, name := range names {
			table := flagTable(groups[name])
			if name != "" {
				fmt.Fprintf(&b, "\n**%s**", name)
			}
			if first := begun[table]; first != "" {
				fmt.Fprintf(&b, ": as of [%s](#rosenblatt-%[1]s).\n", first)
				continue
			}
			begun[table] = command.Name
			b.WriteString("\n\n" + table)
		}
	}
	upToDate(t, "cmd/rosenblatt/reference/settings.md", b.String())
}

// grouped returns the names of groups in the order of their first flags, and the flags of each.
func grouped(flags []*kong.Flag) (names []string, groups map[string][]*kong.Flag) {
	groups = map[string][]*kong.Flag{}
	for _, f := range flags {
		name := ""
		if f.Group != nil {
			name = f.Group.Title
		}
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], f)
	}
	return names, groups
}

func flagTable(flags []*kong.Flag) string {
	var b strings.Builder
	b.WriteString("| setting | |\n|---|---|\n")
	for _, f := range flags {
		name := "--" + f.Name
		if !f.IsBool() {
			name += " " + f.FormatPlaceHolder()
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", cellOf(name), cellOf(f.Help))
	}
	return b.String()
}

// TestUpgradingNamesTheFormat: the page names the format of checkpoints that this version writes.
func TestUpgradingNamesTheFormat(t *testing.T) {
	t.Parallel()
	if row := fmt.Sprintf("\n| checkpoint (its first line says which) | %d: ", checkpoint.Version); !strings.Contains(
		page(t, "cmd/rosenblatt/docs/upgrades.md"), row) {
		t.Errorf("no row %q", row)
	}
}
