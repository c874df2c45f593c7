package web

import (
	"fmt"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/labels"
)

// predictsBody is who predicts, of a task that daemons share.
type predictsBody struct {
	Instance string  `json:"instance,omitempty"` // that has the model; absent: nobody has, or that is not known
	Own      bool    `json:"own,omitempty"`      // this daemon
	For      float64 `json:"for_s,omitempty"`    // it predicts for so long; absent: it does not, or that is not known
	Silent   float64 `json:"silent_s,omitempty"` // nobody has predicted for so long, while events wait
	// Followers are how many daemons follow the model, and Able how many of them may take it over at once, as of the
	// last time that a daemon came, went or fell behind.
	Followers int    `json:"followers"`
	Able      int    `json:"able"`
	Text      string `json:"text"`
}

// predicts says who predicts; nil where the task is not shared.
func (v *view) predicts() *predictsBody {
	x := v.Shared
	if x == nil {
		return nil
	}
	b := &predictsBody{Instance: x.Owner, Own: x.Own, Followers: x.Followers, Able: x.Able}
	var since time.Time
	switch {
	case v.State == board.Live:
		since = v.LiveSince
		b.Text = v.ownText(since)
	case x.Lost:
		b.Text = "this daemon does not have the model any more; who has it is not known yet"
	case x.Owner == "":
		b.Text = "nobody has the model, as far as this daemon knows"
	case x.Own:
		b.Text = v.ownText(since)
	default:
		since = v.othersSince()
		b.Text = v.othersText(since)
	}
	if !since.IsZero() {
		b.For = max(0, v.now.Sub(since).Seconds())
	}
	if s := v.Silence; s != nil && (s.For >= board.SilentAfter || x.Asked) {
		b.For, b.Silent = 0, s.For.Seconds()
		b.Text = fmt.Sprintf("nobody predicts for %v: offset %d of partition %d waits; %s",
			labels.Span(s.For.Round(time.Second)), s.Offset, s.Partition, v.doneAbout(s))
	}
	return b
}

// at is a moment and how long ago it was, for people; empty if it is not known.
func (v *view) at(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return fmt.Sprintf(" since %s (%v)", t.UTC().Format(time.RFC3339), v.since(t))
}

// followers says how many daemons can go on.
func (v *view) followers() string {
	switch x := v.Shared; {
	case x.Followers == 0:
		return "; nobody follows"
	case x.Able < x.Followers:
		return fmt.Sprintf("; %d follow, %d of them can take over now", x.Followers, x.Able)
	default:
		return fmt.Sprintf("; %d follow", x.Followers)
	}
}

// ownText says what this daemon does with a model that it has.
func (v *view) ownText(since time.Time) string {
	x := v.Shared
	switch {
	case v.State == board.Live && !x.Own && x.Owner != "":
		return "this daemon predicts until " + x.Owner + " has taken over"
	case v.State == board.Live:
		return "this daemon predicts" + v.at(since) + v.followers()
	case v.TakingOver:
		return "this daemon takes over"
	//mutation:ends-and-takes-over
	case v.State == board.Stopping:
		return "this daemon predicts no more"
	case v.State == board.Stopped:
		return "this daemon has the model, and has stopped"
	case v.State == board.Recovering:
		return "this daemon has the model, and recovers"
	}
	return "this daemon is to take over"
}

// othersSince is since when another daemon predicts: as that has told, or as this one has seen in the journal; zero:
// neither.
func (v *view) othersSince() time.Time {
	x := v.Shared
	//mutation:seen-to-predict
	if x.Since.IsZero() && v.Writer.At.After(x.Given) {
		return v.Writer.At
	}
	return x.Since
}

// othersText says what is known of another daemon that has the model.
func (v *view) othersText(since time.Time) string {
	x := v.Shared
	switch {
	//mutation:idle-sees-nothing
	case v.State == board.Idle:
		return fmt.Sprintf("%s has the model%s; an idle daemon does not see whether it predicts", x.Owner,
			v.at(x.Given))
	case since.IsZero():
		return fmt.Sprintf("%s has the model%s, and has not been seen to predict", x.Owner, v.at(x.Given))
	}
	text := x.Owner + " predicts" + v.at(since)
	//mutation:as-far-as-seen
	if x.Since.IsZero() { // it may have begun before this daemon came
		text += ", as far as this daemon has seen"
	}
	return text
}

// doneAbout says what is done about a time without predictions.
func (v *view) doneAbout(s *board.Silence) string {
	x, asked := v.Shared, v.Suspicion
	switch {
	case v.TakingOver:
		return "this daemon takes over"
	case x.Own:
		return v.ownText(time.Time{})
	case x.Asked:
		return "suspected: " + x.Owner + " is asked whether it is alive"
	}
	text := x.Owner + " has the model"
	switch {
	case x.Lost:
		text = "this daemon does not have the model any more"
	case x.Owner == "":
		text = "nobody has the model"
	//mutation:to-take-over
	case x.Given.After(s.Since):
		return x.Owner + " is to take over"
	case asked != nil && !asked.At.Before(s.Since):
		text = x.Owner + " was asked, and is alive"
	}
	if x.Awaits != "" {
		text += "; " + x.Awaits
	}
	return text
}

// silent says that nobody predicts; empty where somebody does.
func (v *view) silent() string {
	if p := v.predicts(); p != nil && p.Silent > 0 {
		return p.Text
	}
	return ""
}
