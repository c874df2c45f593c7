package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"rosenblatt/cmd/internal/daemon"
)

// produceCommand sends events to a topic, values as they are read, without keys.
type produceCommand struct {
	daemon.Connection `embed:"" group:"Connection"`

	File     string  `arg:"" optional:"" placeholder:"FILE|-" help:"A file of events, one on a line (.jsonl .csv .svm .libsvm .vw, also .gz .zst), or - for standard input."`
	Generate string  `placeholder:"hyperplane" help:"Make events instead of reading them: hyperplane, points on the sides of a slowly turning plane, as json."`
	Seed     uint64  `default:"1" placeholder:"N" help:"Seed of --generate (default: ${default})."`
	Format   string  `placeholder:"FORMAT" help:"json, libsvm, vw or csv, where the file's ending does not tell."`
	Topic    string  `placeholder:"TOPIC" help:"The topic to send to."`
	Rate     float64 `default:"0" placeholder:"N" help:"Events a second; 0 is as fast as it goes (default: ${default})."`
	Repeat   int64   `default:"1" placeholder:"N" help:"Send the file N times; 0 is without end (default: ${default})."`
	Count    int64   `default:"0" placeholder:"N" help:"End after N events (default: 0, at the end of the file, or never)."`

	CreateTopic bool  `help:"Create the topic if it is missing."`
	Partitions  int32 `default:"1" placeholder:"N" help:"Partitions of a topic that is created (default: ${default})."`
}

// Run is called by kong.
func (c *produceCommand) Run(p *program) error {
	c.SASLPassword = os.Getenv(passwordEnv)
	security, err := c.check()
	if err != nil {
		return err
	}
	feed, err := c.open(p.stdin)
	if err != nil {
		return err
	}
	defer feed.close()
	ctx, stop := interruptible()
	defer stop()
	if err := c.ready(ctx, security); err != nil {
		return err
	}
	s := newSender(c, security)
	defer s.close()
	began := time.Now()
	err = s.send(ctx, feed, p.progress())
	if err == nil || s.sent > 0 {
		seconds := time.Since(began).Seconds()
		fmt.Fprintf(p.stdout, "%d events in %s, %.0f a second\n", s.sent, c.Topic, float64(s.sent)/max(seconds, 1e-3))
	}
	return err
}

// check finds all that is wrong with the flags.
func (c *produceCommand) check() (daemon.Security, error) {
	security, err := c.Secure()
	faults, _ := daemon.AsFaults(err)
	add := func(wrong bool, text string, args ...any) {
		if wrong {
			faults = append(faults, fmt.Errorf(text, args...))
		}
	}
	add(c.Topic == "", "topic: missing: want the topic to send to")
	add(c.File == "" && c.Generate == "", "nothing to send: want a file, - for standard input, or --generate hyperplane")
	add(c.File != "" && c.Generate != "", "both a file and --generate: want one of them")
	add(c.Generate != "" && c.Generate != "hyperplane", "generate: %q: want hyperplane", c.Generate)
	add(c.Generate != "" && c.Format != "" && c.Format != "json", "format: %q: what is generated is json", c.Format)
	add(!(c.Rate >= 0) || math.IsInf(c.Rate, 0), "rate: %v: want 0 or more", c.Rate)
	add(c.Repeat < 0, "repeat: %d: want 0 or more", c.Repeat)
	add(c.File == "-" && c.Repeat != 1, "repeat: standard input can be read only once")
	add(c.Count < 0, "count: %d: want 0 or more", c.Count)
	add(c.Partitions < 1, "partitions: %d: want 1 or more", c.Partitions)
	if len(faults) > 0 {
		return security, faults
	}
	return security, nil
}

// progress prints, on a terminal, how far sending is, once a second; elsewhere nothing.
func (p *program) progress() func(sent int64, done bool) {
	if !daemon.IsTerminal(p.stderr) {
		return func(int64, bool) {}
	}
	began := time.Now()
	last := began
	return func(sent int64, done bool) {
		now := time.Now()
		switch {
		case done && last.After(began):
			fmt.Fprintf(p.stderr, "\r\x1b[K")
		case !done && now.Sub(last) >= time.Second:
			fmt.Fprintf(p.stderr, "\r\x1b[K%d events, %.0f a second", sent, float64(sent)/now.Sub(began).Seconds())
			last = now
		}
	}
}

// graceful is how long what is under way may take after an interrupt.
const graceful = 10 * time.Second

// beyond gives what is under way its time after ctx has ended.
func beyond(ctx context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		time.AfterFunc(graceful, func() { cancel(errors.New("no acknowledgement in time")) })
	})
	return out, func() { stop(); cancel(nil) }
}
