package topics

import "slices"

// Ends are the offsets from which recovery reads the topics that a task writes, one for each partition. Invariant, with
// the seq and positions saved with them: an entry of the journal is below its partition's end if and only if its seq is
// not above the saved one, and each dead letter of a record at or above the saved positions is at or above its
// partition's end.
type Ends struct {
	Output      []int64 `json:"outputEnds"`
	Outcomes    []int64 `json:"outcomeEnds,omitempty"`
	DeadLetters []int64 `json:"deadLetterEnds"`
}

// Of returns those of a topic that a task writes.
func (e *Ends) Of(t Topic) *[]int64 {
	switch t {
	case Output:
		return &e.Output
	case Outcomes:
		return &e.Outcomes
	}
	return &e.DeadLetters
}

// EndEpochs are the leader epochs of the batches before Ends, for the partitions of each topic; nil: none is known.
type EndEpochs struct {
	Output      []int32 `json:"outputEpochs,omitempty"`
	Outcomes    []int32 `json:"outcomeEpochs,omitempty"`
	DeadLetters []int32 `json:"deadLetterEpochs,omitempty"`
}

// Of returns those of a topic that a task writes.
func (e *EndEpochs) Of(t Topic) *[]int32 {
	switch t {
	case Output:
		return &e.Output
	case Outcomes:
		return &e.Outcomes
	}
	return &e.DeadLetters
}

// Ends are the offsets right after the fence's markers, 0 where there is none.
func (f *Fence) Ends() Ends {
	e := f.Markers().Clone()
	for _, t := range Written {
		for i := range *e.Of(t) {
			if f.Partition == nil || i == int(*f.Partition) {
				(*e.Of(t))[i]++
			}
		}
	}
	return e
}

// Clone returns a copy.
func (e Ends) Clone() Ends {
	return Ends{slices.Clone(e.Output), slices.Clone(e.Outcomes), slices.Clone(e.DeadLetters)}
}

// Advance raises each end to that of to where it is lower, and reports whether one of the journal was.
func (e Ends) Advance(to Ends) (moved bool) {
	for _, t := range Written {
		ends := *e.Of(t)
		for i, end := range *to.Of(t) {
			moved = moved || end > ends[i] && t != DeadLetters
			ends[i] = max(ends[i], end)
		}
	}
	return moved
}

// PartitionEnd is the end of a partition that a task reads, as its leader tells.
type PartitionEnd struct {
	Topic     Topic
	Partition int32
	Stable    int64 // the last stable offset
	High      int64 // the high watermark, as of before that; -1 if it was not asked for
	Err       error // why it is not known; nil if it is
}
