package recordbatch

import (
	"fmt"
	"testing"
)

// prediction returns 150 bytes like those of a prediction, all different.
func prediction(i int) []byte {
	return fmt.Appendf(nil, `{"partition":3,"offset":%09d,"score":0.%09d,"margin":-1.%09d,"label":1,"predicted":1,`+
		`"loss":0.%09d,"model":"clicks@4","features":%02d}`,
		i, i*7919%1e9, i*104729%1e9, i*1299709%1e9, i%64)[:150]
}

// sized pads or cuts a value.
func sized(p []byte, n int) []byte {
	for len(p) < n {
		p = append(p, p...)
	}
	return p[:n]
}

func BenchmarkAppend(b *testing.B) {
	value := prediction(1)
	var batch Builder
	for batch.Append(1_700_000_000_000, nil, value) {
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(value)))
	for i := range b.N {
		if !batch.Append(1_700_000_000_000+int64(i&63), nil, value) {
			batch.Reset()
		}
	}
}

// BenchmarkSeal seals 1,000 predictions, with compression. Each round changes the batch, so that no result is reused.
func BenchmarkSeal(b *testing.B) {
	for _, codec := range codecs {
		b.Run(codec.String(), func(b *testing.B) {
			var batch Builder
			for i := range 1000 {
				batch.Append(1_700_000_000_000, nil, prediction(i))
			}
			b.ReportAllocs()
			b.SetBytes(int64(batch.Size()))
			var out []byte
			for i := range b.N {
				batch.packer.forget()
				var err error
				if out, err = batch.Seal(1, 1, int32(i), codec); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(out))/float64(batch.Size()), "ratio")
		})
	}
}

// BenchmarkRecords reads batches of 1,000 records of 500 bytes: Next with its sum, Open and the walk.
func BenchmarkRecords(b *testing.B) {
	var batch Builder
	for i := range 1000 {
		batch.Append(1_700_000_000_000+int64(i), nil, sized(prediction(i), 500))
	}
	for _, codec := range codecs {
		b.Run(codec.String(), func(b *testing.B) {
			out := seal(b, &batch, codec)
			var u Unpacker
			var r Record
			b.ReportAllocs()
			b.SetBytes(int64(batch.Size()))
			for range b.N {
				got, _, err := Next(out)
				if err != nil {
					b.Fatal(err)
				}
				records, err := u.Open(&got)
				if err != nil {
					b.Fatal(err)
				}
				n := 0
				for records.Next(&r) {
					n++
				}
				if n != 1000 {
					b.Fatal(records.Err())
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/record")
		})
	}
}

// BenchmarkWalk is the walk alone.
func BenchmarkWalk(b *testing.B) {
	var batch Builder
	for i := range 1000 {
		batch.Append(1_700_000_000_000+int64(i), nil, sized(prediction(i), 500))
	}
	got, _, err := Next(seal(b, &batch, None))
	if err != nil {
		b.Fatal(err)
	}
	var r Record
	b.ReportAllocs()
	for n := 0; n < b.N; {
		records := got.open(got.records)
		for n < b.N && records.Next(&r) {
			n++
		}
	}
}
