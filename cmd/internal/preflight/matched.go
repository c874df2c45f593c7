package preflight

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/event"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// eventIDs is what was read of events that have ids.
type eventIDs struct {
	read, found int
	oldest      int64  // ms
	example     string // of their ids
}

func (x *eventIDs) add(id string, at int64) {
	if x.read++; x.read == 1 {
		x.oldest, x.example = at, id
	}
	x.oldest = min(x.oldest, at)
}

// idText is an id for people.
func (k *clusterCheck) idText(e *event.Example, r *topics.Record) string {
	const most = 40
	id, quoted := e.ID, !e.IDIsJSON
	if k.settings.ByKey() {
		id, quoted = r.Key, true
	}
	id = id[:min(len(id), most)]
	if quoted {
		return strconv.Quote(string(id))
	}
	return string(id)
}

// matched says that no label is of an event, of those whose event must have been read. all says that nothing was left
// out for want of time.
func (k *clusterCheck) matched(
	ctx context.Context, client *kafka.Client, unmatched map[labels.ID]pastLabel, events *eventIDs, all bool,
) {
	if k.apart || events.found > 0 || events.read == 0 {
		return
	}
	from := events.oldest // labels before it are of events before
	switch whole, begun := k.wholeInput(ctx, client); {
	case !all || !whole:
		from = math.MaxInt64
	case !begun:
		from += k.settings.LabelWait.Milliseconds() // of events that were deleted since
	}
	judged, example := 0, ""
	for _, l := range unmatched {
		first := example == "" || l.id < example
		if l.at >= from {
			first = first || judged == 0
			judged++
		} else if judged > 0 {
			continue
		}
		if first {
			example = l.id
		}
	}
	ids := fmt.Sprintf("ids of events are as %s, those of labels as %s", events.example, example)
	//mutation:check-matches-labels
	if judged > 0 {
		k.fail(labelsLine, fmt.Sprintf("none of %s is of an event: %s", english.Plural(judged, "label", ""), ids),
			"write ids alike on both sides, or name the fields of the ids: --id-field of events, --labels-id-field of "+
				"labels, or --join key for the keys")
		return
	}
	if from == math.MaxInt64 {
		k.note(labelsLine, fmt.Sprintf("none of the newest %s is of one of the newest %s", english.Plural(
			len(unmatched), "label", ""), english.Plural(events.read, "event", "")),
			"their events may be older; else compare the ids: "+ids)
	}
}

// wholeInput reports whether all events that the input holds are as few as were read, and whether it holds the first
// ones still.
func (k *clusterCheck) wholeInput(ctx context.Context, client *kafka.Client) (whole, begun bool) {
	var starts, ends []int64
	err := k.step(ctx, func(ctx context.Context) (err error) {
		if starts, err = client.OffsetsAt(ctx, topics.Input, daemon.LogStart); err == nil {
			ends, err = client.OffsetsAt(ctx, topics.Input, daemon.LogEnd)
		}
		return err
	})
	held, before := int64(0), int64(0)
	for p := range min(len(starts), len(ends)) {
		held += ends[p] - starts[p]
		before += starts[p]
	}
	return err == nil && held <= delayEvents, before == 0
}
