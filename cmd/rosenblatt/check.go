package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/kafka"
)

// checkCommand tells whether a daemon with these settings would find what it needs. It writes nothing to any topic, and
// fences nobody.
type checkCommand struct {
	daemon.Connection `embed:"" group:"Connection"`
	daemon.Topics     `embed:"" group:"Topics and places"`

	Timeout       time.Duration `group:"How it asks" cmdline:"" default:"5s" placeholder:"DURATION" help:"How long each step may take (default: ${default})."`
	HTTPTokenFile string        `group:"How it asks" name:"http-token-file" placeholder:"FILE" help:"With --health: a file with the token that the daemon's HTTP wants."`
	Health        string        `group:"How it asks" cmdline:"" placeholder:"URL" help:"Ask a running daemon instead whether it is ready, as http://127.0.0.1:8080 (then /readyz) or with a path."`
}

// Run is called by kong.
func (c *checkCommand) Run(p *cli.Program) error {
	if c.Timeout <= 0 {
		return cli.Usagef("--timeout %s: want a duration over 0, as 5s", c.Timeout)
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	if c.Health != "" {
		return c.health(ctx, p.Stdout)
	}
	security, err := c.settings()
	if err != nil {
		return err
	}
	list := &checklist{out: p.Stdout, color: cli.IsTerminal(p.Stdout) && os.Getenv("NO_COLOR") == ""}
	k := &kafkaCheck{checklist: list, with: c, security: security}
	k.run(ctx)
	list.folder(filepath.Join(c.State, c.Model))
	list.sum()
	if list.failed > 0 {
		return cli.ErrReported
	}
	return nil
}

// wrong is what is wrong with the flags.
func (c *checkCommand) Faults() error {
	if c.Health != "" {
		return nil
	}
	_, err := c.settings()
	return err
}

// settings finds all that is wrong with them.
func (c *checkCommand) settings() (kafka.ClusterOptions, error) {
	security, err := c.Cluster()
	faults, _ := cli.AsFaults(err)
	if more, ok := cli.AsFaults(c.Topics.Check()); ok {
		faults = append(faults, more...)
	}
	if len(faults) > 0 {
		return security, faults
	}
	return security, nil
}

// checklist prints one line for each thing that was looked at.
type checklist struct {
	out    io.Writer
	color  bool
	failed int
}

// Colours of a terminal, by number (ECMA-48, SGR).
const (
	red    = 31
	green  = 32
	yellow = 33
)

func (l *checklist) line(verdict string, color int, what, text string) {
	if l.color {
		fmt.Fprintf(l.out, "\x1b[%dm%-5s\x1b[0m %-12s %s\n", color, verdict, what, text)
		return
	}
	fmt.Fprintf(l.out, "%-5s %-12s %s\n", verdict, what, text)
}

func (l *checklist) ok(what, format string, args ...any) {
	l.line("ok", green, what, fmt.Sprintf(format, args...))
}

// note tells of what the daemon can do without, or what could not be looked at.
func (l *checklist) note(what, found, do string) {
	l.line("note", yellow, what, found+": "+do)
}

// fail says what was found and what to do.
func (l *checklist) fail(what, found, do string) {
	l.failed++
	l.line("FAIL", red, what, found+": "+do)
}

func (l *checklist) sum() {
	switch l.failed {
	case 0:
		fmt.Fprintln(l.out, "All is in order.")
	case 1:
		fmt.Fprintln(l.out, "One thing is wrong.")
	default:
		fmt.Fprintf(l.out, "%d things are wrong. Begin with the first: others may come from it.\n", l.failed)
	}
}

// maxHealth bounds what is read of an answer to --health.
const maxHealth = 4 << 10

func (c *checkCommand) health(ctx context.Context, out io.Writer) error {
	target, err := url.Parse(c.Health)
	if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" {
		return cli.Usagef("--health %q: want a URL, as http://127.0.0.1:8080", c.Health)
	}
	if target.Path == "" || target.Path == "/" {
		target.Path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return err
	}
	if c.HTTPTokenFile != "" {
		token, err := daemon.ReadSecret(c.HTTPTokenFile)
		if err != nil {
			return fmt.Errorf("http-token-file: %w", err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
	}
	began := time.Now()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(res.Body, maxHealth))
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", target, res.Status, strings.TrimSpace(string(text)))
	}
	_, err = fmt.Fprintf(out, "ok    %s in %s\n", target, time.Since(began).Round(time.Millisecond))
	return err
}
