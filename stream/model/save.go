package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"rosenblatt/checkpoint"
)

// Hold stores the short part of a model's state in the header.
func (h *Header) Hold(p *Processor) { p.task.state(h) }

// Save writes a checkpoint to the store and returns its size in bytes.
func Save(store *checkpoint.Store, h *Header, p *Processor) (size int64, err error) {
	if err := finite(h, p); err != nil {
		return 0, err
	}
	header, err := json.Marshal(h)
	if err != nil {
		return 0, fmt.Errorf("checkpoint header: %w", err)
	}
	score, err := json.Marshal(p.score)
	if err != nil {
		return 0, fmt.Errorf("checkpoint score: %w", err)
	}
	size, err = store.Save(uint64(h.Seq), header, append(p.sections(), bytesSection(sectionScore, score)))
	if err != nil && !errors.Is(err, checkpoint.ErrNotPruned) { // with ErrNotPruned it is durable
		return 0, err
	}
	return size, nil
}

// finite is a second check: the learner creates no such weight.
func finite(h *Header, p *Processor) error {
	for _, c := range p.table.Columns() {
		for i, v := range c.Float64 {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("checkpoint %d: column %s holds %v at %d: not written", h.Seq, c.Name, v, i)
			}
		}
	}
	return nil
}
