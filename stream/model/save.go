package model

import (
	"encoding/json"
	"errors"
	"fmt"

	"rosenblatt/checkpoint"
)

// SetModelState stores the short part of a model's state in the header.
func (h *Header) SetModelState(p *Processor) {
	if h.Challengers = nil; len(p.challengers) > 0 {
		p.setState(h)
		return
	}
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
		p.clearChanged()
	}
	p.base = saved.Base
	return saved.Bytes, nil
}

func encode(h *Header, p *Processor) (header []byte, sections []checkpoint.Section, err error) {
	if header, err = json.Marshal(h); err != nil {
		return nil, nil, fmt.Errorf("checkpoint header: %w", err)
	}
	sections, err = p.allSections()
	return header, sections, err
}

// clearChanged makes what has changed begin anew, in the challengers too.
func (p *Processor) clearChanged() {
	p.table.ClearChanged()
	for _, c := range p.challengers {
		c.table.ClearChanged()
	}
}

// appendFigures appends what is saved of figures, the names behind a prefix.
func (p *Processor) appendFigures(sections []checkpoint.Section, prefix string) ([]checkpoint.Section, error) {
	score, err := json.Marshal(p.score)
	if err != nil {
		return nil, fmt.Errorf("checkpoint score: %w", err)
	}
	add := func(name string, data []byte) {
		if len(data) > 0 {
			sections = append(sections, checkpoint.Bytes(prefix+name, data))
		}
	}
	add(sectionScore, score)
	add(sectionLast, p.score.AppendLast(nil))
	if s, ok := p.score.(binned); ok {
		add(sectionBins, s.AppendBins(nil))
	}
	//mutation:slices-saved
	if s := p.sliced.counts; s != nil {
		text, err := json.Marshal(s.Saved())
		if err != nil {
			return nil, fmt.Errorf("checkpoint slices: %w", err)
		}
		add(sectionSlices, text)
	}
	//mutation:drifts-saved
	if p.drifts != nil {
		text, err := p.drifts.save()
		if err != nil {
			return nil, fmt.Errorf("checkpoint drift: %w", err)
		}
		add(sectionDrift, text)
	}
	return sections, nil
}

// appendDecision appends what is saved of calibration and cut.
func (p *Processor) appendDecision(sections []checkpoint.Section, prefix string) ([]checkpoint.Section, error) {
	by := p.task.decisions()
	if by == nil {
		return sections, nil
	}
	text, err := by.appendTo(nil)
	if err != nil {
		return nil, fmt.Errorf("checkpoint decision: %w", err)
	}
	if len(text) > 0 {
		sections = append(sections, checkpoint.Bytes(prefix+sectionDecision, text))
	}
	return sections, nil
}
