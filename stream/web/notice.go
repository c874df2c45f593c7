package web

import (
	"fmt"
	"time"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
)

// When it is said that events have no label, or not the field of --by.
const (
	unlabelledMost  = 100              // predictions in a row, or events
	unlabelledAfter = 10 * time.Minute // since the first of them, where there were labels before
)

// unlabelled says that nothing is learned for want of labels; empty while there are some.
func unlabelled(v *view) string {
	since := v.seen.unlabelledSince
	switch {
	case since.IsZero() || v.seen.unlabelled < unlabelledMost:
		return ""
	case v.Score.Examples > 0 && v.now.Sub(since) < unlabelledAfter:
		return ""
	case v.Score.Examples > 0:
		return fmt.Sprintf("nothing is learned: no event had a label for %v, %d in a row", v.since(since),
			v.seen.unlabelled)
	}
	text := fmt.Sprintf("nothing is learned: none of %d events had a label", v.Counts.Predictions)
	if field := v.Config.Decode.LabelField; field != "" {
		text += fmt.Sprintf(" in the field %q; --label-field NAME names it", field)
	}
	return oneLine(text)
}

// notices lists what is most likely a mistake although the task works.
func (v *view) notices() (out []string) {
	if silent := v.silent(); silent != "" {
		out = append(out, silent)
	}
	if v.unlabelled != "" {
		out = append(out, v.unlabelled)
	}
	if unheard := v.unheard(); unheard != "" {
		out = append(out, unheard)
	}
	if stalled := v.stalledLabels(); stalled != "" {
		out = append(out, stalled)
	}
	if name := v.Promoting; name != "" {
		out = append(out, oneLine("the promotion of "+name+" waits for the next prediction or outcome"))
	}
	for _, n := range v.later {
		out = append(out, n.text)
	}
	out = append(out, v.throttled()...)
	if text := v.drifted(); text != "" {
		out = append(out, text)
	}
	out = append(out, v.changedFields()...)
	for _, field := range metrics.Unseen(v.Slices) {
		if field.Examples() >= unlabelledMost {
			out = append(out, oneLine(field.UnseenText()))
		}
	}
	if v.First != nil {
		for _, w := range v.First.Warnings {
			if w.Field == "" { // the others are shown with the fields
				out = append(out, oneLine(w.Text))
			}
		}
	}
	return out
}

// logUnlabelled logs once that events have no label, and once that they have again. It returns what was logged last.
func (s *Server) logUnlabelled(v *view, logged bool) bool {
	switch {
	case v.State != board.Live || (v.unlabelled != "") == logged:
		return logged
	case logged:
		s.Log.Info().Msg("events have labels again")
	default:
		s.Log.Warn().Msg(v.unlabelled)
	}
	return !logged
}

// listed reports whether the ends of the input, to which lag is measured, were listed of late.
func (s *Server) listed(v *view) bool {
	if v.State == board.Stopped {
		return false
	}
	if v.EndsAt.IsZero() { // they are those of the takeover
		return v.trouble == "" || v.now.Sub(v.troubleSince) <= s.TroubleAfter
	}
	return v.now.Sub(v.EndsAt) <= s.TroubleAfter
}
