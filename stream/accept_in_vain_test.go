package stream_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
)

const (
	otherConfig = "config:000000000000"
	otherLoss   = "input-gone:000000000000"
)

// TestTokensInVain: a stop says of a token of its name that was given that it is of something else, or done. Where
// nothing stops, the log says so once, and warns of nothing.
func TestTokensInVain(t *testing.T) {
	t.Parallel()
	s, _ := half(t, 1)
	s.Config.ModelConfig.Learner.Threshold = 0.5
	s.Config.Accept = []string{otherConfig, otherLoss}
	_, err := s.Run(t)
	if !stops.Is(err, stops.ConfigDiffers) || !strings.HasSuffix(err.Error(), stops.InVain(otherConfig, false)) {
		t.Fatalf("the stop says %v", err)
	}
	token := tokensOf(t, s, stops.ConfigDiffers)[0]
	s.Config.Accept = []string{token}
	s.MustRun(t)

	s.Config.Accept = []string{token, otherConfig, otherLoss}
	log := new(bytes.Buffer)
	s.Log = zerolog.New(log)
	s.MustRun(t)
	for _, text := range []string{stops.InVain(token, true), stops.InVain(otherConfig, false),
		stops.InVain(otherLoss, false)} {
		if n := strings.Count(log.String(), `{"level":"info","message":"`+text+`"}`); n != 1 {
			t.Errorf("%d times in the log: %s\n%s", n, text, log)
		}
	}
	if strings.Contains(log.String(), `"level":"warn"`) {
		t.Errorf("the log warns: %s", log)
	}

	s.Config.ModelConfig.Learner.Threshold = 0.25
	if _, err := s.Run(t); err == nil || !strings.Contains(err.Error(), stops.InVain(token, true)) {
		t.Errorf("the stop says %v", err)
	}
}

// TestMemberTokensInVain: a follower with other settings says so where it prints the token of the difference.
func TestMemberTokensInVain(t *testing.T) {
	t.Parallel()
	s, _ := liveMember(t)
	other := *s
	other.Config.ModelConfig.Learner.Rate, other.Config.Accept = 0.25, []string{otherConfig}
	b := member(t, &other, t.TempDir())
	b.await(t, board.Following, 50)
	d := b.Status().Differs
	if !strings.Contains(d, stops.InVain(otherConfig, false)) || !acceptsExactly.MatchString(d) {
		t.Errorf("it differs by %q", d)
	}
}
