package stream

import (
	"fmt"
	"slices"

	"github.com/rs/zerolog"

	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// recoveryPlan says how a recovery gets from the newest checkpoint, or from nothing, to the live model. It is made
// before anything is written, and does not change from then on.
type recoveryPlan struct {
	Seq      int64       // of the checkpoint; 0 without one
	readPlan             // of the input; if it was replaced, the journal is passed, not learned again
	Labels   readPlan    // of the label records
	Ends     topics.Ends // from where journal and dead letters are read, up to the markers; fromMarker: not at all
	Skipped  []topics.SkipRange

	Accepted []*stops.Error // in the order in which they were found
	Config   *model.Config  // takes effect after the journal; nil: the checkpoint's stays
}

// readPlan says from where a topic is read on.
type readPlan struct {
	Positions []int64 // where learning goes on
	Started   []int64 // where the model's history begins
	Truncated []int32 // partitions that end before the saved position
	Replaced  bool    // the checkpoint is of another topic
}

// isOther reports whether the records of a partition are not those that the journal names.
func (p *readPlan) isOther(partition int32) bool {
	//mutation:truncated-learned
	return p.Replaced || slices.Contains(p.Truncated, partition)
}

// of is the plan of a topic that the task reads.
func (p *recoveryPlan) of(t topics.Topic) *readPlan {
	if t == topics.Labels {
		return &p.Labels
	}
	return &p.readPlan
}

// fromMarker is an end that is the marker's own offset, which is known only after the takeover.
const fromMarker = -1

// stopAccepted reports whether the journal cannot be compared with the model, because a stop was accepted: it is
// followed as far as the input goes. Under an accepted configuration it can be: that takes effect after it.
func (p *recoveryPlan) stopAccepted() bool {
	return slices.ContainsFunc(p.Accepted, func(s *stops.Error) bool { return s.Name != stops.ConfigDiffers })
}

// MarshalZerologObject prints the plan in the log.
func (p *recoveryPlan) MarshalZerologObject(e *zerolog.Event) {
	e.Int64("seq", p.Seq).Array("positions", offsetList(p.Positions)).Array("output", offsetList(p.Ends.Output)).
		Array("deadLetters", offsetList(p.Ends.DeadLetters)).Bool("compared", !p.stopAccepted())
	if len(p.Ends.Outcomes) > 0 {
		e.Array("outcomes", offsetList(p.Ends.Outcomes))
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

func (p *readPlan) logLabels(e *zerolog.Event) {
	if len(p.Positions) > 0 {
		e.Array("labels", offsetList(p.Positions))
	}
	if len(p.Truncated) > 0 {
		e.Ints32("labelsTruncated", p.Truncated)
	}
	if p.Replaced {
		e.Bool("labelsReplaced", true)
	}
}

// offsetList prints offsets of partitions in the log: the first sixteen, and how many more there are.
type offsetList []int64

// MarshalZerologArray implements zerolog.LogArrayMarshaler.
func (l offsetList) MarshalZerologArray(a *zerolog.Array) {
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

// planFresh begins the plan of a model without a checkpoint: where input and labels are read from.
func planFresh(c *Config, top *topics.Topology) *recoveryPlan {
	return &recoveryPlan{Skipped: slices.Clone(c.Skip),
		readPlan: startReading(top.Input, c.Start), Labels: startReading(top.Labels, c.LabelStart)}
}

// startReading is the plan of a topic that is read from these offsets on, and where there is none from its start.
func startReading(t topics.TopicState, at []int64) readPlan {
	from := starts(t)
	copy(from, at)
	return readPlan{Positions: from, Started: slices.Clone(from)}
}

// beginFresh completes it: where the journal is read from. Predictions between the comparison and the markers are of a
// process that began at the same time, and are followed; where old predictions were given up, the journal begins at the
// markers.
func (p *recoveryPlan) beginFresh(top *topics.Topology) {
	from := func(partitions []topics.Bounds) (ends []int64) {
		for _, b := range partitions {
			if p.stopAccepted() {
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

// beginWithJournal completes it for a standby member: the journal of the others is learned from its start on.
func (p *recoveryPlan) beginWithJournal(top *topics.Topology) {
	for _, t := range topics.Written {
		*p.Ends.Of(t) = starts(*top.Of(t))
	}
}

// planFromCheckpoint compares a checkpoint with the configuration and the cluster. The error is the first stop not
// accepted; the plan then has those accepted before it.
func planFromCheckpoint(h *model.Header, c *Config, top *topics.Topology) (*recoveryPlan, error) {
	return planWith(h, c, top, nil)
}

func planWith(h *model.Header, c *Config, top *topics.Topology, ended epochEnds) (*recoveryPlan, error) {
	p := &planner{header: h, config: c, top: top, ended: ended, recoveryPlan: recoveryPlan{
		Seq: h.Seq, Ends: h.Ends.Clone(), Skipped: topics.AddSkips(h.Skipped, c.Skip),
		readPlan: readPlan{Positions: slices.Clone(h.Positions), Started: slices.Clone(h.Started)},
		Labels:   readPlan{Positions: slices.Clone(h.LabelPositions), Started: slices.Clone(h.LabelStarted)},
	}}
	for _, step := range []func() error{p.compareConfig, p.compareInput, p.compareLabels, p.compareWritten} {
		if err := step(); err != nil {
			return &p.recoveryPlan, err
		}
	}
	return &p.recoveryPlan, nil
}
