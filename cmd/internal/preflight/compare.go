package preflight

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/inspection"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/model"
	"rosenblatt/stream/plan"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// startLine is what the lines are about that say what a start would do.
const startLine = "start"

// compared is what a start finds that does not end it.
type compared struct {
	differs  *stops.Error // with standby: other settings than the model's, under which it would follow; or nil
	accepted []string     // what it would accept
	inVain   []string     // tokens that accept nothing
}

// compare compares topics and settings with the newest checkpoint of each task. The error is the stop with which a
// start would end, of the first task for which there is one.
func (k *clusterCheck) compare(
	ctx context.Context, client *kafka.Client, top *topics.Topology,
) (found compared, err error) {
	s := k.settings
	if !s.Split() {
		return found, k.compareTask(ctx, client, s.Model, top, &found)
	}
	for p := range top.Input.Partitions {
		task := client.Task(int32(p))
		top, err := k.topology(ctx, task)
		if err == nil {
			err = k.compareTask(ctx, task, s.TaskModel(int32(p)), top, &found)
		}
		if err != nil {
			return found, err
		}
	}
	return found, nil
}

func (k *clusterCheck) compareTask(
	ctx context.Context, client *kafka.Client, name string, top *topics.Topology, found *compared,
) error {
	h := k.newest(ctx, client, k.settings.Folder(name))
	with := state.Config{ModelConfig: k.settings.fixed, Accept: k.settings.Accept}
	p, differs, err := plan.Check(with, h, top, k.settings.Standby.Standby)
	if err != nil || p == nil {
		return err
	}
	if found.differs == nil {
		found.differs = differs
	}
	for _, stop := range p.Accepted {
		found.accepted = append(found.accepted, stop.Name+": "+stop.What)
	}
	for _, token := range with.Tokens() {
		used := slices.ContainsFunc(p.Accepted, func(s *stops.Error) bool { return s.Token() == token })
		//mutation:check-token-in-vain
		if strings.HasPrefix(token, stops.ConfigDiffers+":") && !used {
			found.inVain = append(found.inVain, stops.InVain(token, model.IsDone(h.Accepted, token)))
		}
	}
	return nil
}

// newest is the header of the newest checkpoint, of the folder or the checkpoint topic; nil without one.
func (k *clusterCheck) newest(ctx context.Context, client *kafka.Client, folder string) *model.Header {
	h, s := inspection.NewestHeader(folder), k.settings
	if t := k.find(s.CheckpointTopic); s.CheckpointTopic == "" || t == nil || t.ErrorCode != 0 {
		return h // there is no such topic yet
	}
	ctx, cancel := context.WithTimeout(ctx, 3*s.Timeout)
	defer cancel()
	topic := &inspection.Topic{Name: s.CheckpointTopic, Log: client.Journal().Checkpoints()}
	file, _, err := inspection.OpenTopic(ctx, topic, s.Output, io.Discard)
	switch {
	case err == nil:
		//mutation:check-reads-the-topic
		if in := inspection.HeaderOf(file); h == nil || in != nil && (in.Seq > h.Seq || in.Epoch > h.Epoch) {
			h = in
		}
	case h == nil && !errors.Is(err, inspection.ErrNone):
		k.note("checkpoints", s.CheckpointTopic+": not read: "+err.Error(),
			"settings are compared with those of a checkpoint in --state alone, and there is none")
	}
	return h
}

// compared says what a start would do that does not stop.
func (k *clusterCheck) compared(c *compared) {
	switch {
	case c.differs != nil:
		k.warn(startLine, "would follow, and not take over: "+c.differs.What, c.differs.FollowDo())
	case len(c.accepted) > 0:
		when := "the topics are fit, and a start accepts "
		if k.settings.Standby.Standby {
			when = "the topics are fit, and a daemon that takes over accepts "
		}
		k.ok(startLine, "%s", when+strings.Join(c.accepted, "; "))
	default:
		k.ok(startLine, "the topics are fit, and topics and settings are those of the checkpoint, if there is one")
	}
	if c.differs == nil { // else the advice says it
		for _, text := range slices.Compact(c.inVain) {
			k.note("accept", text, "it does nothing")
		}
	}
}
