package model

import (
	"testing"

	"rosenblatt/stream/stops"
)

// TestRuleSince: figures are of several rules where an operator accepted another one, and only there.
func TestRuleSince(t *testing.T) {
	const found = "the checkpoint's configuration differs: "
	for _, c := range []struct {
		name, what string
		want       int64
	}{
		{stops.ConfigDiffers, found + `decide was absent, is "cost=fp:1,fn:20"`, 7},
		{stops.ConfigDiffers, found + `calibrate was absent, is "platt"; decide was absent, is "recall=0.8"`, 7},
		{stops.ConfigDiffers, found + `learner.rate was 1, is 2`, 0},
		{stops.ConfigDiffers, found + `challengers.a.decide was absent, is "sign"`, 0},
		{stops.InputGone, found + `decide was absent`, 0},
	} {
		all := []Acceptance{{Name: c.name, What: c.what, Seq: 7},
			{Name: stops.ConfigDiffers, What: found + "x", Seq: 9}}
		if got := RuleSince(all); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
