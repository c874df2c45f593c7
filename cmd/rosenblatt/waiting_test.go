package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// TestWaitingIsLogged: a command that waits for brokers logs it, and for what, long before it ends.
func TestWaitingIsLogged(t *testing.T) {
	t.Parallel()
	wholeProgram(t)
	path, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"replay", "--topic", "events"}, {"verify", "--input", "events"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			p := launch(t, append([]string{path}, append(args, "--brokers", "127.0.0.1:1")...)...)
			streamtest.Await(t, "it logs that it waits", func() bool {
				p.alive(t)
				return strings.Contains(p.log.String(), "Kafka: trying again") &&
					strings.Contains(p.log.String(), "nobody listens there")
			})
			if err := p.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if code := p.exit(t, 20*time.Second); code != cli.ExitFailed {
				t.Errorf("exit %d:\n%s", code, p.tail())
			}
		})
	}
}
