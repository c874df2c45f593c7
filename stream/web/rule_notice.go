package web

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
)

// withoutPositives reports whether there is a rule of --decide, and none of the last 10,000 examples was positive. The
// rule then learns nothing of what it is for: the label is another one than was said, or it does not come.
func withoutPositives(st *board.Status) bool {
	if st.Decision == nil || st.Decision.Rule.Kind == decision.Sign {
		return false
	}
	c := &st.Score.Last10000.Confusion
	//mutation:rule-without-positives
	return c.TrueNegative+c.FalsePositive >= metrics.LongWindow
}

// unheard says so; empty where it is not so.
func (v *view) unheard() string {
	if !withoutPositives(v.Status) {
		return ""
	}
	text := fmt.Sprintf("--decide %v learns nothing: none of the last %s examples was %s", v.Decision.Rule,
		humanize.Comma(metrics.LongWindow), spelled(v.Labels[1]))
	if v.Decision.Waits {
		text += "; it waits for some, and predicts by the sign of the score"
	}
	return oneLine(text)
}

// logUnheard logs once that a rule has no positive label, and once that it has one again. It returns what was logged
// last.
func (s *Server) logUnheard(v *view, logged bool) bool {
	text := v.unheard()
	switch {
	case v.State != board.Live || (text != "") == logged:
		return logged
	case logged:
		s.Log.Info().Msgf("an example was %s again", spelled(v.Labels[1]))
	default:
		s.Log.Warn().Msg(text)
	}
	return !logged
}
