package web

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"rosenblatt/stream"
)

type view struct {
	*stream.Status
	now          time.Time
	seen         rates
	trouble      string // with the brokers
	troubleSince time.Time
	reasons      []string // why the task is not ready; empty if it is
	summary      *summaryBody
}

func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	v := s.look()
	if len(v.reasons) == 0 {
		text(w, http.StatusOK, "ready\n")
		return
	}
	text(w, http.StatusServiceUnavailable, strings.Join(v.reasons, "\n")+"\n")
}

// unready lists the reasons, one line each.
func (s *Server) unready(v *view) (reasons []string) {
	add := func(format string, args ...any) {
		reasons = append(reasons, oneLine(fmt.Sprintf(format, args...)))
	}
	switch v.State {
	case stream.Live:
	case stream.Recovering:
		add("recovering: %d predictions learned again, %d of %d offsets of the journal read", v.Recovered.Predictions,
			v.Recovered.Done, v.Recovered.Total)
	default:
		add("%s", v.State)
	}
	if v.trouble != "" && v.now.Sub(v.troubleSince) > s.TroubleAfter {
		add("brokers in trouble for %v: %s", v.since(v.troubleSince), v.trouble)
	}
	if still := v.seen.stalledSince; !still.IsZero() && v.now.Sub(still) >= s.StallAfter {
		add("input stalled: the lag is %d records and no position has advanced for %v (%s)", v.Lag(), v.since(still),
			behind(v.Status))
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

func (v *view) since(t time.Time) time.Duration { return v.now.Sub(t).Truncate(time.Second) }

// behind names up to three partitions that have a lag.
func behind(st *stream.Status) string {
	var b strings.Builder
	n := 0
	for _, p := range st.Partitions {
		if p.Lag() == 0 {
			continue
		}
		if n++; n > 3 {
			b.WriteString(", ...")
			break
		}
		if n > 1 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "partition %d at %d of %d", p.Partition, p.Position, p.End)
	}
	return b.String()
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
