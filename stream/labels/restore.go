package labels

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"rosenblatt/learner/metrics"
)

// Restore returns the Waiting of a checkpoint of so many challengers. Section returns the sections by name
// (checkpoint.File.Section). If fewer settled ids are to be remembered than there are, the oldest are forgotten.
func Restore(l Limits, challengers int, section func(name string) ([]byte, bool)) (*Waiting, error) {
	beside, err := openBeside(section, challengers)
	if err != nil {
		return nil, err
	}
	return restore(l, challengers, section, beside)
}

func restore(l Limits, challengers int, section func(name string) ([]byte, bool), beside *besideReader) (
	*Waiting, error) {
	w := NewBeside(l, challengers)
	b, ok := section(sectionWaiting)
	if !ok {
		return nil, fmt.Errorf("no section %q", sectionWaiting)
	}
	if err := w.restoreWaiting(b, beside); err != nil {
		return nil, fmt.Errorf("section %q: %w", sectionWaiting, err)
	}
	if len(beside.data) > 0 {
		return nil, fmt.Errorf("section %q: %w", sectionBeside, errBeside)
	}
	if b, ok = section(sectionSettled); !ok {
		return nil, fmt.Errorf("no section %q", sectionSettled)
	}
	if err := w.restoreSettled(b); err != nil {
		return nil, fmt.Errorf("section %q: %w", sectionSettled, err)
	}
	return w, nil
}

// Resize returns what waits and is settled, under other limits and with other challengers, w if all are the same. w is
// not to be used any more. For each challenger, of says which one of w it is, -1 of a new one.
func (w *Waiting) Resize(l Limits, of []int) (*Waiting, error) {
	same := len(of) == w.list.challengers
	for i, was := range of {
		same = same && i == was
	}
	if l.Settled == w.settled.size && same {
		w.Limits = l
		return w, nil
	}
	saved := w.Snapshot().Sections()
	section := func(name string) ([]byte, bool) {
		for _, s := range saved {
			if s.Name == name {
				b, err := s.Append(nil, 0, s.Size)
				return b, err == nil
			}
		}
		return nil, false
	}
	beside, err := openBeside(section, w.list.challengers)
	if err != nil {
		return nil, err
	}
	beside.of = of
	if of == nil {
		beside.of = []int{}
	}
	return restore(l, len(of), section, beside)
}

var (
	errCut   = errors.New("it is cut off, or a number in it is out of range")
	errTwice = errors.New("an id is there twice")
)

func (w *Waiting) restoreWaiting(b []byte, beside *besideReader) error {
	var d deltas
	for len(b) > 0 {
		e, codes, rest, err := d.read(b)
		if err != nil {
			return err
		}
		kept, err := beside.next()
		if err != nil {
			return err
		}
		if w.AddWith(e, codes, kept) {
			return errTwice
		}
		b = rest
	}
	return nil
}

func (d *deltas) read(b []byte) (e Example, codes metrics.SliceCodes, rest []byte, err error) {
	if len(b) < len(e.ID) {
		return e, codes, nil, errCut
	}
	b = b[copy(e.ID[:], b):]
	ok := true
	unsigned := func(most uint64) int64 {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > most {
			ok, n = false, 0
		}
		b = b[n:]
		return int64(v)
	}
	signed := func() int64 {
		v, n := binary.Varint(b)
		if n <= 0 {
			ok, n = false, 0
		}
		b = b[n:]
		return v
	}
	e.Seq = d.seq + unsigned(math.MaxInt64)
	e.Partition = int32(unsigned(maxPartitions - 1))
	offset := d.offset(e.Partition)
	e.Offset = *offset + signed()
	e.Time = d.time + signed()
	e.Since = e.Time - unsigned(math.MaxUint64)
	if len(b) < 4 {
		return e, codes, nil, errCut
	}
	e.Published, b = Published(binary.LittleEndian.Uint32(b)), b[4:]
	for i := range e.Baselines {
		e.Baselines[i] = int16(unsigned(math.MaxInt16)) - 1
	}
	if unsigned(1) == 1 {
		b = b[copy(codes[:], b):]
	}
	if !ok || !e.Published.valid() || len(b) < 8 || e.Seq <= d.seq || e.Offset < 0 {
		return e, codes, nil, errCut
	}
	e.Score = math.Float64frombits(binary.LittleEndian.Uint64(b))
	d.seq, d.time, *offset = e.Seq, e.Time, e.Offset
	return e, codes, b[8:], nil
}

func (w *Waiting) restoreSettled(b []byte) error {
	if len(b)%settledBytes != 0 {
		return errCut
	}
	for ; len(b) > 0; b = b[settledBytes:] {
		what := binary.LittleEndian.Uint32(b[len(ID{}):])
		s := settled{ID(b[:len(ID{})]), what}
		if o := s.outcome(); o == 0 || o >= outcomes {
			return errCut
		}
		if _, known := w.lookup(&s.id); known {
			return errTwice
		}
		w.settle(s.id, s.outcome(), s.label())
	}
	return nil
}
