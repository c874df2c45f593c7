package web

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/labels"
)

// mostBehind is how far a follower may be behind to be ready to take over.
const mostBehind = 10 * time.Second

// allRejected is how many events, or labels, in a row are rejected before the task is not ready.
const allRejected = 100

type view struct {
	*board.Status
	now          time.Time
	seen         rates
	trouble      string // with the brokers
	troubleSince time.Time
	throttles    []kafka.Throttle
	reasons      []string // why the task is not ready; empty if it is
	later        []laterNotice
	unlabelled   string // that nothing is learned for want of labels; empty while there are some
	lagKnown     bool   // the ends of the input were listed of late
	summary      *summaryBody
}

// readyz tells in further lines what labels that come later wait for: that makes nothing unready.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	v := s.look()
	code, lines := http.StatusOK, []string{"ready"}
	if len(v.reasons) > 0 {
		code, lines = http.StatusServiceUnavailable, v.reasons
	}
	if stalled := v.stalledLabels(); stalled != "" {
		lines = append(lines, stalled)
	}
	lines = append(lines, v.throttled()...)
	for _, n := range v.later {
		lines = append(lines, n.text)
	}
	text(w, code, strings.Join(lines, "\n")+"\n")
}

// unready lists the reasons, one line each.
func (s *Server) unready(v *view) (reasons []string) {
	add := func(format string, args ...any) {
		reasons = append(reasons, oneLine(fmt.Sprintf(format, args...)))
	}
	//mutation:stopped-unready
	if v.State == board.Stopped {
		add("stopped with %s: %s. To do: %s", v.Stop.Name, v.Stop.What, v.Stop.Do)
		return reasons // others would be about what was then
	}
	v.unreadyState(add)
	if v.trouble != "" && v.now.Sub(v.troubleSince) > s.TroubleAfter {
		add("brokers in trouble for %v: %s", v.since(v.troubleSince), v.trouble)
	}
	if still := v.seen.stalledSince; !still.IsZero() && v.now.Sub(still) >= s.StallAfter {
		records, where := behind(v.Status)
		add("input stalled: %d records wait and no position has advanced for %v (%s)", records, v.since(still), where)
	}
	if waits := v.awaitsRegistry(); waits != "" {
		add("%s", waits)
	}
	if held := s.held(v); held != "" {
		add("%s", held)
	}
	//mutation:predictions-late
	if late := v.seen.lateSince; !late.IsZero() && v.now.Sub(late) >= s.LateAfter {
		add("predictions are late: %d wait for the brokers' acknowledgement, the oldest for %v", v.Unacknowledged,
			v.since(late))
	}
	//mutation:all-rejected
	if r := &v.Rejects; r.InRow >= allRejected {
		add("all rejected: the last %d events, the newest as %s: %s", r.InRow, r.Last, r.Advice)
	}
	//mutation:all-labels-rejected
	if late := v.Late; late != nil && late.Rejects.InRow >= allRejected {
		r := &late.Rejects
		add("all rejected: the last %d labels, the newest as %s: %s", r.InRow, r.Last, r.Advice)
	}
	late := max(s.CheckpointAfter, 100*v.Saved.Duration)
	if v.SaveError != "" {
		add("the last checkpoint failed: %s", v.SaveError)
	} else if waits := v.seen.unsavedSince; !waits.IsZero() && v.now.Sub(waits) >= late {
		add("checkpoint overdue: predictions are unsaved for %v, the newest checkpoint has seq %d, the model %d",
			v.since(waits), v.Saved.Seq, v.Seq)
	}
	return reasons
}

// unreadyState adds the reasons of a task that is not live.
func (v *view) unreadyState(add func(format string, args ...any)) {
	switch v.State {
	case board.Live:
	case board.Idle:
		//mutation:refused-unready
		if v.Refused != "" {
			add("refused by the daemons that share the model: %s", v.Refused)
		}
	case board.Following:
		//mutation:follower-behind
		if v.behind() > mostBehind {
			add("following, and %v behind the journal", v.since(v.FollowedAt))
		}
		//mutation:differs-unready
		if v.Differs != "" {
			add("following, and not to take over: %s", v.Differs)
		}
		//mutation:unread-unready
		if v.Unread != "" {
			add("following, but %s", v.Unread)
		}
	case board.Recovering:
		//mutation:subject-unready
		if v.Recovered.NoSchema != "" {
			add("no schema for the events, so nothing is predicted: %s", oneLine(v.Recovered.NoSchema))
			return
		}
		what := "recovering"
		//mutation:reload-told
		if v.Reloading {
			what = "loading the newest checkpoint again, as a follower does when another daemon has taken over"
		}
		add("%s: %d predictions learned again, %d of %d offsets of the journal read", what, v.Recovered.Predictions,
			v.Recovered.Done, v.Recovered.Total)
	default:
		add("%s", v.State)
	}
}

// behind is how far a follower is behind the journal.
func (v *view) behind() time.Duration {
	if v.State != board.Following {
		return 0
	}
	return max(0, v.now.Sub(v.FollowedAt))
}

// held describes the open transactions that hold back input for long; empty without one.
func (s *Server) held(v *view) string {
	offsets, longest, where := v.heldBack(s.HeldAfter)
	if offsets == 0 {
		return ""
	}
	return fmt.Sprintf("open transaction: %d offsets of the input wait behind the last stable offset for %v (%s),"+
		" until a producer commits or aborts", offsets, labels.Span(longest.Truncate(time.Second)), where)
}

// logHeld logs once that open transactions hold back input, and once that none does any more. Before a listing of the
// ends, as in a recovery, nothing is known. It returns what was logged last.
func (s *Server) logHeld(v *view, logged bool) bool {
	text := s.held(v)
	switch {
	case v.State != board.Live || v.EndsAt.IsZero() || (text != "") == logged:
		return logged
	case logged:
		s.Log.Info().Msg("no open transaction holds back the input any more")
	default:
		s.Log.Warn().Msg(text)
	}
	return !logged
}

// since is how long something has lasted, for people.
func (v *view) since(t time.Time) string { return labels.Span(v.now.Sub(t).Truncate(time.Second)) }

// behind counts the records that can be read, and names partitions that have some.
func behind(st *board.Status) (records int64, where string) {
	var names []string
	for _, p := range st.Partitions {
		if n := p.Readable(); n > 0 {
			records += n
			names = append(names, fmt.Sprintf("partition %d at %d of %d", p.Partition, p.Position, p.End))
		}
	}
	return records, some(names)
}

// heldBack counts the offsets that transactions hold back for longer than a time, and names partitions.
func (v *view) heldBack(after time.Duration) (offsets int64, longest time.Duration, where string) {
	var names []string
	for i, o := range v.seen.open {
		if p := v.Partitions[i]; !o.since.IsZero() && o.duration() >= after {
			offsets, longest = offsets+p.StableLag, max(longest, o.duration())
			names = append(names, fmt.Sprintf("partition %d at %d of %d", p.Partition, p.End, p.End+p.StableLag))
		}
	}
	return offsets, longest, some(names)
}

// some lists up to three names.
func some(names []string) string {
	if len(names) > 3 {
		names = append(names[:3], "...")
	}
	return strings.Join(names, ", ")
}

// oneLine replaces controls, so that a foreign text cannot pass for several reasons.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}
