package stops_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"rosenblatt/stream/stops"
)

// TestOfMember: the advice of a stop is one that a daemon with --standby can follow. It is refused --accept without a
// token, and what begins a model from nothing.
func TestOfMember(t *testing.T) {
	t.Parallel()
	offered := func(name, beside string) *stops.Error {
		s := &stops.Error{Name: name, What: "x", Do: "restore it; or go on with --accept " + name + "; and raise it"}
		s.Offer(beside, 1)
		return s
	}
	gone := offered(stops.InputGone, "")
	for _, c := range []struct {
		stop *stops.Error
		do   string
	}{
		{gone, "restore it; or go on with --accept " + gone.Token() + " at all daemons; and raise it; --accept " +
			gone.Token() + " accepts exactly this: it may stay in the settings, and does nothing once it is done"},
		{offered(stops.StateInvalid, stops.StateMissing), "restore it; or go on with --accept state-invalid; and" +
			" raise it; no daemon with --standby may: " + stops.OneAlone},
		{&stops.Error{Name: stops.JournalGone, Do: "start with --accept journal-gone"}, "start with --accept" +
			" journal-gone; with --standby give the token that the next start prints, at all daemons"},
		{&stops.Error{Name: stops.BadBatch, Do: "pass over it once with --skip 0:1-2"}, "pass over it once with" +
			" --skip 0:1-2; --skip is for one daemon alone: " + stops.OneAlone},
		{&stops.Error{Name: stops.OutputUnfit, Do: "name another --output"}, "name another --output"},
	} {
		before := c.stop.Do
		err := stops.OfMember(fmt.Errorf("model a: %w", c.stop))
		if of, ok := errors.AsType[*stops.Error](err); !ok || of.Do != c.do || of.Token() != c.stop.Token() {
			t.Errorf("%s: got %v\nwant %s", c.stop.Name, err, c.do)
		}
		if c.stop.Do != before {
			t.Errorf("%s: the stop itself was changed: %s", c.stop.Name, c.stop.Do)
		}
	}
	for _, err := range []error{nil, errors.New("other")} {
		if got := stops.OfMember(err); !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
}

// TestFollowDo: what to do about settings that differ where the daemon follows, with what is told of other tokens.
func TestFollowDo(t *testing.T) {
	t.Parallel()
	s := &stops.Error{Name: stops.ConfigDiffers, Do: "go back, or --accept config"}
	if s.FollowDo() != s.Do {
		t.Errorf("without a token: %s", s.FollowDo())
	}
	s.Offer("", 1)
	s.Do += "; " + stops.InVain("config:000000000000", false)
	do := s.FollowDo()
	begins := "go back to the model's settings; or, with these at all members, --accept " + s.Token() + " "
	if !strings.HasPrefix(do, begins) ||
		!strings.HasSuffix(do, "; the token config:000000000000 that was given is of another difference") {
		t.Error(do)
	}
}

// TestInVain: a token that accepts nothing is of something else, or done.
func TestInVain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		token string
		done  bool
		want  string
	}{
		{"config:a", false, "the token config:a that was given is of another difference"},
		{"config:a", true, "the token config:a that was given is of a change that is done"},
		{"input-gone:a", false, "the token input-gone:a that was given is of another loss"},
		{"input-gone:a", true, "the token input-gone:a that was given is of a loss that is done"},
	} {
		if got := stops.InVain(c.token, c.done); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	for text, want := range map[string]bool{"0123456789ab": true, "0123456789AB": false, "0123": false, "zz": false} {
		if stops.IsDigest(text) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}
