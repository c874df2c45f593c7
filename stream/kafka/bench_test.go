package kafka

import (
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// BenchmarkRead reads records of 500 bytes, uncompressed, 1000 to a batch; one operation is one record.
func BenchmarkRead(b *testing.B) {
	bed := newBed(b, 1)
	const records = 100_000
	v := make([]string, 1000)
	for i := range v {
		v[i] = strings.Repeat("x", 500)
	}
	for range records / len(v) {
		bed.put(bed.name+"-in", 0, recordbatch.None, v...)
	}
	ctx := timeout(b, time.Hour)
	var c topics.Run
	r := bed.admin.Open(topics.Input, 0, 0)
	b.SetBytes(500)
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += len(c.Records) {
		if err := r.Read(ctx, &c, 4000); err != nil {
			b.Fatal(err)
		}
		if c.Next >= records {
			r = bed.admin.Open(topics.Input, 0, 0)
		}
	}
}

func benchmarkAppend(b *testing.B, records int) {
	bed := newBed(b, 1)
	j := bed.client(nil).Journal()
	takeover(b, j, topics.NoProducer)
	v := make([]string, records)
	for i := range v {
		v[i] = strings.Repeat("x", 200)
	}
	batch := build(v...)
	ctx := timeout(b, time.Hour)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if _, err := appendOne(ctx, j, topics.Output, 0, batch); err != nil {
			b.Fatal(err)
		}
	}
}

// One operation is one batch, from the call to its acknowledgement.
func BenchmarkAppend1(b *testing.B)    { benchmarkAppend(b, 1) }
func BenchmarkAppend1000(b *testing.B) { benchmarkAppend(b, 1000) }

func BenchmarkTakeover(b *testing.B) {
	bed := newBed(b, 1)
	j := bed.client(nil).Journal()
	held := topics.NoProducer
	for range b.N {
		held = takeover(b, j, held).Producer
	}
}
