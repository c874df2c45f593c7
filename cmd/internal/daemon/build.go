package daemon

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"
)

// Info identifies the program.
type Info struct {
	Version string // of the release, else of the module; "(devel)" of a build from a checkout without a tag
	Commit  string // empty if unknown; with "+" if files were changed since
	Go      string
}

// version is set by .ci/release; empty in other builds.
var version string

// Build reads what the Go tool wrote into the program.
func Build() Info {
	info := Info{Version: "(devel)", Go: runtime.Version()}
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return info
	}
	info.Version = cmp.Or(version, b.Main.Version, info.Version)
	dirty := ""
	for _, s := range b.Settings {
		switch {
		case s.Key == "vcs.revision":
			info.Commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+"
		}
	}
	if info.Commit != "" {
		info.Commit += dirty
	}
	return info
}

// String returns all of it in one line.
func (i Info) String() string {
	parts := []string{"rosenblatt", i.Version}
	if i.Commit != "" {
		parts = append(parts, "commit", i.Commit)
	}
	return strings.Join(append(parts, i.Go), " ")
}
