package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/generate"
	"rosenblatt/stream/event"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/recordbatch"
)

// produceCommand sends events to a topic, values as they are read.
type produceCommand struct {
	File        string  `arg:"" optional:"" placeholder:"FILE|-" help:"A file of events, one on a line (${endings}, also .gz .zst), or - for standard input."`
	Topic       string  `group:"What is sent" placeholder:"TOPIC" help:"The topic to send to."`
	Format      string  `group:"What is sent" placeholder:"${formats}" help:"How an event is written, where the file's ending does not tell."`
	Key         string  `group:"What is sent" placeholder:"FIELD" help:"The field that becomes the record's key, in json a dotted path: events of one key go to one partition, in order (default: no key, partitions in turn)."`
	Rate        float64 `group:"What is sent" default:"0" placeholder:"N" help:"Events a second; 0 is as fast as it goes (default: ${default})."`
	Repeat      int64   `group:"What is sent" default:"1" placeholder:"N" help:"Send the file N times; 0 is without end (default: ${default})."`
	Compression string  `group:"What is sent" default:"none" placeholder:"none|lz4|zstd|snappy|gzip" help:"How batches of events are packed (default: ${default})."`
	Count       int64   `group:"What is sent" default:"0" placeholder:"N" help:"End after N events (default: 0, at the end of the file, or never)."`

	Generate string   `group:"Synthetic events" placeholder:"hyperplane|sea|led|rbf" help:"Make events instead of reading them, as json: hyperplane, a slowly turning plane; sea, a bound that jumps; led, the digits 0 to 9 in seven segments among noise (ten classes); rbf, moving clouds."`
	Seed     uint64   `group:"Synthetic events" default:"1" placeholder:"N" help:"Another seed is another stream of the kind (default: ${default})."`
	Noise    *float64 `group:"Synthetic events" placeholder:"SHARE" help:"The part of the labels, of led the segments, that are wrong on purpose, 0 to 0.5 (default: 0.05, of sea and led 0.1)."`
	Drift    *float64 `group:"Synthetic events" placeholder:"SPEED" help:"What changes with each event: the way of a weight (hyperplane, default: 0.0002) or a cloud (rbf, 0.0001), changes of the concept (sea, 0.0001; led, 0.0002); 0 is none."`
	Features int      `group:"Synthetic events" placeholder:"N" help:"Features of hyperplane and rbf (default: 10)."`

	CreateTopic bool  `group:"Topics" help:"Create the topic if it is missing."`
	Partitions  int32 `group:"Topics" default:"1" placeholder:"N" help:"Partitions of a topic that is created (default: ${default})."`

	daemon.Connection `embed:"" group:"Connection"`
}

// Run is called by kong.
func (c *produceCommand) Run(p *cli.Program) error {
	security, err := c.check()
	if err != nil {
		return err
	}
	feed, err := c.open(p.Stdin)
	if err != nil {
		return err
	}
	defer feed.close()
	if len(feed.columns) > 0 {
		names := strings.Join(feed.columns, ",")
		fmt.Fprintf(p.Stderr, "columns, from the header: %s\nSo the daemon is to be told: --format csv --columns '%s'\n", names, names)
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	if err := c.ready(ctx, security); err != nil {
		return err
	}
	s, err := c.connect(ctx, security)
	if err != nil {
		return err
	}
	defer s.to.Close()
	began := time.Now()
	show := progress(p, feed)
	err = s.send(ctx, feed, show.moved)
	show.end()
	c.tell(p, s, ctx.Err() != nil, time.Since(began))
	return err
}

func (c *produceCommand) connect(ctx context.Context, security daemon.Security) (*sender, error) {
	codec, err := recordbatch.ParseCodec(cmp.Or(c.Compression, recordbatch.None.String()))
	if err != nil {
		return nil, err
	}
	to, err := kafka.NewSender(ctx, kafka.Options{Brokers: c.Brokers, ClientID: c.ClientID, TLS: security.TLS, SASL: security.SASL, Input: c.Topic, Codec: codec})
	if err != nil {
		return nil, err
	}
	return newSender(to, c.Topic, c.Rate), nil
}

// tell says what stands in the topic now.
func (c *produceCommand) tell(p *cli.Program, s *sender, interrupted bool, took time.Duration) {
	end := ""
	if interrupted {
		end = "; interrupted, all that was sent is acknowledged"
	}
	if s.doubted > 0 {
		end = fmt.Sprintf("; of %d more no acknowledgement came, they may stand there too", s.doubted)
	}
	fmt.Fprintf(p.Stdout, "%d %s in %s, %.0f a second%s\n", s.sent, plural(int(s.sent), "event"), c.Topic, float64(s.sent)/max(took.Seconds(), 1e-3), end)
	if s.keyless > 0 {
		fmt.Fprintf(p.Stderr, "%d of them without a key: they have no %s\n", s.keyless, c.Key)
	}
}

// wrong is what is wrong with the flags.
func (c *produceCommand) Faults() error {
	_, err := c.check()
	return err
}

// generated is what the flags say of a synthetic stream.
func (c *produceCommand) generated() generate.Options {
	return generate.Options{Name: c.Generate, Seed: c.Seed, Features: c.Features, Noise: c.Noise, Drift: c.Drift}
}

// check finds all that is wrong with the flags.
func (c *produceCommand) check() (daemon.Security, error) {
	security, err := c.Secure()
	faults, _ := cli.AsFaults(err)
	add := func(wrong bool, text string, args ...any) {
		if wrong {
			faults = append(faults, fmt.Errorf(text, args...))
		}
	}
	add(c.Topic == "", "topic: missing: want the topic to send to")
	add(c.File == "" && c.Generate == "", "nothing to send: want a file, - for standard input, or --generate %s", strings.Join(generate.Names(), "|"))
	add(c.File != "" && c.Generate != "", "both a file and --generate: want one of them")
	add(c.Generate == "" && (c.Noise != nil || c.Drift != nil || c.Features != 0), "noise, drift, features: these are for --generate")
	if c.Generate != "" {
		_, err := generate.Open(c.generated())
		add(err != nil, "generate: %w", err)
		add(c.Format != "" && c.Format != "json", "format: %q: what is generated is json", c.Format)
		add(c.Repeat != 1, "repeat: what is generated has no end to begin again at")
	}
	_, err = recordbatch.ParseCodec(c.Compression)
	add(err != nil, "compression: %q: want none, lz4, zstd, snappy or gzip", c.Compression)
	add(c.Generate == "" && c.Format != "" && !slices.Contains(event.FormatNames(), c.Format),
		"format: %q: want %s", c.Format, event.FormatChoice())
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
