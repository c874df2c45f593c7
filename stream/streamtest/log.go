package streamtest

import (
	"bytes"
	"sync"
	"testing"

	"github.com/rs/zerolog"
)

// keptLines is how many lines of a log a failed test prints: the newest.
const keptLines = 300

// Log returns a log that is printed if the test fails. It takes lines of goroutines that outlive the test, too.
func Log(t testing.TB) zerolog.Logger {
	kept := &tailOfLog{}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the log:\n%s", kept.lines())
		}
	})
	return zerolog.New(kept).With().Timestamp().Logger()
}

// tailOfLog keeps the newest lines that were written to it.
type tailOfLog struct {
	mu   sync.Mutex
	kept [][]byte
}

func (l *tailOfLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) == keptLines {
		l.kept = append(l.kept[:0], l.kept[1:]...)
	}
	l.kept = append(l.kept, bytes.Clone(line))
	return len(line), nil
}

func (l *tailOfLog) lines() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Join(l.kept, nil)
}
