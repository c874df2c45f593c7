// Package producer is what `rosenblatt produce` does, apart from its command line: it sends the events of a file or of a
// generator to a topic, values as they are read.
package producer

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/recordbatch"
)

// Run sends all events, or those until ctx ends, and prints how many are in the topic.
func Run(ctx context.Context, program *cli.Program, s *Settings) error {
	security, err := s.Check()
	if err != nil {
		return err
	}
	feed, err := s.open(program.Stdin)
	if err != nil {
		return err
	}
	defer feed.close()
	if len(feed.columns) > 0 {
		names := strings.Join(feed.columns, ",")
		fmt.Fprintf(program.Stderr, "columns, from the header: %s\nrun needs: --format csv --columns '%s'\n", names, names)
	}
	if err := s.ready(ctx, security); err != nil {
		return err
	}
	to, err := s.connect(ctx, security)
	if err != nil {
		return err
	}
	defer to.to.Close()
	began := time.Now()
	show := newProgress(program.Stderr, feed)
	err = to.send(ctx, feed, show.moved)
	show.bar.End()
	s.summarize(program, to, ctx.Err() != nil, time.Since(began))
	return err
}

func (s *Settings) connect(ctx context.Context, security daemon.Security) (*sender, error) {
	codec, err := recordbatch.ParseCodec(cmp.Or(s.Compression, recordbatch.None.String()))
	if err != nil {
		return nil, err
	}
	to, err := kafka.NewSender(ctx, kafka.Options{
		Brokers: s.Brokers, ClientID: s.ClientID, TLS: security.TLS, SASL: security.SASL, Input: s.Topic, Codec: codec,
	})
	if err != nil {
		return nil, err
	}
	return newSender(to, s.Topic, s.Rate), nil
}

// summarize prints what is in the topic now.
func (s *Settings) summarize(program *cli.Program, by *sender, interrupted bool, took time.Duration) {
	end := ""
	if interrupted {
		end = "; interrupted, all that was sent is acknowledged"
	}
	if by.indeterminate > 0 {
		end = fmt.Sprintf("; %d more were sent but not acknowledged, they may be in the topic, too", by.indeterminate)
	}
	fmt.Fprintf(program.Stdout, "%d %s in %s, %.0f a second%s\n", by.sent, english.PluralWord(int(by.sent), "event", ""),
		s.Topic, float64(by.sent)/max(took.Seconds(), 1e-3), end)
	if by.keyless > 0 {
		fmt.Fprintf(program.Stderr, "%d of them without a key: they have no %s\n", by.keyless, s.Key)
	}
}
