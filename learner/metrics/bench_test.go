package metrics

import "testing"

func BenchmarkScoreAdd(b *testing.B) {
	s := new(Binary)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Add(int8(1-i&2), int8(1-i&4/2), float64(i&15), i&1 != 0)
		s.AddNorm(float64(i & 255))
	}
}

func BenchmarkScoreReport(b *testing.B) {
	s := new(Binary)
	for i := range 2 * LongWindow {
		s.Add(int8(1-i&2), int8(1-i&4/2), float64(i*7919%10_007), i&1 != 0)
	}
	for b.Loop() {
		s.Report()
	}
}
