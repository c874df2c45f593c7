package group

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rosenblatt/stream/stops"
)

func TestMemberTellsWhatItHas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{join: func(m *Metadata) (Assignment, error) {
			return Assignment{Nonce: m.Nonce, Follow: []int32{0}}, nil
		}}
		b := run(t, s)
		synctest.Wait()
		if len(s.joins) != 1 || !s.joins[0].Held[0].Cold {
			t.Errorf("first told %+v", s.joins)
		}
		for _, step := range []struct {
			behind []time.Duration
			joins  int
			cold   bool
		}{
			{[]time.Duration{0}, 2, false}, {[]time.Duration{9 * time.Second}, 2, false},
			{[]time.Duration{10 * time.Second}, 3, true}, {[]time.Duration{time.Hour}, 3, true},
			{[]time.Duration{5 * time.Second}, 3, true}, {[]time.Duration{4 * time.Second}, 4, false}, {nil, 5, true},
		} {
			b.set(step.behind...)
			wait(2 * time.Second)
			last := s.joins[len(s.joins)-1]
			if len(s.joins) != step.joins || len(last.Held) > 0 && last.Held[0].Cold != step.cold {
				t.Errorf("%v behind: %d joins, told %+v", step.behind, len(s.joins), last.Held)
			}
		}
		if pause := s.joined[1].Sub(s.joined[0]); pause < session/10 {
			t.Errorf("it joins again after %v", pause)
		}
		b.stop()
		if s.leaves != 1 {
			t.Errorf("left %d times", s.leaves)
		}
		if _, err := b.Next(t.Context(), 0); !errors.Is(err, ErrLeft) {
			t.Error(err)
		}
	})
}

// A member tells of what it is to follow before it has loaded it, and not of what it was following before. Nothing of
// that is a reason to join again.
func TestMemberTellsWhatItIsAssigned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{join: func(m *Metadata) (Assignment, error) {
			return Assignment{Nonce: m.Nonce, Follow: []int32{1, 2}}, nil
		}}
		b := run(t, s)
		b.follow(0, 1)
		wait(2 * time.Second)
		b.follow(1)
		wait(2 * time.Second)
		want := []TaskInfo{{Task: 1}, {Task: 2, Cold: true, Behind: NotLoaded}}
		if len(s.joins) != 2 || !slices.Equal(s.joins[1].Held, want) {
			t.Errorf("%+v", s.joins)
		}
		b.follow(1, 2)
		wait(2 * time.Second)
		if n := len(s.joins); n != 3 || s.joins[2].Held[1].Cold {
			t.Errorf("%+v", s.joins)
		}
		b.stop()
	})
}

// The leader assigns a task of a partition that was added and that this member has not found yet.
func TestAddedTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{join: func(m *Metadata) (Assignment, error) {
			return Assignment{Nonce: m.Nonce, Active: []int32{0, 1}}, nil
		}}
		b := run(t, s) // it knows of one
		wait(session / 2)
		if len(s.joins) != 1 {
			t.Errorf("%d joins for what the group knows", len(s.joins))
		}
		s.beat = func() error { s.beat = nil; return ErrRejoin }
		wait(time.Second)
		if n := len(s.joins); n != 2 || s.joins[1].Tasks != 2 || len(s.joins[1].Held) != 2 {
			t.Errorf("%+v: want a second join with two tasks", s.joins)
		}
		b.stop()
	})
}

// A coordinator returns to a static member what its predecessor was assigned, to one that was late what was made
// without it, and no assignment where the next rebalance comes before it. The member tells the generation each time.
func TestAssignmentOfEarlierMetadata(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		s.join = func(m *Metadata) (Assignment, error) {
			switch len(s.joins) {
			case 1:
				return Assignment{Nonce: m.Nonce - 1, Active: []int32{0}}, nil
			case 2:
				return Assignment{Nonce: m.Nonce, Late: true}, nil
			case 3:
				return Assignment{}, ErrRejoin
			}
			return Assignment{Nonce: m.Nonce, Follow: []int32{0}}, nil
		}
		b := run(t, s)
		a, err := b.Next(t.Context(), 0)
		if err != nil || len(a.Active) > 0 || a.Generation != 4 || a.Number != 1 {
			t.Errorf("%+v %v", a, err)
		}
		if s.joins[1].Nonce == s.joins[0].Nonce {
			t.Errorf("%+v", s.joins)
		}
		for i, m := range s.joins {
			if m.Generation != int32(i) {
				t.Errorf("join %d of generation %d", i+1, m.Generation)
			}
		}
		b.stop()
	})
}

// A member whose requests arrive and whose responses do not must drop out of the group.
func TestSilentGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		s.beat = func() error {
			time.Sleep(session / 3)
			return ErrNoResponse
		}
		b := run(t, s)
		wait(session * 3 / 2)
		if len(s.beats) != 2 || len(s.joins) != 1 {
			t.Fatal(s.beats, s.joined)
		}
		wait(session / 4)
		last := s.beats[1].Add(session / 3)
		if len(s.joins) < 2 || s.joined[1].Sub(last) < session {
			t.Errorf("joins %v, last heartbeat until %v", s.joined, last)
		}
		b.stop()
	})
}

