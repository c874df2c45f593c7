package schema

import (
	"slices"

	"rosenblatt/stream/recordbatch"
)

// Place is where a record is that names a schema. The zero value is nowhere.
type Place struct {
	Read      bool // from a topic
	Labels    bool // that of the label records
	Partition int32
	Offset    int64
}

// PlaceOf returns where a record is.
func PlaceOf(r *recordbatch.Record, labels bool) Place {
	partition, read := r.Partition()
	return Place{read, labels, partition, r.Offset}
}

// From is where another text of an id begins: at the positions that a model had when an operator accepted it. Records
// of partitions that were added since have that text, too.
type From struct {
	Number    int     `json:"number"` // 1 for the second text of an id, and so on
	Epoch     int64   `json:"epoch"`  // of the takeover that accepted it
	Positions []int64 `json:"positions"`
	Labels    []int64 `json:"labels,omitempty"` // positions of the label records
}

// number is that of a text, 0 for the first one.
func (f *From) number() int {
	if f == nil {
		return 0
	}
	return f.Number
}

// holds reports whether the record at a place has the text. One that was not read from a topic has the newest.
func (f *From) holds(at Place) bool {
	if f == nil || !at.Read {
		return true
	}
	positions := f.Positions
	if at.Labels {
		positions = f.Labels
	}
	//mutation:text-of-a-place
	return int(at.Partition) >= len(positions) || at.Offset >= positions[at.Partition]
}

// within returns from where the text begins where a model's positions are lower: then records from there on are others
// than there were. It reports false where nothing is lowered.
func (f *From) within(positions, labels []int64) (*From, bool) {
	lowered := &From{f.Number, f.Epoch, slices.Clone(f.Positions), slices.Clone(f.Labels)}
	for p := range lowered.Positions[:min(len(positions), len(f.Positions))] {
		lowered.Positions[p] = min(lowered.Positions[p], positions[p])
	}
	for p := range lowered.Labels[:min(len(labels), len(f.Labels))] {
		lowered.Labels[p] = min(lowered.Labels[p], labels[p])
	}
	return lowered, !slices.Equal(lowered.Positions, f.Positions) || !slices.Equal(lowered.Labels, f.Labels)
}
