package stream

import (
	"math"
	"sync/atomic"
	"time"
)

// Histogram counts values by size. Any goroutine may add and read; adding takes no lock and allocates nothing. The zero value
// counts without telling sizes apart.
type Histogram struct {
	Bounds []float64 // upper bounds of the buckets, ascending, at most maxBounds; set before the first Add

	counts [maxBounds + 1]atomic.Uint64 // the last one used is for what is above all bounds
	sum    atomic.Uint64                // bits of a float64
}

// maxBounds is the greatest number of bounds.
const maxBounds = 24

// Add counts a value. One that is not finite is left out.
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

// Distribution is what a Histogram held at a moment.
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

// Timings are the times and sizes of this process's work. Times are in seconds.
type Timings struct {
	Latency    Histogram // from a record's timestamp to the acknowledgement of its answer: the first record of each batch
	Processing Histogram // from a record's arrival in this process to that acknowledgement: the first record of each batch
	Batch      Histogram // answers in a batch
	Fetch      Histogram // from asking for records to having some, which is what waiting for new ones takes too
	Save       Histogram // writing a checkpoint
}

// The bounds. Latencies go from what an idle broker on the same machine takes to a day, for records that had to wait.
var (
	latencyBounds = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600, 21600, 86400}
	workBounds    = []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}
	batchBounds   = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192}
)

// acknowledged counts a batch of answers that the broker has just acknowledged.
func (t *Timings) acknowledged(j *writeJob) {
	now := time.Now()
	t.Batch.Add(float64(j.predictions.Len()))
	t.Processing.Add(now.Sub(j.arrived).Seconds())
	if j.oldest > 0 { // clocks differ: a record may seem to come from the future
		t.Latency.Add(max(0, now.Sub(time.UnixMilli(j.oldest)).Seconds()))
	}
}

func (t *Timings) init() {
	t.Latency.Bounds, t.Batch.Bounds = latencyBounds, batchBounds
	t.Processing.Bounds, t.Fetch.Bounds, t.Save.Bounds = workBounds, workBounds, workBounds
}
