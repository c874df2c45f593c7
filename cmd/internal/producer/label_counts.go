package producer

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/cmd/internal/cli"
)

// labelKind is why a label record is sent.
type labelKind uint8

const (
	onlyLabel labelKind = iota
	repeatedLabel
	earlyLabel
	orphanLabel
	labelKinds
)

// LabelRecord is a label to be sent later.
type LabelRecord struct {
	Key, Value []byte
	After      time.Duration // its event
	kind       labelKind
}

// labelCounts are what was sent, of events and labels that are acknowledged.
type labelCounts struct {
	sent  [labelKinds]int64
	never int64 // events of which the label is never sent
	bare  int64 // events that are sent as they are
}

func (c *labelCounts) event(e *outgoing) {
	if e.never {
		c.never++
	}
	if e.bare {
		c.bare++
	}
}

// String says how many labels there are, and what is wrong with them.
func (c *labelCounts) String() string {
	all := int64(0)
	for _, n := range c.sent {
		all += n
	}
	var parts []string
	for _, part := range []struct {
		n          int64
		what, word string
	}{
		{c.never, "event", "without a label"}, {c.sent[repeatedLabel], "event", "with two"},
		{c.sent[earlyLabel], "label", "before the event"}, {c.sent[orphanLabel], "label", "of no event"},
	} {
		if part.n > 0 {
			parts = append(parts, english.Plural(int(part.n), part.what, "")+" "+part.word)
		}
	}
	return strings.Join(append([]string{english.Plural(int(all), "label", "")}, parts...), ", ")
}

// summarize prints how many labels are in the topic.
func (q *labelQueue) summarize(program *cli.Program, topic string, indeterminate int64) {
	labels, events := q.left, q.due.Len()-q.left
	end := ""
	if labels > 0 {
		end = fmt.Sprintf("; %d are not sent", labels)
	}
	if indeterminate > 0 {
		end += fmt.Sprintf("; %d more were sent but not acknowledged, they may be in the topic, too", indeterminate)
	}
	fmt.Fprintf(program.Stdout, "in %s: %v%s\n", topic, &q.counts, end)
	if events > 0 {
		fmt.Fprintf(program.Stderr, "not sent, behind their labels: %s\n", english.Plural(events, "event", ""))
	}
	if q.counts.bare > 0 {
		fmt.Fprintf(program.Stderr, "sent as they are, without an id or a label: %s\n",
			english.Plural(int(q.counts.bare), "event", ""))
	}
}