// What surely did not arrive does not keep it in the group either.
func TestUnreachableGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		down := true
		s.beat = func() error {
			if down {
				return errors.New("connection refused")
			}
			return nil
		}
		b := run(t, s)
		wait(5 * session)
		if n := len(s.beats); n < 400 || len(s.joins) != 1 {
			t.Errorf("%d heartbeats, %d joins", n, len(s.joins))
		}
		down = false
		b.stop()
	})
}

func TestFencedMember(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		b := run(t, s)
		task := b.Task(0)
		given, err := task.Assigned(t.Context(), 0)
		number := given.Number
		if err != nil || number != 1 {
			t.Fatal(number, err)
		}
		wait(time.Minute)
		s.beat = func() error { s.beat = nil; return ErrRejoin }
		wait(time.Second)
		if n := len(s.joins); n != 2 || s.joins[1].Held[0].Owner != 1 {
			t.Fatalf("%+v", s.joins)
		}
		began := time.Now()
		given, err = task.Assigned(t.Context(), number)
		number = given.Number
		if err != nil || number != 3 || time.Since(began) > time.Second {
			t.Fatal(number, err, time.Since(began))
		}
		if s.joins[2].Held[0].Owner > 0 {
			t.Error("still told as its own")
		}
		if again, err := task.Assigned(t.Context(), 1); err != nil || again.Number != 3 || len(s.joins) != 3 {
			t.Error("told twice", again, err)
		}
		var total time.Duration
		for range 10 {
			began := time.Now()
			if given, err = task.Assigned(t.Context(), number); err != nil {
				t.Fatal(err)
			}
			number = given.Number
			total += time.Since(began)
		}
		if number != 13 || total < session/2 || !strings.Contains(b.log.String(), "fence-contested") {
			t.Errorf("assignment %d after %v: %s", number, total, b.log.String())
		}
		wait(2 * session)
		b.log.Reset()
		if _, err = task.Assigned(t.Context(), number); err != nil || b.log.Len() > 0 {
			t.Error(err, b.log.String())
		}
		b.stop()
	})
}

func TestMemberEndsWithAStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{beat: func() error { return &stops.Error{Name: stops.Fenced} }}
		b := run(t, s)
		if err := <-b.done; !errors.As(err, new(*stops.Error)) {
			t.Error(err)
		}
		if _, err := b.Task(0).Assigned(t.Context(), 1); !errors.Is(err, ErrLeft) || s.leaves > 0 {
			t.Error(err, s.leaves)
		}
	})
}

func TestEndlessRebalance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{join: func(*Metadata) (Assignment, error) { return Assignment{}, ErrRejoin }, leave: ErrNoResponse}
		b := run(t, s)
		wait(time.Minute)
		if n := len(s.joins); n < 30 || n > 200 {
			t.Errorf("%d joins in a minute", n)
		}
		b.stop()
	})
}

func TestMetadataOfOthers(t *testing.T) {
	good := (&Metadata{Version: version, Tasks: 2, Held: []TaskInfo{{Task: 1, Owner: 1}}}).encode()
	for data, want := range map[string]string{
		string(good): "", "": "unexpected end", "x": "invalid", `{"version":3,"tasks":"x"}`: "cannot unmarshal",
		`{"version":2,"tasks":-1}`: "-1 tasks", `{"version":2,"tasks":1000000000}`: "tasks",
		`{"version":2,"standbys":-1}`: "standbys", `{"version":2,"tasks":1,"held":[{"task":1}]}`: "task 1 of 1",
		`{"version":2,"tasks":1,"held":[{"task":-1}]}`: "task -1", `{"version":3,"tasks":7}`: "",
		`{"version":2,"tasks":2,"held":[{"task":1},{"task":1}]}`:          "task 1 of 2",
		`{"version":2,"tasks":10001}`:                                     "to 10000",
		`{"version":2,"tasks":1,"held":[{"behind":-1}]}`:                  "-1 s behind",
		`{"version":2,"tasks":1,"held":[{"behind":9223372036854775807}]}`: "s behind",
	} {
		_, err := DecodeMetadata([]byte(data))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", data, err)
		}
	}
	out := assignTasks([]Entry{{"a", []byte("x")}, {"b", good}, {"c", []byte(`{"version":3,"tasks":7}`)}})
	for i, want := range []struct {
		active  int
		refused string
	}{{0, "invalid character"}, {2, ""}, {0, "version"}} {
		a, err := DecodeAssignment(out[i])
		if err != nil || len(a.Active) != want.active || !strings.Contains(a.Refused, want.refused) {
			t.Errorf("member %d: %+v %v", i, a, err)
		}
	}
}
