package stream

import (
	"math"
	"sync/atomic"
	"time"
)

// Histogram counts values by size. Any goroutine may add and read. Adding takes no lock and allocates nothing. The zero
// value has one bucket.
type Histogram struct {
	Bounds []float64 // upper bounds of the buckets, ascending, at most maxBounds; set before the first Add

	counts [maxBounds + 1]atomic.Uint64 // by bucket; the one behind the last bound has what is above all bounds
	sum    atomic.Uint64                // bits of a float64
}

// maxBounds is the greatest number of bounds.
const maxBounds = 24

// Add counts a value, if it is finite.
func (h *Histogram) Add(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	i := 0
	for i < len(h.Bounds) && v > h.Bounds[i] {
		i++
	}
	h.counts[i].Add(1)
	for {
		old := h.sum.Load()
		if h.sum.CompareAndSwap(old, math.Float64bits(math.Float64frombits(old)+v)) {
			return
		}
	}
}

// Distribution is a copy of a Histogram.
type Distribution struct {
	Bounds []float64
	Below  []uint64 // values at or below each bound
	Count  uint64   // all values
	Sum    float64
}

// Read returns a copy.
func (h *Histogram) Read() Distribution {
	d := Distribution{Bounds: h.Bounds, Below: make([]uint64, len(h.Bounds)), Sum: math.Float64frombits(h.sum.Load())}
	for i := range h.Bounds {
		d.Count += h.counts[i].Load()
		d.Below[i] = d.Count
	}
	d.Count += h.counts[len(h.Bounds)].Load()
	return d
}

// Timings are the times, in seconds, and sizes of this process's work. Latency and Processing are of the first record
// of each batch of predictions.
type Timings struct {
	Latency    Histogram // from the record's timestamp to the acknowledgement of its prediction
	Processing Histogram // from the record's arrival in this process to that acknowledgement
	Batch      Histogram // predictions in a batch
	Fetch      Histogram // from a request for records to its records, with the wait for new ones
	Save       Histogram // writing a checkpoint
}

// Bounds of the buckets. Latencies go from an idle broker's on the same machine to a day, for records that had to wait.
var (
	latencyBounds = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
		1, 2.5, 5, 10, 30, 60, 300, 1800, 3600, 21600, 86400}
	workBounds  = []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}
	batchBounds = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192}
)

// acknowledged adds a batch of predictions that the broker has just acknowledged.
func (t *Timings) acknowledged(j *writeJob) {
	now := time.Now()
	t.Batch.Add(float64(j.predictions.Len()))
	t.Processing.Add(now.Sub(j.arrived).Seconds())
	if j.oldest > 0 { // clocks differ: it may be in the future
		t.Latency.Add(max(0, now.Sub(time.UnixMilli(j.oldest)).Seconds()))
	}
}

func (t *Timings) init() {
	t.Latency.Bounds, t.Batch.Bounds = latencyBounds, batchBounds
	t.Processing.Bounds, t.Fetch.Bounds, t.Save.Bounds = workBounds, workBounds, workBounds
}
