package fetch

import (
	"bytes"
	"runtime"
	"testing"
	"time"
)

// response is a response to a fetch of a topic of many partitions, divided into results of so many bytes each.
func response(b *Buffers, sizes ...int) (memory *Memory, results []Fetched) {
	all := 0
	for _, n := range sizes {
		all += n
	}
	memory = &Memory{free: b}
	data := memory.take(all, turnsFetch)
	for i, n := range sizes {
		for j := range data[:n] {
			data[j] = byte(i)
		}
		results = append(results, Fetched{Result: &Result{Data: data[:n:n]}})
		data = data[n:]
	}
	results = append(results, Fetched{})
	memory.divide(results)
	return memory, results
}

func release(results []Fetched) {
	for i := range results {
		if f := results[i].Result; f != nil {
			f.Memory.Release()
		}
	}
}

// TestResultsShareAResponse: the records of many partitions stay where they were read, until so much is in use that a
// slow reader of one partition may hold the memory of all.
func TestResultsShareAResponse(t *testing.T) {
	b := newBuffers()
	const results = 16
	sizes := make([]int, results)
	for i := range sizes {
		sizes[i] = turnsFetch / results
	}
	var used [][]Fetched
	for inUse := int64(0); ; {
		memory, results := response(b, sizes...)
		inUse += int64(cap(memory.buffer))
		used = append(used, results)
		if results[0].Result.Memory != memory {
			if inUse <= maxShared {
				t.Errorf("the results of a response got copies, with %d of %d bytes in use", inUse, maxShared)
			}
			break
		}
		if inUse > maxShared {
			t.Fatalf("responses of %d bytes are shared by their results, want %d at most", inUse, maxShared)
		}
	}
	for n, results := range used {
		for i := range sizes {
			if data := results[i].Result.Data; !bytes.Equal(data, bytes.Repeat([]byte{byte(i)}, sizes[i])) {
				t.Fatalf("response %d: the records of result %d were changed", n, i)
			}
		}
	}
	// As long as one result of each is in use, it counts.
	for _, results := range used {
		release(results[1:])
	}
	if memory, results := response(b, sizes...); results[0].Result.Memory == memory {
		t.Error("the memory of all responses is in use, and results share one more")
	}
	for _, results := range used {
		release(results[:1])
	}
	if n := b.shared.Load(); n != 0 {
		t.Errorf("%d bytes are in use, want none", n)
	}
	if memory, results := response(b, sizes...); results[0].Result.Memory != memory {
		t.Error("nothing is in use, and results got copies")
	}
}

// TestLostResults: a reader may end in the middle of a result, which nobody releases.
func TestLostResults(t *testing.T) {
	b := newBuffers()
	for range 2 * maxShared / turnsFetch {
		response(b, turnsFetch/2-1, turnsFetch/2-1)
	}
	for deadline := time.Now().Add(time.Minute); b.shared.Load() > 0; runtime.GC() {
		if time.Now().After(deadline) {
			t.Fatalf("%d bytes count as in use, want none", b.shared.Load())
		}
	}
	if memory, results := response(b, turnsFetch/2-1, turnsFetch/2-1); results[0].Result.Memory != memory {
		t.Error("nothing is in use, and results got copies")
	}
}

// TestOneResult: a response with one result does not count: there is nothing to be copied.
func TestOneResult(t *testing.T) {
	b := newBuffers()
	memory, results := response(b, turnsFetch)
	if results[0].Result.Memory != memory || b.shared.Load() != 0 {
		t.Errorf("%d bytes count as shared, want none", b.shared.Load())
	}
}

// TestFewResultsOfAResponse: results that have less than half of the memory together are copied, and so are small ones.
func TestFewResultsOfAResponse(t *testing.T) {
	b := newBuffers()
	memory, results := response(b, smallResponse, smallResponse)
	if first, last := results[0].Result, results[1].Result; first.Memory == memory || last.Memory == memory {
		t.Errorf("results of %d bytes have %d", smallResponse, cap(memory.buffer))
	}
	release(results)
	memory, results = response(b, turnsFetch/3, turnsFetch/3, smallCopy-1)
	if first, last := results[0].Result, results[2].Result; first.Memory != memory || last.Memory == memory {
		t.Error("of a large and a small result the large one has the memory, and the small one a copy")
	}
	release(results)
	if n := b.shared.Load(); n != 0 {
		t.Errorf("%d bytes are in use, want none", n)
	}
}
