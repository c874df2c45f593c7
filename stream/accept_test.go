package stream_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"rosenblatt/stream"
	"rosenblatt/stream/model"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

var acceptsExactly = regexp.MustCompile(`--accept (\S+) accepts exactly this`)

// tokensOf runs the task, which has to stop, and returns the tokens that the stop prints.
func tokensOf(t *testing.T, s *streamtest.Setup, name string) []string {
	t.Helper()
	_, err := s.Run(t)
	if !stops.Is(err, name) {
		t.Fatalf("run with %v: %v, want the stop %s", s.Config.Accept, err, name)
	}
	found := acceptsExactly.FindStringSubmatch(err.Error())
	if found == nil {
		t.Fatalf("no token: %v", err)
	}
	return strings.Split(found[1], ",")
}

// advised follows the advice of a stop: other tokens of its name pass nothing; with those that it prints a start goes
// on, and so does the next one, which accepts nothing. The tokens stay in the settings.
func advised(t *testing.T, s *streamtest.Setup, name string) {
	t.Helper()
	tokens := tokensOf(t, s, name)
	for _, token := range tokens {
		of, _, _ := strings.Cut(token, ":")
		s.Config.Accept = append(s.Config.Accept, of+":000000000000")
	}
	if again := tokensOf(t, s, name); strings.Join(again, ",") != strings.Join(tokens, ",") {
		t.Errorf("the tokens %v became %v", tokens, again)
	}
	s.Config.Accept = tokens
	task := s.MustRun(t)
	all := task.Status().Accepted
	if !model.IsDone(all, tokens[len(tokens)-1]) {
		t.Errorf("with %v it accepted %+v", tokens, all)
	}
	if again := s.MustRun(t).Status().Accepted; len(again) != len(all) {
		t.Errorf("the next start accepted %+v", again[len(all):])
	}
}

// TestAcceptTokens: each stop prints the token of what is given up, of all its partitions together. It accepts that
// alone, whatever retention removes meanwhile, and not the next one of its name.
func TestAcceptTokens(t *testing.T) {
	t.Parallel()
	for name, provoke := range map[string]func(t *testing.T, s *streamtest.Setup){
		stops.ConfigDiffers: func(_ *testing.T, s *streamtest.Setup) {
			s.Config.ModelConfig.Learner.Threshold += 0.5
		},
		stops.InputGone: func(t *testing.T, s *streamtest.Setup) {
			for p, b := range boundsOf(t, s).Input.Partitions {
				s.Cluster.Produce(t, s.Name, p, events(7, 100)...)
				s.Cluster.DeleteRecords(t, s.Name, int32(p), b.End+10)
			}
		},
		stops.TopicChanged: func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.Recreate(t, s.Name, 2)
			s.Cluster.Produce(t, s.Name, 0, events(9, 500)...)
		},
		stops.StateMissing: func(t *testing.T, s *streamtest.Setup) { s.Dir = t.TempDir() },
		stops.StateInvalid: func(t *testing.T, s *streamtest.Setup) {
			for _, f := range checkpoints(t, s) {
				flip(t, f)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := half(t, 2)
			provoke(t, s)
			advised(t, s, name)
			provoke(t, s)
			tokensOf(t, s, name) // those from before are in the settings
		})
	}
}

// TestAcceptTokensOfTheJournal: likewise for what was written and is gone.
func TestAcceptTokensOfTheJournal(t *testing.T) {
	t.Parallel()
	for _, name := range []string{stops.JournalGone, stops.DeadLettersGone} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, old := half(t, 1)
			again := copied(t, old)
			s.Dir = old
			ends, topic, to := boundsOf(t, s), s.Output(), int64(300)
			if name == stops.DeadLettersGone {
				topic, to = s.DeadLetters(), ends.DeadLetters.Partitions[0].End
			}
			s.Cluster.DeleteRecords(t, topic, 0, to)
			advised(t, s, name)
			s.Dir = again // of the same checkpoint the same is given up
			s.MustRun(t)
		})
	}
}

