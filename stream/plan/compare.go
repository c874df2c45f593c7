package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// ErrUntold is the cause of a stop for a topic of the checkpoint that does not exist, as one broker says. Brokers learn
// of a new topic one after the other.
var ErrUntold = errors.New("a broker may not have heard of the topic yet")

type planner struct {
	Plan
	header *model.Header
	config *state.Config
	top    *topics.Topology
	ended  EpochEnds
	found  []finding
}

// EpochEnds says of the topics of a checkpoint what was reached in them, and where the leader epochs of that ended.
type EpochEnds map[topics.Topic]ReachedEnds

type ReachedEnds struct {
	Reached []topics.Reached
	Ends    []int64 // negative: not known
}

// replaced returns what was reached in a partition, and where the log holds other records instead.
func (e EpochEnds) replaced(t topics.Topic, partition int) (at topics.Reached, from int64, other bool) {
	of := e[t]
	if partition >= len(of.Ends) {
		return at, 0, false
	}
	at, from = of.Reached[partition], of.Ends[partition]
	return at, from, from >= 0 && from < at.Offset
}

// compareConfig refuses a configuration that would compute something else than the checkpoint's.
func (p *planner) compareConfig() error {
	diff, err := p.header.Config.Diff(p.config.ModelConfig)
	//mutation:config-differs
	if err != nil || len(diff) == 0 {
		return err
	}
	var lines []string
	for _, d := range diff {
		lines = append(lines, fmt.Sprintf("%s was %s, is %s", d.Title(), d.Was, d.Now))
	}
	stop := &stops.Error{Name: stops.ConfigDiffers,
		What: "the checkpoint's configuration differs: " + strings.Join(lines, "; "),
		Safe: "nothing was changed",
		Do:   "go back to the checkpoint's settings, or let the new ones take effect from here on with --accept config"}
	if slices.ContainsFunc(diff, model.Difference.Permanent) {
		stop.Do = "learner, bias=0, bits, seed, task and multiclass never change under a state: go back to the" +
			" checkpoint's, or start a new model with another --model and --output"
		return stop
	}
	//mutation:rejected-not-read-again
	if c := &p.header.Counts; c.Read > 0 && c.Predictions == 0 && len(c.Rejected) > 0 {
		stop.Do = "every event so far was rejected, and what was rejected is not read again: to read those, too," +
			" start a new model with the new settings and another --model and --output, from --start earliest; or go" +
			" back to the checkpoint's settings; or go on behind them with --accept config"
	}
	now := p.config.ModelConfig.For(p.header.Config)
	p.Config = &now
	was, err := p.header.Config.Settings()
	if err != nil {
		return err
	}
	is, err := now.Settings()
	p.find(stop, was, is)
	return err
}

func (p *planner) compareInput() { p.compareRead(p.header.Input, topics.Input) }

// compareLabels compares the topic of label records. One that the model did not have is read from its end on: labels
// before it are of events that nobody waits for.
func (p *planner) compareLabels() {
	is := p.top.Labels
	switch {
	case is.Name == "":
		p.Labels = Reading{}
	case p.header.Labels.Name == "":
		var ends []int64
		for _, b := range is.Partitions {
			ends = append(ends, b.Stable)
		}
		p.Labels = startReading(is, ends)
	default:
		p.compareRead(p.header.Labels, topics.Labels)
	}
}

// compareRead compares the saved positions in a topic that the task reads with its partitions.
func (p *planner) compareRead(was model.TopicRef, topic topics.Topic) {
	is, plan := *p.top.Of(topic), p.Of(topic)
	if stop := p.changed(was, is); stop != nil {
		*plan = startReading(is, nil)
		plan.Replaced = true
		p.find(stop, p.of(is)...)
		return
	}
	for i, b := range is.Partitions {
		if i >= len(plan.Positions) { // it was added since
			plan.Positions, plan.Started = append(plan.Positions, b.Start), append(plan.Started, b.Start)
			continue
		}
		var stop *stops.Error
		end := b.End
		reached, from, other := p.ended.replaced(topic, i)
		if other {
			end = max(min(end, from), b.Start)
		}
		switch at := plan.Positions[i]; {
		//mutation:input-gone
		case at < b.Start:
			stop = stops.InputGoneAt(is.Name, int32(i), at, b.Start)
		case other:
			stop = stops.ReplacedAt(stops.BeyondEnd, is.Name, int32(i), reached.Offset, reached.Leader, from)
			plan.Truncated = append(plan.Truncated, int32(i))
		case at > b.End:
			stop = stops.BeyondEndAt(is.Name, int32(i), at, b.End)
			plan.Truncated = append(plan.Truncated, int32(i))
		default:
			continue
		}
		p.find(stop, append(p.of(is), i, plan.Positions[i])...)
		plan.Positions[i] = min(max(plan.Positions[i], b.Start), end)
	}
}

// of says which history of a topic a checkpoint is of.
func (p *planner) of(t topics.TopicState) []any {
	return []any{p.top.Cluster, t.Name, t.ID, len(t.Partitions), p.header.Epoch, p.header.Seq}
}

