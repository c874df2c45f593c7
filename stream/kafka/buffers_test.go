package kafka

import (
	"bytes"
	"testing"
)

// response is a response to a fetch of a topic of many partitions, divided into results of so many bytes each.
func response(b *buffers, sizes ...int) (memory *shared, results []fetched) {
	all := 0
	for _, n := range sizes {
		all += n
	}
	memory = &shared{free: b}
	data := memory.take(all, turnsFetch)
	for i, n := range sizes {
		for j := range data[:n] {
			data[j] = byte(i)
		}
		results = append(results, fetched{result: &fetchResult{data: data[:n:n]}})
		data = data[n:]
	}
	results = append(results, fetched{})
	memory.divide(results)
	return memory, results
}

func release(results []fetched) {
	for i := range results {
		if f := results[i].result; f != nil {
			f.memory.Release()
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
	var used [][]fetched
	for inUse := int64(0); ; {
		memory, results := response(b, sizes...)
		inUse += int64(cap(memory.buffer))
		used = append(used, results)
		if results[0].result.memory != memory {
			if inUse <= maxDivided {
				t.Errorf("the results of a response got copies, with %d of %d bytes in use", inUse, maxDivided)
			}
			break
		}
		if inUse > maxDivided {
			t.Fatalf("responses of %d bytes are shared by their results, want %d at most", inUse, maxDivided)
		}
	}
	for n, results := range used {
		for i := range sizes {
			if data := results[i].result.data; !bytes.Equal(data, bytes.Repeat([]byte{byte(i)}, sizes[i])) {
				t.Fatalf("response %d: the records of result %d were changed", n, i)
			}
		}
	}
	// As long as one result of each is in use, it counts.
	for _, results := range used {
		release(results[1:])
	}
	if memory, results := response(b, sizes...); results[0].result.memory == memory {
		t.Error("the memory of all responses is in use, and results share one more")
	}
	for _, results := range used {
		release(results[:1])
	}
	if n := b.divided.Load(); n != 0 {
		t.Errorf("%d bytes are in use, want none", n)
	}
	if memory, results := response(b, sizes...); results[0].result.memory != memory {
		t.Error("nothing is in use, and results got copies")
	}
}

// TestFewResultsOfAResponse: results that have less than half of the memory together are copied, and so are small ones.
func TestFewResultsOfAResponse(t *testing.T) {
	b := newBuffers()
	memory, results := response(b, smallResponse, smallResponse)
	if first, last := results[0].result, results[1].result; first.memory == memory || last.memory == memory {
		t.Errorf("results of %d bytes have %d", smallResponse, cap(memory.buffer))
	}
	release(results)
	memory, results = response(b, turnsFetch, smallCopy-1)
	if first, last := results[0].result, results[1].result; first.memory != memory || last.memory == memory {
		t.Error("of two results the large one has the memory, and the small one a copy")
	}
	release(results)
	if n := b.divided.Load(); n != 0 {
		t.Errorf("%d bytes are in use, want none", n)
	}
}
