package model

import (
	"encoding/json"
	"errors"
	"fmt"

	"rosenblatt/checkpoint"
)

// SetModelState stores the short part of a model's state in the header.
func (h *Header) SetModelState(p *Processor) {
	h.Trained = p.Trained
	p.task.state(h)
}

// Save writes a checkpoint to the store and returns its size in bytes. It holds what has changed since the one that it
// builds on. Further sections are not the model's.
func Save(store *checkpoint.Store, h *Header, p *Processor, further ...checkpoint.Section) (size int64, err error) {
	header, sections, err := encode(h, p)
	if err != nil {
		return 0, err
	}
	saved, err := store.Save(uint64(h.Seq), header, append(sections, further...), p.base)
	if err != nil && !errors.Is(err, checkpoint.ErrNotPruned) { // with ErrNotPruned it is durable
		return 0, err
	}
	//mutation:changed-since-base
	if !saved.Base.Is(p.base) {
		p.table.ClearChanged()
	}
	p.base = saved.Base
	return saved.Bytes, nil
}

func encode(h *Header, p *Processor) (header []byte, sections []checkpoint.Section, err error) {
	if header, err = json.Marshal(h); err != nil {
		return nil, nil, fmt.Errorf("checkpoint header: %w", err)
	}
	score, err := json.Marshal(p.score)
	if err != nil {
		return nil, nil, fmt.Errorf("checkpoint score: %w", err)
	}
	sections = append(p.sections(), checkpoint.Bytes(sectionScore, score))
	if last := p.score.AppendLast(nil); len(last) > 0 {
		sections = append(sections, checkpoint.Bytes(sectionLast, last))
	}
	if s, ok := p.score.(binned); ok {
		if bins := s.AppendBins(nil); len(bins) > 0 {
			sections = append(sections, checkpoint.Bytes(sectionBins, bins))
		}
	}
	//mutation:slices-saved
	if s := p.sliced.counts; s != nil {
		text, err := json.Marshal(s.Saved())
		if err != nil {
			return nil, nil, fmt.Errorf("checkpoint slices: %w", err)
		}
		sections = append(sections, checkpoint.Bytes(sectionSlices, text))
	}
	//mutation:drifts-saved
	if p.drifts != nil {
		text, err := p.drifts.save()
		if err != nil {
			return nil, nil, fmt.Errorf("checkpoint drift: %w", err)
		}
		sections = append(sections, checkpoint.Bytes(sectionDrift, text))
	}
	if by := p.task.decisions(); by != nil {
		text, err := by.appendTo(nil)
		if err != nil {
			return nil, nil, fmt.Errorf("checkpoint decision: %w", err)
		}
		if len(text) > 0 {
			sections = append(sections, checkpoint.Bytes(sectionDecision, text))
		}
	}
	return header, sections, nil
}
