// Package audit is what `rosenblatt verify` does: it finds the parameters and the start of a model, has package verify
// compute every published prediction again, and prints what differs. It only reads.
package audit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/verify"
)

// Run audits. Given holds the names of the settings that were given, parameters those of them in ModelGroup.
func Run(ctx context.Context, program *cli.Program, s *Settings, given map[string]bool, parameters []string) error {
	p, err := s.plan(program, given, parameters)
	if err != nil {
		return err
	}
	p.with.Kafka.Log = daemon.ConsoleLog(program.Stderr)
	client, err := kafka.New(p.with.Kafka)
	if err != nil {
		return err
	}
	defer client.Close()
	if p.partition != nil {
		client = client.Task(*p.partition)
	}
	if o := p.with.Registry; o != nil {
		if p.asked, err = registry.New(*o); err != nil {
			return err
		}
	}
	began := time.Now()
	bar := cli.NewBar(program.Stderr, "verifying")
	a, err := p.start(ctx, client)
	var result *verify.Result
	if err == nil {
		a.Log, a.Model, a.Moved, a.Labels = client, p.model, bar.Set, p.labels
		if p.asked != nil {
			a.Ask = p.asked.Ask
		}
		result, err = a.Run(ctx)
	}
	bar.Clear()
	if err != nil {
		var reached int64
		if result != nil {
			reached = result.Seq
		}
		return p.failed(ctx, client, err, reached)
	}
	return p.report(result, time.Since(began))
}

// failed explains why an audit did not reach its end, but this seq.
func (p *plan) failed(ctx context.Context, client *kafka.Client, err error, reached int64) error {
	stop, isStop := errors.AsType[*stops.Error](err)
	switch {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return errors.New("interrupted: nothing is proved")
	case !isStop:
		return err
	}
	if stop.Name == stops.InputGone || stop.Name == stops.JournalGone {
		if file := p.reaching(ctx, client, reached); file != "" {
			stop.Do = "audit what is left: --from-checkpoint " + file
		}
	}
	if stop.Name == stops.TopicMissing {
		stop.Do = "check --brokers, and the spelling of --input, --output, --dead-letter, --labels and --outcomes; if" +
			" they are right, the topic was deleted"
	}
	if p.JSON {
		failure := map[string]any{"ok": false, "error": stop.Name, "what": stop.What, "do": stop.Do}
		if err := cli.WriteJSON(p.program.Stdout, failure); err != nil {
			return err
		}
		return cli.ErrReported
	}
	fmt.Fprintf(p.program.Stderr, "NOT verified, error=%s\n  what: %s\n  safe: %s\n  do:   %s\n", stop.Name, stop.What,
		stop.Safe, stop.Do)
	return cli.ErrReported
}