func (p *planner) changed(was model.TopicRef, is topics.TopicState) *stops.Error {
	var what string
	var cause error
	switch {
	case p.header.Cluster != p.top.Cluster:
		what = fmt.Sprintf("the cluster's id is %s, the checkpoint's %s", p.top.Cluster, p.header.Cluster)
	case was.Name != is.Name:
		what = fmt.Sprintf("the topic is %s, the checkpoint's %s", is.Name, was.Name)
	case is.Planned:
		//mutation:planned-untold
		what, cause = fmt.Sprintf("topic %s does not exist any more", is.Name), ErrUntold
	//mutation:topic-id
	case was.ID != is.ID && hasID(was.ID) && hasID(is.ID):
		what = fmt.Sprintf("topic %s has id %s, the checkpoint's had %s: it was deleted and created again",
			is.Name, is.ID, was.ID)
	case was.Partitions > len(is.Partitions):
		what = fmt.Sprintf("topic %s has %d partitions, the checkpoint's had %d",
			is.Name, len(is.Partitions), was.Partitions)
	default:
		return nil
	}
	return &stops.Error{Name: stops.TopicChanged, What: what, Cause: cause,
		Safe: "the checkpoint, and nothing was written to any topic",
		Do: "go back to the cluster and topics of the checkpoint; or go on from the start of what is there now with" +
			" --accept topic-changed"}
}

// compareWritten compares the topics that the task writes. An outcomes topic that the checkpoint does not know is read
// from its start.
func (p *planner) compareWritten() error {
	for _, t := range topics.Written {
		was, gone := p.header.Output, stops.JournalGone
		switch t {
		case topics.Outcomes:
			was = p.header.Outcomes
		case topics.DeadLetters:
			was, gone = p.header.Dead, stops.DeadLettersGone
		}
		is := p.top.Of(t)
		if t == topics.Outcomes && is.Name == "" {
			//mutation:outcomes-named
			if p.header.Late != nil {
				return p.outcomesUnnamed()
			}
			p.Ends.Outcomes = nil
			continue
		}
		var changed *stops.Error
		if t != topics.Outcomes || was.Name != "" {
			changed = p.changed(was, *is)
		}
		p.compareEnds(changed, gone, t, p.Ends.Of(t))
	}
	return nil
}

// outcomesUnnamed is the stop for labels that were taken away together with the topic of outcomes.
func (p *planner) outcomesUnnamed() error {
	return &stops.Error{Name: stops.OutputUnfit,
		What: fmt.Sprintf("the checkpoint has predictions that wait for labels, with their outcomes in topic %s,"+
			" and now no topic of outcomes is named", p.header.Outcomes.Name),
		Safe: "nothing was written",
		Do: fmt.Sprintf("start with --outcomes %s: what waits is evicted there, and a later start needs it no more",
			p.header.Outcomes.Name)}
}

// hasID: brokers that were upgraded from before Kafka 2.8 give a topic its id later.
func hasID(id string) bool { return strings.Trim(id, "0") != "" }

// compareEnds compares the saved ends of a topic that the task writes with its partitions; gone names the stop for what
// is missing.
func (p *planner) compareEnds(changed *stops.Error, gone string, t topics.Topic, ends *[]int64) {
	is := p.top.Of(t)
	if changed != nil {
		*ends = starts(*is)
		p.find(changed, p.of(*is)...)
		return
	}
	for i, b := range is.Partitions {
		if i >= len(*ends) {
			*ends = append(*ends, b.Start)
			continue
		}
		at := (*ends)[i]
		reached, from, other := p.ended.replaced(t, i)
		//mutation:ends-held
		if at >= b.Start && at <= b.End && !other {
			continue
		}
		stop := &stops.Error{Name: gone,
			What: fmt.Sprintf("topic %s partition %d holds offsets %d to %d, the checkpoint ends at %d: what was"+
				" written since may be gone", is.Name, i, b.Start, b.End, at),
			Safe: fmt.Sprintf("the model up to seq %d", p.Seq)}
		if other {
			stop.What = stops.ReplacedAt(gone, is.Name, int32(i), reached.Offset, reached.Leader, from).What
			b.End = min(b.End, from)
		}
		stop.Do = "restore the topic; or go on from the checkpoint with --accept " + gone + ": records since may be" +
			" predicted or dead-lettered a second time, and those that a later prediction passes are" +
			" learned without being compared; and raise the topic's retention"
		(*ends)[i] = min(max(at, b.Start), max(b.End, b.Start))
		p.find(stop, append(p.of(*is), i, at)...)
	}
}

func starts(t topics.TopicState) (out []int64) {
	for _, b := range t.Partitions {
		out = append(out, b.Start)
	}
	return out
}

// OtherPartition is the stop for a checkpoint of a model of other partitions: its positions mean nothing to the task.
func OtherPartition(file string, was, is *int32) error {
	of := func(p *int32) string {
		if p == nil {
			return "all partitions"
		}
		return fmt.Sprintf("partition %d alone", *p)
	}
	if of(was) == of(is) {
		return nil
	}
	return &stops.Error{Name: stops.ConfigDiffers,
		What: fmt.Sprintf("%s is of a model of %s, this one is of %s", file, of(was), of(is)),
		Safe: "nothing was changed",
		Do:   "start with the --model-per that it was begun with, or name another --model and --output"}
}
