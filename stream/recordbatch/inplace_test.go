package recordbatch

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestInPlace compares records whose values are written in place with appended ones, around all the lengths of their
// lengths, and at the limit.
func TestInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, limit := range []int{61, 62, 130, 8300, 9000, 40_000, 0} {
		appended, written := Builder{Limit: limit}, Builder{Limit: limit}
		for i, size := range []int{0, 1, 20, 45, 55, 56, 57, 58, 63, 64, 65, 70, 500, 8150, 8180, 8190, 8191, 8192,
			8193, 200, 20_000, 100, 100, 100} {
			key := bytes.Repeat([]byte("k"), []int{0, 3, 70}[r.IntN(3)])
			if r.IntN(3) == 0 {
				key = nil
			}
			value, at := bytes.Repeat([]byte{'a' + byte(i)}, size), 1000+int64(r.IntN(2000))
			want := appended.Append(at, key, value)
			got := written.Finish(append(written.Start(at, key), value...))
			if got != want || written.Len() != appended.Len() || written.Size() != appended.Size() {
				t.Fatalf("limit %d, value %d of %d bytes: %v with %d records in %d bytes, want %v with %d in %d", limit,
					i, size,
					got, written.Len(), written.Size(), want, appended.Len(), appended.Size())
			}
			if want && !bytes.Equal(seal(t, &written, None), seal(t, &appended, None)) {
				t.Fatalf("limit %d, value %d of %d bytes: the batches differ", limit, i, size)
			}
		}
	}
}

func BenchmarkInPlace(b *testing.B) {
	value := bytes.Repeat([]byte("x"), 200)
	var batch Builder
	for b.Loop() {
		if !batch.Finish(append(batch.Start(1, nil), value...)) {
			batch.Reset()
		}
	}
}
