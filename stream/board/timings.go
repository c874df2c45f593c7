package board

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Timings are times, in seconds, and sizes of this process's work. Latency and Processing are of the first record of
// each batch of predictions. Any goroutine may observe and read.
type Timings struct {
	Latency    prometheus.Histogram // from the record's timestamp to its prediction's acknowledgement
	Processing prometheus.Histogram // from the record's arrival in this process to that
	Batch      prometheus.Histogram // predictions in a batch
	Fetch      prometheus.Histogram // from a request to its records, with the wait for new ones
	Save       prometheus.Histogram // writing a checkpoint
}

// NewTimings returns empty histograms. Latencies reach from an idle local broker's to a day, for records that had to
// wait.
func NewTimings() *Timings {
	work := []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}
	latency := append(work[1:len(work):len(work)], 300, 1800, 3600, 21600, 86400)
	histogram := func(name string, buckets []float64) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Buckets: buckets})
	}
	return &Timings{
		Latency:    histogram("latency", latency),
		Processing: histogram("processing", work),
		Batch:      histogram("batch", prometheus.ExponentialBuckets(1, 2, 14)),
		Fetch:      histogram("fetch", work),
		Save:       histogram("save", work),
	}
}

func (t *Timings) acknowledged(n int, oldest int64, arrived time.Time) {
	if n == 0 {
		return
	}
	now := time.Now()
	t.Batch.Observe(float64(n))
	t.Processing.Observe(now.Sub(arrived).Seconds())
	if oldest > 0 { // clocks differ: it may be in the future
		t.Latency.Observe(max(0, now.Sub(time.UnixMilli(oldest)).Seconds()))
	}
}
