package labels

import (
	"encoding/binary"
	"math"

	"rosenblatt/checkpoint"
	"rosenblatt/learner/metrics"
)

// The sections of a checkpoint. The waiting examples are in the order of seq, each as: ID, then as varints seq less the
// one before, partition, offset less the last one of the partition (signed), Time less the one before (signed), Time
// less Since. Then come four bytes of Published, as varints the classes of the baselines + 1, a byte that is 1 if
// slices follow, these, and eight bytes of score. The settled ids are in the order in which they were settled, 16 bytes
// each. Numbers are little-endian.
const (
	sectionWaiting = "labels.waiting"
	sectionSettled = "labels.settled"
)

// Snapshot is a Waiting as it was. It belongs to one goroutine, which may be another one than the Waiting's.
type Snapshot struct {
	list    list
	settled ring
}

// Snapshot returns what is there now. Until the snapshot is garbage, each first change of 256 examples or 1,024 ids
// copies them.
func (w *Waiting) Snapshot() *Snapshot { return &Snapshot{w.list.snapshot(), w.settled.snapshot()} }

// Sections returns what a checkpoint holds of it.
func (s *Snapshot) Sections() []checkpoint.Section {
	w := &stream{restart: s.waiting}
	all := []checkpoint.Section{
		{Name: sectionWaiting, Size: w.size(), Append: w.append},
		{Name: sectionSettled, Size: settledBytes * int64(s.settled.n), Append: s.appendSettled},
	}
	//mutation:beside-saved
	if s.list.challengers > 0 {
		all = append(all, s.besideSection())
	}
	return all
}

// deltas is the state of the encoding, and of the decoding.
type deltas struct {
	seq, time int64
	offsets   []int64 // by partition
}

// maxPartitions bounds the memory of deltas when a section is damaged.
const maxPartitions = 1 << 20

// offset returns the last offset of a partition.
func (d *deltas) offset(partition int32) *int64 {
	for int(partition) >= len(d.offsets) {
		d.offsets = append(d.offsets, 0)
	}
	return &d.offsets[partition]
}

// waiting returns a function that appends the next example, and nothing after the last one.
func (s *Snapshot) waiting() func(dst []byte) []byte {
	var d deltas
	at, left := s.list.head, s.list.n
	return func(dst []byte) []byte {
		if left == 0 {
			return dst
		}
		left--
		e, codes := s.list.at(at), s.list.slices(at)
		at = s.list.link(at).next
		return d.append(dst, e, codes)
	}
}

func (d *deltas) append(dst []byte, e *Example, codes metrics.SliceCodes) []byte {
	offset := d.offset(e.Partition)
	dst = append(dst, e.ID[:]...)
	dst = binary.AppendUvarint(dst, uint64(e.Seq-d.seq))
	dst = binary.AppendUvarint(dst, uint64(e.Partition))
	dst = binary.AppendVarint(dst, e.Offset-*offset)
	dst = binary.AppendVarint(dst, e.Time-d.time)
	dst = binary.AppendUvarint(dst, uint64(e.Time-e.Since))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(e.Published))
	for _, class := range e.Baselines {
		dst = binary.AppendUvarint(dst, uint64(class+1))
	}
	has, sliced := byte(0), []byte(nil)
	//mutation:slices-of-waiting-saved
	if codes != (metrics.SliceCodes{}) {
		has, sliced = 1, codes[:]
	}
	dst = append(append(dst, has), sliced...)
	d.seq, d.time, *offset = e.Seq, e.Time, e.Offset
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(e.Score))
}

// stream gives a section's bytes in ascending order.
type stream struct {
	restart func() func(dst []byte) []byte
	more    func(dst []byte) []byte
	at      int64  // of buffer[0] in the section
	buffer  []byte // encoded, not yet given
}

func (s *stream) size() (n int64) {
	more := s.restart()
	for b := more(nil); len(b) > 0; b = more(b[:0]) {
		n += int64(len(b))
	}
	return n
}

func (s *stream) append(dst []byte, from, to int64) ([]byte, error) {
	if s.more == nil || from < s.at {
		s.more, s.at, s.buffer = s.restart(), 0, s.buffer[:0]
	}
	for s.at < from {
		if len(s.buffer) == 0 {
			s.buffer = s.more(s.buffer)
		}
		skip := min(from-s.at, int64(len(s.buffer)))
		s.buffer, s.at = append(s.buffer[:0], s.buffer[skip:]...), s.at+skip
	}
	for s.at < to {
		if len(s.buffer) == 0 {
			s.buffer = s.more(s.buffer)
		}
		n := min(to-s.at, int64(len(s.buffer)))
		dst = append(dst, s.buffer[:n]...)
		s.buffer, s.at = append(s.buffer[:0], s.buffer[n:]...), s.at+n
	}
	return dst, nil
}

const settledBytes = 16

func (s *Snapshot) appendSettled(dst []byte, from, to int64) ([]byte, error) {
	var word [settledBytes]byte
	for from < to {
		id := s.settled.at((s.settled.first + int(from/settledBytes)) % s.settled.size)
		copy(word[:], id.id[:])
		binary.LittleEndian.PutUint32(word[len(ID{}):], id.what)
		skip := from % settledBytes
		n := min(settledBytes-skip, to-from)
		dst = append(dst, word[skip:skip+n]...)
		from += n
	}
	return dst, nil
}
