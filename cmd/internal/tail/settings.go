// Package tail is what `rosenblatt tail` does, apart from its command line: it shows what a model has published, as a
// table for people or a JSON object a line. It reads only, and commits nothing.
//
// A topic is read by the project's own client, partition by partition, and merged by time. What another model or
// program wrote into the same topic is left out, and counted.
package tail

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
)

// What is shown.
const (
	predictions = "predictions"
	outcomes    = "outcomes"
	deadLetters = "dead-letters"
)

// Settings say what is shown. The tags are those of github.com/alecthomas/kong, as in daemon.Settings.
type Settings struct {
	What string `arg:"" optional:"" default:"predictions" placeholder:"predictions|outcomes|dead-letters"`

	Lines      int      `group:"What is shown" default:"10" placeholder:"N"`
	From       string   `group:"What is shown" placeholder:"OFFSET|TIME"`
	To         string   `group:"What is shown" placeholder:"OFFSET|TIME"`
	Follow     bool     `group:"What is shown" short:"f"`
	Reason     []string `group:"What is shown" placeholder:"NAME"`
	Partitions []int32  `group:"What is shown" placeholder:"P"`
	JSON       bool     `group:"What is shown" name:"json"`

	Input      string `group:"Topics and places" placeholder:"TOPIC"`
	Output     string `group:"Topics and places" placeholder:"TOPIC"`
	Outcomes   string `group:"Topics and places" placeholder:"TOPIC"`
	DeadLetter string `group:"Topics and places" placeholder:"TOPIC"`
	Model      string `group:"Topics and places" placeholder:"NAME"`
	ModelPer   string `group:"Topics and places" default:"all" placeholder:"all|partition"`

	daemon.Connection `embed:"" group:"Connection"`
}

// FlagHelp implements cli.Documented.
func (Settings) FlagHelp() cli.Help {
	return `
what: What is shown: predictions, outcomes (with later labels) or dead-letters (default: ${default}).
lines: The newest N records; with --from the first N from there, and without --lines all (default: ${default}).
from: Begin at an offset of each partition, or at a time, as 2026-01-31T18:00:00Z, at which records were written.
to: End before an offset or a time (default: what is there at the start).
follow: Go on with what is written from now on, until Ctrl-C.
reason: Of dead letters only those of these reasons, as bad-label; of outcomes only these, as expired.
partitions: Only these partitions of the topic (default: all).
json: Write a JSON object a line: of predictions and outcomes what was published, behind when and where it was written.
input: The topic of events, by which the others are named.
output: The topic of predictions (default: INPUT.predictions).
outcomes: The topic of outcomes (default: INPUT.outcomes).
dead-letter: The topic of dead letters (default: INPUT.dlq).
model: The model, where others write to the same topics (default: INPUT).
model-per: all, or partition: the models of all partitions are shown (default: ${default}).
`
}

// plan is what settings mean.
type plan struct {
	*Settings
	names    daemon.Topics
	from, to daemon.Bound
	limit    int // records; 0: all
}

// newPlan checks the settings. Given holds the names of those that were given.
func newPlan(s *Settings, given map[string]bool) (*plan, error) {
	p := &plan{Settings: s, limit: s.Lines}
	p.names = daemon.Topics{Input: s.Input, Output: s.Output, DeadLetter: s.DeadLetter, Model: s.Model,
		ModelPer: s.ModelPer, State: "./state"}
	var f cli.Faults
	f.Join(p.names.Check())
	if s.Outcomes == "" {
		s.Outcomes = s.Input + ".outcomes"
	}
	f.OneOf("what is shown", s.What, predictions, outcomes, deadLetters)
	f.AddIf(s.Lines < 0, "lines: %d: want 0 or more", s.Lines)
	var err error
	p.from, err = daemon.ParseBound(s.From)
	f.Check("from", err)
	p.to, err = daemon.ParseBound(s.To)
	f.Check("to", err)
	f.AddIf(s.Follow && p.to.Set, "follow: it has no end: leave --to out")
	f.AddIf(!s.Follow && s.Lines == 0, "lines: 0 records: want 1 or more, or --follow")
	f.AddIf(s.Follow && p.from.Set && given["lines"], "follow: it has no end: leave --lines out beside --from")
	for _, n := range s.Partitions {
		f.AddIf(n < 0, "partitions: %d: want 0 or more", n)
	}
	s.checkReasons(&f)
	if p.from.Set && !given["lines"] {
		p.limit = 0
	}
	return p, f.Err()
}

// checkReasons refuses names that no record can have.
func (s *Settings) checkReasons(f *cli.Faults) {
	var known []string
	switch {
	case len(s.Reason) == 0:
		return
	case s.What == predictions:
		f.Addf("reason: predictions have none: want outcomes or dead-letters")
		return
	case s.What == outcomes:
		for k := journal.DuplicateID; k <= journal.Evicted; k++ {
			known = append(known, k.String())
		}
	default:
		for _, r := range event.Reasons() {
			known = append(known, r.String())
		}
	}
	for _, name := range s.Reason {
		f.AddIf(!slices.Contains(known, name), "reason: %q: want one of %s", name, strings.Join(known, ", "))
	}
}

// place is a partition and an offset.
func place(partition int32, offset int64) string {
	return strconv.Itoa(int(partition)) + ":" + strconv.FormatInt(offset, 10)
}

func bytesText(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// count is a number of records for people.
func count(n int64) string {
	if n == 1 {
		return "1 record"
	}
	return fmt.Sprintf("%d records", n)
}
