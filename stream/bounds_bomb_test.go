package stream_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"runtime"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// bomb makes a record batch of one record with a value of n zeros, packed on the way so that it is never whole in
// memory.
func bomb(t *testing.T, codec byte, n int, pack func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := pack(&packed)
	record := []byte{0, 0, 0, 1} // attributes, timestamp and offset deltas, no key
	record = binary.AppendVarint(record, int64(n))
	head := append(binary.AppendVarint(nil, int64(len(record)+n+1)), record...)
	if _, err := w.Write(head); err != nil {
		t.Fatal(err)
	}
	block := make([]byte, mib)
	for left := n; left > 0; left -= len(block) {
		if _, err := w.Write(block[:min(left, len(block))]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Write([]byte{0}); err != nil { // no headers
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 61, 61+packed.Len())
	b = append(b, packed.Bytes()...)
	be := binary.BigEndian
	be.PutUint32(b[8:], uint32(len(b)-12))
	b[16], b[22] = 2, codec
	for at := 43; at < 57; at++ {
		b[at] = 0xff // no producer
	}
	be.PutUint32(b[57:], 1)
	be.PutUint32(b[17:], crc32.Checksum(b[21:], crc32.MakeTable(crc32.Castagnoli)))
	return b
}

// TestBombsStopTheTask (row 41): a batch of 400 MiB of zeros in each codec stops a task with its default limit of 64
// MiB. Nothing of that size is allocated: 32 MiB, and the batch as it was sent four times (in the broker, which is in
// this process, and on its way). --skip passes it, once.
func TestBombsStopTheTask(t *testing.T) {
	if testing.Short() || streamtest.Real() {
		t.Skip("measures memory: not with -short; on real Kafka, TestFaultBomb")
	}
	const size = 400 * mib
	for _, c := range []struct {
		name  string
		codec byte
		pack  func(io.Writer) io.WriteCloser
	}{
		{"gzip", 1, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }},
		{"snappy", 2, func(w io.Writer) io.WriteCloser { return newXerial(w) }},
		{"lz4", 3, func(w io.Writer) io.WriteCloser { return lz4.NewWriter(w) }},
		{"zstd", 4, func(w io.Writer) io.WriteCloser {
			z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
			if err != nil {
				t.Fatal(err)
			}
			return z
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := streamtest.New(t, streamtest.Start(t), 1)
			s.Cluster.SetConfig(t, s.Name, "max.message.bytes", "40000000")
			s.Cluster.Produce(t, s.Name, 0, good(10)...)
			batch := bomb(t, c.codec, size, c.pack)
			s.Cluster.ProduceBatch(t, s.Name, 0, batch)
			s.Cluster.Produce(t, s.Name, 0, good(10)...)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			wantStop(t, s, stops.BadBatch, "--skip 0:10-10")
			runtime.ReadMemStats(&after)
			took, most := int64(after.TotalAlloc-before.TotalAlloc), int64(32*mib+4*len(batch))
			t.Logf("%d KiB packed, %d MiB allocated, all in all and kfake too", len(batch)>>10, took/mib)
			if took > most {
				t.Errorf("%d MiB allocated for a batch that is refused, want at most %d", took/mib, most/mib)
			}
			s.Config.Skip = []topics.SkipRange{{Partition: 0, From: 10, To: 10}}
			if n := s.MustRun(t).Status().Counts.Predictions; n != 20 {
				t.Errorf("%d predictions, want 20", n)
			}
		})
	}
}

// xerial frames snappy as Java's clients do.
type xerial struct{ w io.Writer }

func newXerial(w io.Writer) io.WriteCloser {
	_, _ = w.Write([]byte("\x82SNAPPY\x00\x00\x00\x00\x01\x00\x00\x00\x01")) // into a buffer
	return xerial{w}
}

func (x xerial) Write(p []byte) (int, error) {
	block := snappy.Encode(nil, p)
	if err := binary.Write(x.w, binary.BigEndian, uint32(len(block))); err != nil {
		return 0, err
	}
	_, err := x.w.Write(block)
	return len(p), err
}

func (x xerial) Close() error { return nil }
