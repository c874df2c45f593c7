package audit

import (
	"context"
	"fmt"
	"path/filepath"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/model"
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
	if p.header == nil {
		a.From, err = p.fromFlags(ctx, client)
	} else {
		a.From, err = p.from(top)
	}
	return a, err
}

func (p *plan) from(top *topics.Topology) (verify.Start, error) {
	if !p.whole {
		return verify.FromCheckpoint(p.header, p.proc, top), nil
	}
	proc, err := p.untrained(p.header.Config)
	if err != nil {
		return verify.Start{}, err
	}
	from, ok := verify.FromNothing(p.header, proc)
	if n := len(p.header.Accepted); n > 0 {
		a := p.header.Accepted[n-1]
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
	task.ModelConfig = fixed
	return task.NewProcessor()
}

func (p *plan) fromFlags(ctx context.Context, client *kafka.Client) (from verify.Start, err error) {
	task := p.with.Task
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
		p.notes = append(p.notes, "--start latest: where the model began is not known, so each partition is audited "+
			"from its first prediction on")
		return from, nil
	}
	from.Positions, err = p.with.Start.Positions(ctx, client, topics.Input)
	return from, err
}

// oldest returns the start from the oldest checkpoint in the folder that knows of the last accepted stop.
func (p *plan) oldest(top *topics.Topology) (verify.Start, error) {
	last := p.header.Accepted[len(p.header.Accepted)-1]
	h, proc, path := p.header, p.proc, p.file
	err := p.each(func(file string, older *model.Header, olderProc *model.Processor) {
		if len(older.Accepted) == len(p.header.Accepted) && older.Epoch >= last.Epoch {
			h, proc, path = older, olderProc, file
		}
	})
	if err != nil {
		return verify.Start{}, err
	}
	p.file, p.header, p.proc, p.whole = path, h, proc, false
	return verify.FromCheckpoint(h, proc, top), nil
}

// each visits the valid checkpoints of the model's folder, the newest first.
func (p *plan) each(visit func(path string, h *model.Header, proc *model.Processor)) error {
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
		visit(path, &h, proc)
	}
	return nil
}

// reaching returns the oldest checkpoint from which the topics still hold all; empty without one.
func (p *plan) reaching(ctx context.Context, client *kafka.Client) (found string) {
	if p.file == "" {
		return ""
	}
	top, err := client.Topology(ctx)
	if err != nil {
		return "" // the stop itself is reported
	}
	_ = p.each(func(path string, h *model.Header, _ *model.Processor) {
		if verify.Reaches(h, top) && (p.whole || path != p.file) {
			found = path
		}
	})
	return found
}
