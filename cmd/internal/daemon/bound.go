package daemon

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/topics"
)

// Bound is an offset or a time in a topic, as --from and --to name it.
type Bound struct {
	Set    bool
	offset int64
	time   int64 // milliseconds since 1970; 0 for an offset
}

// ParseBound reads a bound; an empty text sets none.
func ParseBound(text string) (Bound, error) {
	if text == "" {
		return Bound{}, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		return Bound{Set: true, offset: n}, nil
	}
	if ms, as, err := cli.ParseTime(text, cli.AutoUnit); err == nil && ms > 0 && as == cli.ISOTime {
		return Bound{Set: true, time: ms}, nil
	}
	return Bound{}, fmt.Errorf("%q: want an offset, or a time as 2026-01-31T18:00:00Z", text)
}

// Extent returns where a topic's partitions begin and end; transactions that are still open are after the end.
func Extent(ctx context.Context, client *kafka.Client, topic topics.Topic) (starts, ends []int64, err error) {
	if ends, err = client.OffsetsAt(ctx, topic, LogEnd); err != nil {
		return nil, nil, err
	}
	if starts, err = client.OffsetsAt(ctx, topic, LogStart); err != nil {
		return nil, nil, err
	}
	n := min(len(starts), len(ends)) // partitions may have been added in between
	return starts[:n], ends[:n], nil
}

// Between returns what of each partition lies between two bounds, of what there is now.
func Between(ctx context.Context, client *kafka.Client, topic topics.Topic, from, to Bound) ([]topics.Part, error) {
	starts, ends, err := Extent(ctx, client, topic)
	if err != nil {
		return nil, err
	}
	begin, err := from.offsets(ctx, client, topic, starts, ends)
	if err != nil {
		return nil, err
	}
	end, err := to.offsets(ctx, client, topic, ends, ends)
	if err != nil {
		return nil, err
	}
	var all []topics.Part
	for p := range starts {
		all = append(all, topics.Part{Partition: int32(p), From: max(begin[p], starts[p]), To: min(end[p], ends[p])})
	}
	return all, nil
}

// offsets returns the offsets of a bound. A time after the last record is the end.
func (b Bound) offsets(
	ctx context.Context, client *kafka.Client, topic topics.Topic, unset, ends []int64,
) ([]int64, error) {
	switch {
	case !b.Set:
		return unset, nil
	case b.time == 0:
		return slices.Repeat([]int64{b.offset}, len(ends)), nil
	}
	found, err := client.OffsetsAt(ctx, topic, b.time)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(ends)
	for p := range min(len(out), len(found)) {
		if found[p] >= 0 {
			out[p] = found[p]
		}
	}
	return out, nil
}
