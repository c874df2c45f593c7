package replay

import (
	"sync"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
)

// progress collects the learners' reports at 1, 2, 4, 8 ... predictions, and publishes complete rows.
type progress struct {
	learners int
	publish  func(predictions int64, reports []metrics.Report) // may be nil

	mu   sync.Mutex
	rows map[int64]*progressRow
}

type progressRow struct {
	reports []metrics.Report
	missing int
}

// add adds one learner's score. Every learner adds its scores in order, so rows complete in order.
func (b *progress) add(rank int, n int64, p *model.Processor) {
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
		b.publish(n, row.reports)
	}
}
