package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/rs/zerolog"

	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// Plan says how a recovery gets from the newest checkpoint, or from nothing, to the live model. It is made
// before anything is written, and does not change from then on.
type Plan struct {
	Seq     int64       // of the checkpoint; 0 without one
	Reading             // of the input; if it was replaced, the journal is passed, not learned again
	Labels  Reading     // of the label records
	Ends    topics.Ends // from where journal and dead letters are read, up to the markers; fromMarker: not at all
	Skipped []topics.SkipRange

	Accepted []*stops.Error // in the order in which they were found
	Config   *model.Config  // takes effect after the journal; nil: the checkpoint's stays
}

// Reading says from where a topic is read on.
type Reading struct {
	Positions []int64 // where learning goes on
	Started   []int64 // where the model's history begins
	Truncated []int32 // partitions that end before the saved position
	Replaced  bool    // the checkpoint is of another topic
}

// IsOther reports whether the records of a partition are not those that the journal names.
func (p *Reading) IsOther(partition int32) bool {
	//mutation:truncated-learned
	return p.Replaced || slices.Contains(p.Truncated, partition)
}

// Of is the plan of a topic that the task reads.
func (p *Plan) Of(t topics.Topic) *Reading {
	if t == topics.Labels {
		return &p.Labels
	}
	return &p.Reading
}

// fromMarker is an end that is the marker's own offset, which is known only after the takeover.
const fromMarker = -1

// StopAccepted reports whether the journal cannot be compared with the model, because a stop was accepted: it is
// followed as far as the input goes. Under an accepted configuration it can be: that takes effect after it.
func (p *Plan) StopAccepted() bool {
	return slices.ContainsFunc(p.Accepted, func(s *stops.Error) bool { return s.Name != stops.ConfigDiffers })
}

// MarshalZerologObject prints the plan in the log.
func (p *Plan) MarshalZerologObject(e *zerolog.Event) {
	e.Int64("seq", p.Seq).Array("positions", Offsets(p.Positions)).Array("output", Offsets(p.Ends.Output)).
		Array("deadLetters", Offsets(p.Ends.DeadLetters)).Bool("compared", !p.StopAccepted())
	if len(p.Ends.Outcomes) > 0 {
		e.Array("outcomes", Offsets(p.Ends.Outcomes))
	}
	if len(p.Truncated) > 0 {
		e.Ints32("truncated", p.Truncated)
	}
	if p.Replaced {
		e.Bool("inputReplaced", true)
	}
	p.Labels.logLabels(e)
	if p.Config != nil {
		e.Bool("newConfig", true)
	}
}

func (p *Reading) logLabels(e *zerolog.Event) {
	if len(p.Positions) > 0 {
		e.Array("labels", Offsets(p.Positions))
	}
	if len(p.Truncated) > 0 {
		e.Ints32("labelsTruncated", p.Truncated)
	}
	if p.Replaced {
		e.Bool("labelsReplaced", true)
	}
}

// Offsets prints offsets of partitions in the log: the first sixteen, and how many more there are.
type Offsets []int64

// MarshalZerologArray implements zerolog.LogArrayMarshaler.
func (l Offsets) MarshalZerologArray(a *zerolog.Array) {
	const shown = 16
	for _, offset := range l[:min(len(l), shown)] {
		if offset == fromMarker {
			a.Str("from the marker")
		} else {
			a.Int64(offset)
		}
	}
	if more := len(l) - shown; more > 0 {
		a.Str(fmt.Sprintf("and %d more", more))
	}
}

// Fresh begins the plan of a model without a checkpoint: where input and labels are read from.
func Fresh(c *state.Config, top *topics.Topology) *Plan {
	return &Plan{Skipped: slices.Clone(c.Skip),
		Reading: startReading(top.Input, c.Start), Labels: startReading(top.Labels, c.LabelStart)}
}

// startReading is the plan of a topic that is read from these offsets on, and where there is none from its start.
func startReading(t topics.TopicState, at []int64) Reading {
	from := starts(t)
	copy(from, at)
	return Reading{Positions: from, Started: slices.Clone(from)}
}

// BeginFresh completes it: where the journal is read from. Predictions between the comparison and the markers are of a
// process that began at the same time, and are followed; where old predictions were given up, the journal begins at the
// markers.
func (p *Plan) BeginFresh(top *topics.Topology) {
	from := func(partitions []topics.Bounds) (ends []int64) {
		for _, b := range partitions {
			if p.StopAccepted() {
				b.End = fromMarker
			}
			ends = append(ends, b.End)
		}
		return ends
	}
	for _, t := range topics.Written {
		*p.Ends.Of(t) = from(top.Of(t).Partitions)
	}
}

// BeginWithJournal completes it for a standby member: the journal of the others is learned from its start on.
func (p *Plan) BeginWithJournal(top *topics.Topology) {
	for _, t := range topics.Written {
		*p.Ends.Of(t) = starts(*top.Of(t))
	}
}

// FromCheckpoint compares a checkpoint with the configuration and the cluster. The error is the first stop not
// accepted; the plan then has those accepted before it.
// ended is where the epochs ended in which the checkpoint's positions were reached, as far as leaders told.
func FromCheckpoint(h *model.Header, c *state.Config, top *topics.Topology, ended EpochEnds) (*Plan, error) {
	p := &planner{header: h, config: c, top: top, ended: ended, Plan: Plan{
		Seq: h.Seq, Ends: h.Ends.Clone(), Skipped: topics.AddSkips(h.Skipped, c.Skip),
		Reading: Reading{Positions: slices.Clone(h.Positions), Started: slices.Clone(h.Started)},
		Labels:  Reading{Positions: slices.Clone(h.LabelPositions), Started: slices.Clone(h.LabelStarted)},
	}}
	err := p.compareConfig()
	if err == nil {
		p.compareInput()
		p.compareLabels()
		err = p.compareWritten()
	}
	return &p.Plan, cmp.Or(p.judge(), err)
}

// ForMember is FromCheckpoint for a process that shares the task. Where its settings are others than the model's, and
// it may not change them, it follows under the model's: the plan is of those, and differs says how its own are others.
func ForMember(h *model.Header, c *state.Config, top *topics.Topology, ended EpochEnds) (
	p *Plan, differs *stops.Error, err error,
) {
	p, err = FromCheckpoint(h, c, top, ended)
	//mutation:differs-follows
	if stops.Is(err, stops.ConfigDiffers) {
		differs, _ = errors.AsType[*stops.Error](err)
		under := *c
		under.ModelConfig = h.Config
		p, err = FromCheckpoint(h, &under, top, ended)
	}
	return p, differs, err
}

// FillEnds replaces fromMarker by the marker's offset, and adds 0 for each added partition.
func FillEnds(ends, markers []int64) []int64 {
	for i, m := range markers {
		if i >= len(ends) {
			ends = append(ends, 0)
		} else if ends[i] == fromMarker {
			ends[i] = m
		}
	}
	return ends
}
