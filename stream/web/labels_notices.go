package web

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// A laterNotice is about labels that come later: it deserves attention and makes nothing unready.
type laterNotice struct {
	about string // the same as long as it is about the same
	text  string
}

// laterNotices lists what holds labels up, and what does not wait for them.
func (s *Server) laterNotices(v *view) (all []laterNotice) {
	if v.Late == nil || v.State != board.Live {
		return nil
	}
	for _, u := range v.Late.Unasked {
		all = append(all, unaskedNotice(u))
	}
	for _, h := range v.Late.Holds {
		//mutation:held-named
		if since := v.seen.holds[h.Partition]; h.Open && v.now.Sub(since) >= s.HeldAfter {
			all = append(all, laterNotice{fmt.Sprint("hold of ", h.Partition), fmt.Sprintf(
				"labels held: partition %d of the labels waits at offset %d for %v, since its event may be in an open"+
					" transaction in partition %d of the input, until a producer commits or aborts",
				h.Partition, h.Offset, v.since(since), h.Input)})
		}
	}
	//mutation:late-labels-noticed
	for i := range v.Late.TooLate {
		late := &v.Late.TooLate[i]
		found, do := late.Text(v.Late.Wait, v.Late.Examples)
		all = append(all, laterNotice{"late " + late.Label, oneLine("late labels: " + found + ": " + do)})
	}
	return append(all, v.timeNotices()...)
}

// aheadFor is how far label time may be ahead of the clock without a word.
const aheadFor = 10 * time.Second

// timeNotices are about label time.
func (v *view) timeNotices() (all []laterNotice) {
	if by := v.labelTimeAhead(); by > min(aheadFor, v.Late.Ahead/2) {
		all = append(all, laterNotice{"time ahead", fmt.Sprintf("label time is %v ahead of the clock: waiting ends as"+
			" much too early; the clock of what writes the labels is wrong, or this machine's",
			labels.Span(by.Truncate(time.Second)))})
	}
	if v.Late.Future > 0 {
		by := time.UnixMilli(v.Late.Future).Sub(v.now)
		all = append(all, laterNotice{"label ahead", fmt.Sprintf("a label's timestamp is %v ahead of the clock: it"+
			" moves label time when the clock has come within %v of it", labels.Span(by.Truncate(time.Second)),
			labels.Span(v.Late.Ahead))})
	}
	for _, t := range v.Late.Seconds {
		of := "events"
		if t == topics.Labels {
			of = "labels"
		}
		all = append(all, laterNotice{"seconds " + of, of + ": " + labels.Seconds})
	}
	return all
}

// labelTimeAhead is how far label time is ahead of the clock.
func (v *view) labelTimeAhead() time.Duration {
	//mutation:time-ahead-named
	return max(0, time.UnixMilli(v.Late.Time).Sub(v.now))
}

func unaskedNotice(u board.UnaskedPartition) laterNotice {
	why := "it does not respond"
	if u.Err != "" {
		why = u.Err
	}
	of, follows := "the input", "labels wait for its events"
	if u.Topic == topics.Labels {
		of, follows = "the labels", "events do not wait for its labels"
	}
	return laterNotice{fmt.Sprint("unasked ", u.Topic, u.Partition), oneLine(fmt.Sprintf(
		"unasked: the leader of partition %d of %s does not tell where it ends (%s): %s", u.Partition, of, why,
		follows))}
}

// logLater logs once what is new, and once that it is over. It returns what was logged last.
func (s *Server) logLater(v *view, logged map[string]string) map[string]string {
	if v.State != board.Live {
		return logged
	}
	now := map[string]string{}
	for _, n := range v.later {
		now[n.about] = n.text
		if _, before := logged[n.about]; !before {
			s.Log.Warn().Msg(n.text)
		}
	}
	for _, about := range slices.Sorted(maps.Keys(logged)) {
		if _, still := now[about]; !still {
			s.Log.Info().Str("was", logged[about]).Msg("labels: over")
		}
	}
	return now
}

// holdWatch finds since when labels wait for events.
type holdWatch map[int32]heldLabel

type heldLabel struct {
	offset int64
	since  time.Time
}

// add returns since when the label of each partition that waits has waited.
func (w *holdWatch) add(st *board.Status, now time.Time) map[int32]time.Time {
	was, since := *w, map[int32]time.Time{}
	*w = holdWatch{}
	if st.Late == nil || st.State != board.Live {
		return nil
	}
	for _, h := range st.Late.Holds {
		label, known := was[h.Partition]
		if !known || label.offset != h.Offset {
			label = heldLabel{h.Offset, now}
		}
		(*w)[h.Partition], since[h.Partition] = label, label.since
	}
	return since
}
