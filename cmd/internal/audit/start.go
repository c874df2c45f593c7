package audit

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/model"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

func (p *plan) start(ctx context.Context, client *kafka.Client) (a verify.Audit, err error) {
	top, err := client.Topology(ctx)
	if err != nil {
		return a, err
	}
	if p.header != nil {
		if err := verify.SameInput(p.header, top); err != nil {
			return a, err
		}
	}
	a.Floor = p.floor(top)
	if h := p.newest.header; h != nil {
		a.LimitsOf = h.Epoch
	}
	if p.header == nil {
		a.From, err = p.fromFlags(ctx, client, top)
	} else {
		a.From, err = p.from(top)
	}
	return a, err
}

func (p *plan) from(top *topics.Topology) (verify.Start, error) {
	if !p.whole {
		return p.fromCheckpoint(top)
	}
	proc, err := p.untrained(p.header.Config)
	if err != nil {
		return verify.Start{}, err
	}
	from, ok := verify.FromNothing(p.header, proc)
	if all := model.GivenUp(p.header.Accepted); len(all) > 0 {
		a := all[len(all)-1]
		p.notes = append(p.notes, fmt.Sprintf("an operator accepted %s on %s, after seq %d (%s): what came before "+
			"cannot be computed again, the audit begins after it",
			a.Name, a.Time.Format("2006-01-02 15:04"), a.Seq, a.What))
	}
	if ok {
		return from, nil
	}
	return p.oldest(top)
}

// untrained returns a new model, with its initial weights.
func (p *plan) untrained(fixed model.Config) (*model.Processor, error) {
	task := p.with.Task
	fixed.Challengers = slices.Clone(fixed.Challengers)
	for i := range fixed.Challengers {
		c := &fixed.Challengers[i]
		for _, given := range task.ModelConfig.Challengers { // a checkpoint does not say what a challenger began with
			if given.Name == c.Name {
				c.FromModel = given.FromModel
			}
		}
	}
	task.ModelConfig = fixed
	return task.NewProcessor()
}

func (p *plan) fromFlags(ctx context.Context, client *kafka.Client, top *topics.Topology) (
	from verify.Start, err error) {
	task := p.with.Task
	if err := task.ModelConfig.TakeSchemas(func(subject string) (*schema.Schema, error) {
		return p.asked.AskSubject(ctx, subject)
	}); err != nil {
		return from, err
	}
	if task.ModelConfig.NamesSchemas() {
		task.ModelConfig.Use(&schema.Known{})
	}
	from = verify.Start{Config: task.ModelConfig, Skipped: task.Skip}
	if from.Processor, err = p.untrained(task.ModelConfig); err != nil {
		return from, err
	}
	if p.with.Start.Latest {
		ends, err := client.OffsetsAt(ctx, topics.Input, daemon.LogEnd)
		if err != nil {
			return from, err
		}
		for range ends {
			from.Positions = append(from.Positions, verify.Unknown)
		}
		for range top.Labels.Partitions {
			from.LabelPositions = append(from.LabelPositions, verify.Unknown)
		}
		p.notes = append(p.notes, "--start latest: where the model began is not known, so each partition is audited "+
			"from its first prediction on")
		return from, nil
	}
	if from.Positions, err = p.with.Start.Positions(ctx, client, topics.Input); err != nil || top.Labels.Name == "" {
		return from, err
	}
	from.LabelPositions, err = p.with.Start.Positions(ctx, client, topics.Labels)
	return from, err
}

// oldest returns the start from the oldest checkpoint in the folder that knows of the last accepted stop, and from
// which the topics still hold all. The daemon keeps the one in which the stop was recorded.
func (p *plan) oldest(top *topics.Topology) (verify.Start, error) {
	accepted := model.GivenUp(p.header.Accepted)
	last := accepted[len(accepted)-1]
	h, proc, saved := p.header, p.proc, p.saved
	err := p.each(func(file *checkpoint.File, older *model.Header, olderProc *model.Processor) {
		same := len(model.GivenUp(older.Accepted)) == len(accepted)
		if same && older.Epoch >= last.Epoch && verify.Reaches(older, top) {
			h, proc, saved = older, olderProc, file
		}
	})
	if err != nil {
		return verify.Start{}, err
	}
	if h.Seq > last.Seq {
		p.notes = append(p.notes, fmt.Sprintf("the checkpoint of seq %d, which recorded that, is not in %s any more,"+
			" is damaged, or precedes what the topics hold: the audit begins with %s",
			last.Seq, filepath.Dir(p.file), filepath.Base(saved.Path)))
	}
	p.file, p.saved, p.header, p.proc, p.whole = saved.Path, saved, h, proc, false
	return p.fromCheckpoint(top)
}

func (p *plan) fromCheckpoint(top *topics.Topology) (verify.Start, error) {
	s := verify.FromCheckpoint(p.header, p.proc, top)
	err := s.Wait(p.saved, p.header, p.labels.Limits)
	return s, err
}

// each visits the valid checkpoints of the model's folder, the newest first.
func (p *plan) each(visit func(file *checkpoint.File, h *model.Header, proc *model.Processor)) error {
	files, err := (&checkpoint.Store{Dir: filepath.Dir(p.file)}).Files()
	if err != nil {
		return err
	}
	for _, path := range files {
		file, err := checkpoint.Open(nil, path)
		if err != nil {
			continue // damaged, or pruned by a running daemon
		}
		h, proc, err := model.Read(file)
		if err != nil {
			continue
		}
		visit(file, &h, proc)
	}
	return nil
}

// reaching returns the oldest checkpoint, of this seq or a later one, from which the topics still hold all; empty
// without one. What waited in an older one for its label may be gone.
func (p *plan) reaching(ctx context.Context, client *kafka.Client, seq int64) (found string) {
	if p.file == "" {
		return ""
	}
	top, err := client.Topology(ctx)
	if err != nil {
		return "" // the stop itself is reported
	}
	_ = p.each(func(file *checkpoint.File, h *model.Header, _ *model.Processor) {
		if h.Seq >= seq && verify.Reaches(h, top) && (p.whole || file.Path != p.file) {
			found = file.Path
		}
	})
	return found
}
