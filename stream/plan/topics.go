package plan

import (
	"fmt"
	"time"

	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// Check plans a start. The error is the stop with which it would end: topics that do not fit the settings, or topics
// and settings that are not those of the newest checkpoint. With member it is of a process that shares the task: then
// differs is as of ForMember. Without a checkpoint the header is nil, as is the plan.
func Check(c state.Config, h *model.Header, top *topics.Topology, member bool) (
	p *Plan, differs *stops.Error, err error,
) {
	c = c.WithDefaults()
	if err := CheckTopics(&c, top); err != nil || h == nil {
		return nil, nil, err
	}
	//mutation:check-compares-settings
	c.Model = h.Model
	//mutation:check-as-a-member
	if member {
		return ForMember(h, &c, top, nil)
	}
	p, err = FromCheckpoint(h, &c, top, nil)
	return p, nil, err
}

// CheckTopics refuses topics with which the invariant cannot hold.
func CheckTopics(c *state.Config, top *topics.Topology) error {
	unfit := func(what, do string) error {
		return &stops.Error{Name: stops.OutputUnfit, What: what, Safe: "nothing was written", Do: do}
	}
	enough := 10 * c.CheckpointInterval
	for _, topic := range top.Journal() {
		switch s := top.Of(topic); {
		//mutation:output-unfit
		case s.Compacted:
			return unfit(fmt.Sprintf("topic %s has cleanup.policy compact: it would lose records, and they are the"+
				" journal", s.Name), "set cleanup.policy=delete on it, or name another "+FlagOf(topic))
		case s.RetentionMS >= 0 && time.Duration(s.RetentionMS)*time.Millisecond < enough:
			return unfit(fmt.Sprintf("topic %s keeps records for %d ms only, checkpoints are up to %s apart",
				s.Name, s.RetentionMS, c.CheckpointInterval),
				fmt.Sprintf("set retention.ms of %s to at least %d", s.Name, enough.Milliseconds()))
		case len(s.Partitions) == 0:
			return fmt.Errorf("topic %s has no partitions", s.Name)
		}
	}
	out, dead := top.Output, top.DeadLetters
	switch {
	case len(out.Partitions) < len(top.Input.Partitions):
		return &stops.Error{Name: stops.OutputTooNarrow,
			What: fmt.Sprintf("topic %s has %d partitions, the input %s has %d",
				out.Name, len(out.Partitions), top.Input.Name, len(top.Input.Partitions)),
			Safe: "no record of the partitions without an output was read",
			Do:   "start with --create-topics, which adds them, or add them yourself"}
	//mutation:dead-letters-unfit
	case dead.Compacted:
		return unfit(fmt.Sprintf("topic %s has cleanup.policy compact: it refuses dead letters without a key, and"+
			" loses those whose key comes again",
			dead.Name), "set cleanup.policy=delete on it, or name another --dead-letter")
	case len(dead.Partitions) == 0:
		return fmt.Errorf("dead-letter topic %s has no partitions", dead.Name)
	}
	return statetopic.CheckTopic(&top.Checkpoints)
}

// FlagOf is the setting that names a topic of the journal.
func FlagOf(t topics.Topic) string {
	if t == topics.Outcomes {
		return "--outcomes"
	}
	return "--output"
}
