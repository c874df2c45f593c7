package stream

import (
	"testing"

	"rosenblatt/stream/decode"
)

// BenchmarkReviewForget is what every chunk of any partition pays for a million letters found at the takeover that lie ahead.
func BenchmarkReviewForget(b *testing.B) {
	s := &state{positions: []int64{0, 0}, dead: map[place]deadLetter{}}
	for i := range int64(1_000_000) {
		s.dead[place{0, 2*i + 1}] = deadLetter{reason: decode.Syntax}
	}
	b.ReportAllocs()
	for b.Loop() {
		s.forget(1)
	}
}
