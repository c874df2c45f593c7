package statetopic

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

const output = "events.predictions"

var errTorn = errors.New("torn")

// fakeLog is a partition in memory. After left batches, Append fails; stored says whether that batch is in the log.
type fakeLog struct {
	records []topics.Record
	next    int64
	left    int // negative: without limit
	stored  bool
}

func (l *fakeLog) Bounds(context.Context) (from, to int64, err error) { return 0, l.next, nil }

func (l *fakeLog) Open(from int64) topics.Reader { return &fakeReader{l, from} }

func (l *fakeLog) Append(_ context.Context, b *recordbatch.Builder) error {
	if l.left == 0 && !l.stored {
		return errTorn
	}
	data, err := b.Seal(1, 1, 0, recordbatch.None)
	if err != nil {
		return err
	}
	batch, _, err := recordbatch.Next(data)
	if err != nil {
		return err
	}
	var u recordbatch.Unpacker
	records, err := u.Open(&batch)
	if err != nil {
		return err
	}
	for r := (topics.Record{}); records.Next(&r); {
		l.put(r.Key, r.Value)
	}
	if l.left == 0 {
		return errTorn
	}
	l.left--
	return nil
}

func (l *fakeLog) put(key, value []byte) {
	l.records = append(l.records, topics.Record{Offset: l.next, Key: bytes.Clone(key), Value: bytes.Clone(value)})
	l.next++
}

// compact removes records below an offset whose key comes again.
func (l *fakeLog) compact(below int64) {
	last := map[string]int64{}
	for _, r := range l.records {
		last[string(r.Key)] = r.Offset
	}
	l.records = slices.DeleteFunc(l.records, func(r topics.Record) bool {
		return r.Offset < below && r.Offset < last[string(r.Key)]
	})
}

type fakeReader struct {
	log *fakeLog
	at  int64
}

func (r *fakeReader) Read(_ context.Context, run *topics.Run, max int) error {
	run.Reset(0, r.at)
	from, _ := slices.BinarySearchFunc(r.log.records, r.at, func(rec topics.Record, at int64) int {
		return cmp.Compare(rec.Offset, at)
	})
	for _, rec := range r.log.records[from:min(from+min(max, 3), len(r.log.records))] {
		run.Records = append(run.Records, rec)
		run.Next = rec.Offset + 1
	}
	if len(run.Records) == 0 {
		run.Next = r.log.next
	}
	r.at = run.Next
	return nil
}

// fakeFolder is a folder in memory.
type fakeFolder struct {
	chain  []checkpoint.Link
	files  map[uint64][]byte
	kept   []checkpoint.Link
	noKept error
}

func (f *fakeFolder) Chain() ([]checkpoint.Link, error) { return f.chain, nil }

func (f *fakeFolder) KeptChain() ([]checkpoint.Link, error) { return f.kept, f.noKept }

func (f *fakeFolder) OpenFile(seq uint64) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(f.files[seq])), nil
}

func (f *fakeFolder) Install(seq uint64, parts [][]byte) error {
	f.files[seq] = slices.Concat(parts...)
	f.chain = append(f.chain, checkpoint.Link{Seq: seq, Sum: binary.LittleEndian.Uint32(last4(f.files[seq]))})
	return nil
}

func last4(b []byte) []byte { return b[len(b)-4:] }

// save makes the next checkpoint: everything anew, or a file that builds on some of the chain.
func (f *fakeFolder) save(r *rand.Rand, seq uint64) {
	keep := 0
	if n := len(f.chain); n > 0 && r.IntN(4) > 0 {
		keep = 1 + r.IntN(n)
	}
	f.chain = slices.Clone(f.chain[:keep])
	data := make([]byte, 4+r.IntN(4*PieceSize)>>(2*min(1, keep)))
	for i := range data[:4] {
		data[len(data)-1-i] = byte(r.Uint32()) // the sum by which it is named
	}
	for i := 0; i < len(data)-4; i += 1 << 12 {
		data[i] = byte(r.Uint32())
	}
	f.files = maps.Clone(f.files)
	if f.files == nil {
		f.files = map[uint64][]byte{}
	}
	f.files[seq] = data
	f.chain = append(f.chain, checkpoint.Link{Seq: seq, Sum: binary.LittleEndian.Uint32(last4(data))})
}

// size gives the newest file so many bytes.
func (f *fakeFolder) size(n int) {
	last := &f.chain[len(f.chain)-1]
	f.files[last.Seq] = append(make([]byte, max(0, n-4)), last4(f.files[last.Seq])...)
}

func (f *fakeFolder) clone() *fakeFolder {
	return &fakeFolder{chain: slices.Clone(f.chain), files: maps.Clone(f.files)}
}

// wantRestored restores the newest checkpoint of a log, and compares it with one of some folders. No manifest is newer.
func wantRestored(t *testing.T, l *fakeLog, want ...*fakeFolder) {
	t.Helper()
	c := NewCopy(l, output)
	if err := c.ReadNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole, faults := c.Whole()
	if len(whole) == 0 {
		t.Fatalf("nothing whole: %v", faults)
	}
	for _, m := range c.manifests {
		if m != nil && m.Number > whole[0].Number {
			t.Fatalf("manifest %d is not whole: %v", m.Number, faults)
		}
	}
	got := &fakeFolder{files: map[uint64][]byte{}}
	if err := c.Restore(whole[0], got); err != nil {
		t.Fatal(err)
	}
	for _, f := range want {
		same := slices.Equal(f.chain, got.chain)
		for _, link := range f.chain {
			same = same && bytes.Equal(f.files[link.Seq], got.files[link.Seq])
		}
		if same {
			return
		}
	}
	t.Fatalf("restored %v, want %v", got.chain, want[0].chain)
}

// openWriter reads the log and goes on from it, with batches of one piece each.
func openWriter(t *testing.T, l *fakeLog) *Writer {
	t.Helper()
	c := NewCopy(l, output)
	if err := c.ReadNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c.NewWriter("events", 0, minMessageBytes, l.next)
}
