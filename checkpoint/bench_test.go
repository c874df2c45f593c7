package checkpoint

import (
	"encoding/binary"
	"io"
	"math"
	"testing"
)

// weightsSection returns 2^22 weights.
func weightsSection() Section {
	weights := make([]float64, 1<<22)
	for i := range weights {
		weights[i] = float64(i) / 3
	}
	return Section{Name: "weights", Size: int64(8 * len(weights)),
		Append: func(dst []byte, from, to int64) ([]byte, error) {
			for _, x := range weights[from/8 : to/8] {
				dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
			}
			return dst, nil
		}}
}

func benchmarkSave(b *testing.B, s *Store) {
	sections := []Section{weightsSection()}
	b.SetBytes(sections[0].Size)
	b.ReportAllocs()
	seq := uint64(0)
	for b.Loop() {
		seq++
		if _, err := s.Save(seq, []byte(`{}`), sections, Base{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSaveOS(b *testing.B)     { benchmarkSave(b, &Store{Dir: b.TempDir()}) }
func BenchmarkSaveMemory(b *testing.B) { benchmarkSave(b, &Store{FS: newMem(), Dir: testDir}) }

// BenchmarkEncode measures without a file system.
func BenchmarkEncode(b *testing.B) {
	sections := []Section{weightsSection().whole()}
	b.SetBytes(sections[0].Size)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := encode(io.Discard, []byte(`{}`), sections, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	s := &Store{FS: newMem(), Dir: testDir}
	if _, err := s.Save(1, []byte(`{}`), []Section{weightsSection()}, Base{}); err != nil {
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
