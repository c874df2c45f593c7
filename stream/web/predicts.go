package web

import (
	"fmt"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/labels"
)

// predictsBody is who predicts, of a task that daemons share.
type predictsBody struct {
	Instance string  `json:"instance,omitempty"` // of the daemon; absent: nobody has the model, or that is not known
	Own      bool    `json:"own,omitempty"`      // this daemon
	For      float64 `json:"for_s,omitempty"`    // for so long
	Silent   float64 `json:"silent_s,omitempty"` // nobody has predicted for so long, while events wait
	Text     string  `json:"text"`
}

// silentAfter is the time without predictions that is shown.
const silentAfter = time.Second

// predicts says who predicts; nil where the task is not shared.
func (v *view) predicts() *predictsBody {
	x := v.Shared
	if x == nil {
		return nil
	}
	b := &predictsBody{Instance: x.Predicts, Own: x.Own}
	name := x.Predicts
	switch {
	case name == "":
		name = "nobody"
		b.Text = "nobody has the model, as far as this daemon knows"
	case x.Own:
		name = "this daemon"
		fallthrough
	default:
		b.For = max(0, v.now.Sub(x.Since).Seconds())
		b.Text = fmt.Sprintf("%s predicts since %s (%v)", name, x.Since.UTC().Format(time.RFC3339), v.since(x.Since))
		if x.Own && v.State != board.Live {
			b.Text = "this daemon takes over"
		}
	}
	if s := v.Silence; s != nil && s.For >= silentAfter || s != nil && x.Asked {
		b.Silent = s.For.Seconds()
		b.Text = fmt.Sprintf("nobody predicts since %v: offset %d of partition %d waits; %s",
			labels.Span(s.For.Round(time.Second)), s.Offset, s.Partition, v.suspected(name))
	}
	return b
}

// suspected says what is done about a time without predictions.
func (v *view) suspected(name string) string {
	x, asked := v.Shared, v.Suspicion
	switch {
	case x.Own:
		return "suspected, this daemon takes over"
	case x.Asked:
		return "suspected: " + name + " is asked whether it is alive"
	case asked != nil && !asked.At.Before(v.Silence.Since):
		return name + " was asked, and is alive"
	}
	return name + " has the model"
}

// silent says that nobody predicts; empty where somebody does.
func (v *view) silent() string {
	if p := v.predicts(); p != nil && p.Silent > 0 {
		return p.Text
	}
	return ""
}
