package evaluate

import (
	"fmt"
	"io"
	"sync"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/report"
	"rosenblatt/stream/survey"
)

// rowEvery is after how long without a row a further one is shown.
const rowEvery = 10 * time.Second

// progress shows a row at 1, 2, 4, 8 ... examples and every ten seconds, and a bar with the time left below.
type progress struct {
	mu    sync.Mutex // learners call row, the reader calls moved
	out   io.Writer
	table *report.Progress
	bar   *cli.Bar
}

// newProgress shows progress on a terminal, and nothing elsewhere.
func newProgress(out io.Writer, learners []replay.Learner) *progress {
	p := &progress{out: out}
	if bar := cli.NewBar(out, "replaying"); bar != nil {
		names, rules := make([]string, len(learners)), make([]decision.Rule, len(learners))
		for i := range learners {
			names[i] = learners[i].Name
			if d := learners[i].Processor.Decision(); d != nil {
				rules[i] = d.Rule
			}
		}
		p.show(bar, names, rules)
	}
	return p
}

func (p *progress) show(bar *cli.Bar, names []string, rules []decision.Rule) {
	p.bar, p.table = bar, report.NewProgress(p.out, names, rules)
}

func (p *progress) row(predictions int64, reports []metrics.Report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.table != nil {
		p.bar.Clear()
		p.table.Row(predictions, reports)
	}
}

func (p *progress) moved(done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.Set(done, total)
}

// first prints what the first events hold.
func (p *progress) first(r *survey.Report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.Clear()
	printFirst(p.out, r)
}

func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.Clear()
	if p.table != nil {
		fmt.Fprintln(p.out)
	}
}
