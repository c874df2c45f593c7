package daemon

import (
	"context"
	"fmt"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/topics"
)

const (
	earliest = "earliest"
	latest   = "latest"
)

// Start is where in input and labels a new model begins. The zero value is the start of the log.
type Start struct {
	Latest bool
	Time   int64 // milliseconds since 1970, if over 0
}

// ParseStart reads earliest, latest, or a time with its zone, or as a number.
func ParseStart(text string) (Start, error) {
	switch text {
	case earliest:
		return Start{}, nil
	case latest:
		return Start{Latest: true}, nil
	}
	if ms, as, err := cli.ParseTime(text, cli.AutoUnit); err == nil && ms > 0 && as != cli.ISOLocal {
		return Start{Time: ms}, nil
	}
	return Start{}, fmt.Errorf("%q: want earliest, latest, a time as 2026-01-31T18:00:00Z, or seconds or milliseconds"+
		" since 1970", text)
}

// Times that mean the start and the end of the log in Kafka's ListOffsets.
const (
	LogStart = -2
	LogEnd   = -1
)

// Positions returns the offset in each partition of a topic, the end where no record is at or after the time; nil is
// the log's start.
func (s Start) Positions(ctx context.Context, c *kafka.Client, topic topics.Topic) ([]int64, error) {
	if !s.Latest && s.Time == 0 {
		return nil, nil
	}
	ends, err := c.OffsetsAt(ctx, topic, LogEnd)
	if err != nil || s.Latest {
		return ends, err
	}
	at, err := c.OffsetsAt(ctx, topic, s.Time)
	if err != nil {
		return nil, err
	}
	for p := range min(len(at), len(ends)) {
		if at[p] < 0 {
			at[p] = ends[p]
		}
	}
	return at, nil
}