// TestRetentionMovesOn: a token holds though more of the same partition was deleted since it was printed.
func TestRetentionMovesOn(t *testing.T) {
	t.Parallel()
	s, old := half(t, 2)
	s.Dir = old
	s.Cluster.DeleteRecords(t, s.Name, 0, 250)
	s.Config.Accept = tokensOf(t, s, stops.InputGone)
	s.Cluster.DeleteRecords(t, s.Name, 0, 300)
	other := copied(t, old)
	s.MustRun(t)
	s.Dir = other
	s.Cluster.DeleteRecords(t, s.Name, 1, 250) // of another partition nothing was accepted
	if again := tokensOf(t, s, stops.InputGone); again[0] == s.Config.Accept[0] {
		t.Error(again)
	}
}

// TestConfigThereAndBack: settings that were accepted, taken back, and are to come again have another token each time.
func TestConfigThereAndBack(t *testing.T) {
	t.Parallel()
	s, _ := half(t, 1)
	seen := map[string]bool{}
	for round := range 4 {
		s.Config.ModelConfig.Learner.Threshold = 0.5 * float64((round+1)%2)
		token := tokensOf(t, s, stops.ConfigDiffers)[0]
		if seen[token] {
			t.Errorf("round %d has the token of an earlier one", round)
		}
		seen[token] = true
		s.Config.Accept = append(s.Config.Accept, token) // beside those that are done
		if n := len(s.MustRun(t).Status().Accepted); n != round+1 {
			t.Errorf("%d were accepted in round %d", n, round)
		}
	}
	s.Audit(t)
}

// TestPermanentHasNoToken: what never changes under a state cannot be accepted.
func TestPermanentHasNoToken(t *testing.T) {
	t.Parallel()
	s, _ := half(t, 1)
	s.Config.ModelConfig.Learner.Bits, s.Config.ModelConfig.Decode.Bits = 13, 13
	if _, err := s.Run(t); !stops.Is(err, stops.ConfigDiffers) || strings.Contains(err.Error(), "--accept") {
		t.Error(err)
	}
}

// TestAcceptTokenOfSchemas: of the schemas that the registry has now. When it is done, no start waits for a registry.
func TestAcceptTokenOfSchemas(t *testing.T) {
	t.Parallel()
	r := registryOf(1, 2)
	s := avroSetup(t, 1, r)
	s.Cluster.Produce(t, s.Name, 0, append(avroEvents(1, 0, 40), avroEvents(2, 40, 10)...)...)
	s.MustRun(t)
	stopped := func() string {
		t.Helper()
		s.Config.UntilEnd = false
		defer func() { s.Config.UntilEnd = true }()
		return tokensOf(t, s, stops.SchemaChanged)[0]
	}
	r.set(map[uint32]*schema.Schema{1: ySchema("other"), 2: xSchema("e2")})
	first := stopped()
	s.Config.Accept = []string{first}
	r.set(map[uint32]*schema.Schema{1: ySchema("other"), 2: ySchema("other")})
	if st := s.MustRun(t).Status(); len(st.Accepted) != 0 {
		t.Fatalf("it accepted %+v", st.Accepted)
	}
	if stopped() == first {
		t.Error("the token holds for more than it was printed for")
	}
	r.set(map[uint32]*schema.Schema{1: ySchema("other"), 2: xSchema("e2")})
	s.Cluster.Produce(t, s.Name, 0, yEvents(1, 0, 30)...)
	if st := s.MustRun(t).Status(); len(st.Accepted) != 1 || st.Accepted[0].Token != first {
		t.Fatalf("%+v", st.Accepted)
	}
	compared := func() int {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.compared)
	}
	before, adjust := compared(), s.Adjust
	s.Adjust = func(task *stream.Task) {
		adjust(task)
		task.Journal = &hookJournal{Journal: task.Journal, takeover: func(context.Context, int) error {
			if compared() != before {
				t.Error("the registry was asked for what is done")
			}
			return nil
		}}
	}
	s.MustRun(t)
	auditNamed(t, s)
}
