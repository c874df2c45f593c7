package checkpoint

import (
	"encoding/binary"
	"io"
	"math"
	"testing"
)

// weightsSection returns 2^22 weights, which are encoded and written 4,096 at a time.
func weightsSection() Section {
	weights := make([]float64, 1<<22)
	for i := range weights {
		weights[i] = float64(i) / 3
	}
	buf := make([]byte, 0, 8*4096)
	return Section{Name: "weights", Size: int64(8 * len(weights)), Write: func(w io.Writer) error {
		for left := weights; len(left) > 0; left = left[min(4096, len(left)):] {
			buf = buf[:0]
			for _, x := range left[:min(4096, len(left))] {
				buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(x))
			}
			if _, err := w.Write(buf); err != nil {
				return err
			}
		}
		return nil
	}}
}

func benchmarkSave(b *testing.B, s *Store) {
	sections := []Section{weightsSection()}
	b.SetBytes(sections[0].Size)
	b.ReportAllocs()
	seq := uint64(0)
	for b.Loop() {
		seq++
		if _, err := s.Save(seq, []byte(`{}`), sections); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSaveOS(b *testing.B)     { benchmarkSave(b, &Store{Dir: b.TempDir()}) }
func BenchmarkSaveMemory(b *testing.B) { benchmarkSave(b, &Store{FS: newMem(), Dir: testDir}) }

// BenchmarkEncode measures without a file system.
func BenchmarkEncode(b *testing.B) {
	sections := []Section{weightsSection()}
	b.SetBytes(sections[0].Size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := encode(io.Discard, []byte(`{}`), sections); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	s := &Store{FS: newMem(), Dir: testDir}
	if _, err := s.Save(1, []byte(`{}`), []Section{weightsSection()}); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(8 << 22)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(s.FS, testDir+"/checkpoint-1"); err != nil {
			b.Fatal(err)
		}
	}
}
