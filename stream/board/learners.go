package board

import (
	"time"

	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
)

// reportsEvery is how often the figures of challengers are computed: each sorts its last 10,000 scores.
const reportsEvery = time.Second

// learners are what the status has of challengers, by the owner of the state.
type learners struct {
	reports   []model.LearnerReport
	at        time.Time
	champion  string
	suspended map[string]string // what was logged
}

// of returns the reports of all learners, which may be a second old, and logs what was suspended.
func (l *learners) of(b *Board, st *state.State, last bool) []model.LearnerReport {
	if len(st.Fixed.Challengers) == 0 {
		return nil
	}
	for name, why := range st.Proc.Suspended() {
		if l.suspended[name] == why {
			continue
		}
		if l.suspended == nil {
			l.suspended = map[string]string{}
		}
		l.suspended[name] = why
		b.log.Warn().Str("challenger", name).Str("why", why).
			Msg("a challenger has stopped learning; nothing else has changed")
	}
	champion := st.Proc.Champion()
	if last || champion != l.champion || time.Since(l.at) >= reportsEvery {
		l.reports, l.at, l.champion = st.Proc.Reports(&st.Fixed), time.Now(), champion
	}
	return l.reports
}
