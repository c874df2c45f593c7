package web

import (
	"math"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// quantiles are those of a histogram, in seconds, as exact as its buckets.
type quantiles struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
}

// bucketsOf returns the counts of a histogram so far.
func bucketsOf(h prometheus.Histogram) *dto.Histogram {
	var m dto.Metric
	if h == nil || h.Write(&m) != nil {
		return nil
	}
	return m.Histogram
}

// quantilesSince returns those of what was observed between two states of a histogram, nil if nothing was.
func quantilesSince(before, now *dto.Histogram) *quantiles {
	if before == nil || now == nil || now.GetSampleCount() <= before.GetSampleCount() {
		return nil
	}
	return &quantiles{quantile(before, now, 0.5), quantile(before, now, 0.99)}
}

// quantile interpolates within a bucket, as Prometheus's histogram_quantile does. Beyond the last bound it is that one.
func quantile(before, now *dto.Histogram, q float64) float64 {
	rank := q * float64(now.GetSampleCount()-before.GetSampleCount())
	low, below := 0.0, 0.0
	for i, b := range now.GetBucket() {
		if math.IsInf(b.GetUpperBound(), 1) {
			break
		}
		up := float64(b.GetCumulativeCount() - before.GetBucket()[i].GetCumulativeCount())
		if up >= rank {
			return low + (b.GetUpperBound()-low)*(rank-below)/(up-below)
		}
		low, below = b.GetUpperBound(), up
	}
	return low
}
