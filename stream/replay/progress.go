package replay

import (
	"sync"
	"time"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
)

// progress collects the learners' reports at 1, 2, 4, 8 ... predictions and, where these are rarer, after each period,
// and publishes complete rows.
type progress struct {
	learners int
	publish  func(predictions int64, reports []metrics.Report) // may be nil
	every    time.Duration                                     // the period; 0: none

	mu   sync.Mutex
	rows map[rowKey]*progressRow
	last time.Time // when a row was published, or a further one begun
}

// rowKey tells the rows that are not complete yet.
type rowKey struct {
	predictions int64
	batch       bool // the row after a batch: predictions is the number of records seen, the same for each learner
}

type progressRow struct {
	reports []metrics.Report
	missing int
}

// due reports whether a further row is due. It is the time only that decides which batches have one.
func (b *progress) due() bool {
	if b.publish == nil || b.every == 0 {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if b.last.IsZero() {
		b.last = now
	}
	if now.Sub(b.last) < b.every {
		return false
	}
	b.last = now
	return true
}

// add adds one learner's score. Every learner adds its scores in order, so rows complete in order.
func (b *progress) add(rank int, n rowKey, p *model.Processor) {
	if b.publish == nil {
		return
	}
	report := p.Report()
	b.mu.Lock()
	defer b.mu.Unlock()
	row := b.rows[n]
	if row == nil {
		row = &progressRow{reports: make([]metrics.Report, b.learners), missing: b.learners}
		b.rows[n] = row
	}
	row.reports[rank] = report
	if row.missing--; row.missing == 0 {
		delete(b.rows, n)
		b.last = time.Now()
		b.publish(row.reports[0].Predictions, row.reports)
	}
}
