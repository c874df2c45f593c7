package replay

import (
	"sync"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
)

// board gathers what the learners say at 1, 2, 4, 8 ... examples and tells it on when all have.
type board struct {
	learners int
	progress func(answered int64, reports []metrics.Report) // may be nil

	mu   sync.Mutex
	rows map[int64]*boardRow
}

type boardRow struct {
	reports []metrics.Report
	missing int
}

func newBoard(learners int, progress func(int64, []metrics.Report)) *board {
	return &board{learners: learners, progress: progress, rows: map[int64]*boardRow{}}
}

// tell notes one learner's score at n examples. Every learner comes by each n in turn, so rows are complete in order.
func (b *board) tell(rank int, n int64, p *model.Processor) {
	if b.progress == nil {
		return
	}
	report := p.Report()
	b.mu.Lock()
	defer b.mu.Unlock()
	row := b.rows[n]
	if row == nil {
		row = &boardRow{reports: make([]metrics.Report, b.learners), missing: b.learners}
		b.rows[n] = row
	}
	row.reports[rank] = report
	if row.missing--; row.missing == 0 {
		delete(b.rows, n)
		b.progress(n, row.reports)
	}
}
