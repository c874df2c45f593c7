package daemon

import (
	"io"
	"os"
	"time"

	"rosenblatt/cmd/internal/cli"

	"github.com/rs/zerolog"
)

func (l *Logging) check(f *cli.Faults) {
	f.OneOf("log-level", l.LogLevel, "debug", "info", "warn", "error")
	f.OneOf("log-format", l.LogFormat, "auto", "console", "json")
}

// Logger makes a logger that writes to w: for people on a terminal, JSON otherwise, unless LogFormat says which.
// Invalid settings count as their defaults.
func (l Logging) Logger(w io.Writer) zerolog.Logger {
	level, err := zerolog.ParseLevel(l.LogLevel)
	if err != nil || l.LogLevel == "" {
		level = zerolog.InfoLevel
	}
	if l.Console(w) {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly, NoColor: os.Getenv("NO_COLOR") != "" ||
			!cli.IsTerminal(w)}
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger()
}

// Console reports whether logs to w are for people to read.
func (l Logging) Console(w io.Writer) bool {
	return l.LogFormat == "console" || l.LogFormat != "json" && cli.IsTerminal(w)
}

// ConsoleLog makes a logger for people, for commands that wait for brokers.
func ConsoleLog(w io.Writer) zerolog.Logger { return Logging{LogFormat: "console"}.Logger(w) }
