package stream_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/board"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// loss is a stop that members may accept by its token.
type loss struct {
	name  string
	make  func(t *testing.T) *streamtest.Setup    // a model that nobody runs
	cause func(t *testing.T, s *streamtest.Setup) // something is lost
	again bool                                    // and then something else of the same name
}

// memberLosses are all of them: the others are refused before a member starts (TestResolveFaults).
func memberLosses() []loss {
	two := func(t *testing.T) *streamtest.Setup { s, _ := half(t, 2); return s }
	behind := func(t *testing.T) *streamtest.Setup { s, old := half(t, 1); s.Dir = old; return s }
	r := registryOf(1, 2)
	return []loss{
		{stops.ConfigDiffers, two,
			func(_ *testing.T, s *streamtest.Setup) { s.Config.ModelConfig.Learner.Threshold += 0.5 },
			true},
		{stops.InputGone, two, func(t *testing.T, s *streamtest.Setup) {
			for p, b := range boundsOf(t, s).Input.Partitions {
				s.Cluster.Produce(t, s.Name, p, events(7, 100)...)
				s.Cluster.DeleteRecords(t, s.Name, int32(p), b.End+10)
			}
		}, true},
		{stops.TopicChanged, two, func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.Recreate(t, s.Name, 2)
			s.Cluster.Produce(t, s.Name, 0, events(9, 500)...)
		}, true},
		{stops.BeyondEnd, two, func(t *testing.T, s *streamtest.Setup) { beyond(t, s) }, true},
		{stops.JournalGone, behind, func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.DeleteRecords(t, s.Output(), 0, 300)
		}, false},
		{stops.DeadLettersGone, behind, func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.DeleteRecords(t, s.DeadLetters(), 0, boundsOf(t, s).DeadLetters.Partitions[0].End)
		}, false},
		{stops.SchemaChanged, func(t *testing.T) *streamtest.Setup {
			s := avroSetup(t, 1, r)
			s.Cluster.Produce(t, s.Name, 0, append(avroEvents(1, 0, 40), avroEvents(2, 40, 10)...)...)
			s.MustRun(t)
			return s
		}, func(*testing.T, *streamtest.Setup) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.known = map[uint32]*schema.Schema{1: ySchema("other"), 2: xSchema("e2")}
		}, false},
	}
}

// beyond makes the newest checkpoint one whose input had more records: no broker here cuts a log.
func beyond(t *testing.T, s *streamtest.Setup) {
	t.Helper()
	store := &checkpoint.Store{Dir: filepath.Join(s.Dir, s.Name)}
	files, err := store.Files()
	if err != nil {
		t.Fatal(err)
	}
	f, err := checkpoint.Open(nil, files[0])
	if err != nil {
		t.Fatal(err)
	}
	var sections []checkpoint.Section
	for _, c := range f.Sections {
		sections = append(sections, checkpoint.Bytes(c.Name, c.Data))
	}
	position := regexp.MustCompile(`"positions":\[(\d+)`).FindSubmatch(f.Header)
	header := strings.Replace(string(f.Header), string(position[0]), string(position[0])+"0", 1) // ten times as many
	if _, err := store.Save(f.Seq, []byte(header), sections, checkpoint.Base{}); err != nil {
		t.Fatal(err)
	}
}

// memberToken runs a member, which has to stop, or to follow under other settings, and returns the token that it tells.
func memberToken(t *testing.T, s *streamtest.Setup, name, dir string) string {
	t.Helper()
	m := member(t, s, dir)
	m.rounds <- 1
	what := ""
	streamtest.Await(t, "it tells what is lost", func() bool {
		select {
		case err := <-m.ended:
			if !stops.Is(err, name) {
				t.Fatalf("the member ended with %v, want %s", err, name)
			}
			what = err.Error()
		default:
			what = m.Status().Differs
		}
		return what != ""
	})
	m.stop()
	if regexp.MustCompile("--accept " + name + `[^:]`).MatchString(what) {
		t.Errorf("a member may not accept without a token: %s", what)
	}
	tokens := acceptsExactly.FindStringSubmatch(what)
	if tokens == nil || !strings.HasPrefix(tokens[1], name+":") {
		t.Fatalf("no token: %s", what)
	}
	return tokens[1]
}

// TestMembersAcceptTokens: a member tells a loss, and its token. With that, at all members and for good, one takes
// over, another one follows and takes over behind it. What was lost is accepted once, and what is lost next is not.
func TestMembersAcceptTokens(t *testing.T) {
	t.Parallel()
	for _, x := range memberLosses() {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			s := x.make(t)
			x.cause(t, s)
			token := memberToken(t, s, x.name, copied(t, s.Dir))
			s.Config.Accept = []string{x.name + ":000000000000", token}
			dirs := [2]string{copied(t, s.Dir), copied(t, s.Dir)}
			withTopic(t, s)
			a, b := member(t, s, dirs[0]), member(t, s, dirs[1])
			a.rounds <- 2
			accepted := follows(t, a, b, token)
			if a.stop(); <-a.ended != nil {
				t.Error("it did not end well")
			}
			b.rounds <- 3
			a = member(t, s, dirs[0]) // the token stays
			if again := follows(t, b, a, token); again != accepted {
				t.Errorf("%d losses were accepted, and then %d", accepted, again)
			}
			for _, m := range []*standby{a, b} {
				if m.stop(); <-m.ended != nil {
					t.Error("it did not end well")
				}
			}
			if x.again {
				s.Dir = dirs[1]
				x.cause(t, s)
				if next := memberToken(t, s, x.name, dirs[1]); next == token {
					t.Errorf("%s accepts what was lost since", token)
				}
			}
		})
	}
}

// follows waits until one member is live and another one has its model, with what was accepted by the token alone. It
// returns the number of partitions of which that is told.
func follows(t *testing.T, live, other *standby, token string) (accepted int) {
	t.Helper()
	streamtest.Await(t, "one is live and the other follows", func() bool {
		for _, m := range []*standby{live, other} {
			select {
			case err := <-m.ended:
				t.Fatalf("the member ended: %v", err)
			default:
			}
		}
		is, has := live.Status(), other.Status()
		return is.State == board.Live && is.Lag() == 0 && is.Unacknowledged == 0 && has.State == board.Following &&
			has.Seq == is.Seq && has.Epoch == is.Epoch
	})
	for _, m := range []*standby{live, other} {
		all := m.Status().Accepted
		if accepted = len(all); accepted == 0 {
			t.Error("nothing was accepted")
		}
		for i := range all {
			if all[i].Token != token {
				t.Errorf("accepted: %+v", all[i])
			}
		}
	}
	if live.sum(t) != other.sum(t) {
		t.Error("they have different models")
	}
	return accepted
}
