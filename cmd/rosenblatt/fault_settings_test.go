package main

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// rolling is three daemons under load that get other settings one after the other.
type rolling struct {
	*failover
	sent int
}

// TestFaultSettingsOneByOne: daemons that share a model get other settings one by one, with the token that one of them
// has printed, and the old settings again. The change takes effect when one of them takes over; nobody waits for it
// longer than for any hand-over. Daemons are killed meanwhile. Each event is predicted once, and verify finds nothing.
func TestFaultSettingsOneByOne(t *testing.T) {
	wholeProgram(t)
	x := &rolling{failover: newFailover(t, streamtest.New(t, streamtest.Start(t), 2), 3)}
	x.owner(t, nil)
	r := rand.New(rand.NewPCG(39, 2))
	var accept []string
	for round, learner := range []string{"perceptron:rate=0.5", "perceptron:rate=1", "perceptron:rate=0.25"} {
		stop := feedMany(t, x.setup, 2, 5)
		defer stop()
		time.Sleep(time.Second) // of predictions, before which gaps are none
		accept = append(accept, x.tokenFor(t, learner))
		flags := []string{"--learner", learner, "--accept", strings.Join(accept, ",")} // those that are done stay
		for i, m := range x.all {
			kill := time.Duration(-1)
			if round == 2 {
				kill = time.Duration(r.Int64N(int64(100 * time.Millisecond)))
			}
			gap := x.replace(t, m, flags, kill)
			t.Logf("%s, daemon %d: %v without a prediction", learner, i, gap)
		}
		owner := x.owner(t, nil)
		x.sent += stop()
		owner.await(t, "all", func(d daemonStatus) bool { return d.Seq == int64(x.sent) })
		if n := len(x.accepted(t, owner)); n != round+1 {
			t.Errorf("%d changes were accepted, want %d", n, round+1)
		}
		x.verified(t, owner)
	}
	for _, m := range x.all {
		m.signal(t, syscall.SIGTERM)
		if code := m.exit(t, time.Minute); code != 0 {
			t.Errorf("%s ended with %d:\n%s", m.name, code, m.tail())
		}
	}
}

var exactly = regexp.MustCompile(`--accept (config:[0-9a-f]+) accepts exactly this`)

// tokenFor restarts a daemon with other settings. It follows, says how these differ, and prints the token.
func (x *rolling) tokenFor(t *testing.T, learner string) string {
	t.Helper()
	m := x.all[0]
	m.signal(t, syscall.SIGTERM)
	if code := m.exit(t, time.Minute); code != 0 {
		t.Fatalf("%s ended with %d:\n%s", m.name, code, m.tail())
	}
	m.flags = []string{"--learner", learner}
	x.start(t, m)
	m.await(t, "it follows", func(d daemonStatus) bool { return d.State == board.Following })
	body, code := m.page(t, "readyz")
	token := exactly.FindSubmatch(body)
	if code != http.StatusServiceUnavailable || token == nil || !strings.Contains(string(body), "learner.rate was") {
		t.Fatalf("/readyz: %d %s", code, body)
	}
	return string(token[1])
}

// replace starts a daemon with other settings, and waits until it is ready. Where kill is not negative, the one that
// predicts is killed so long after the daemon was told to end, and comes back with the settings that it had. It returns
// the longest time without a prediction.
func (x *rolling) replace(t *testing.T, m *machine, flags []string, kill time.Duration) time.Duration {
	t.Helper()
	began := time.Now()
	m.signal(t, syscall.SIGTERM)
	if kill >= 0 {
		time.Sleep(kill)
		others := slices.DeleteFunc(slices.Clone(x.all), func(o *machine) bool { return o == m })
		victim := others[0]
		for _, o := range others {
			if o.status(t).State == board.Live {
				victim = o
			}
		}
		victim.signal(t, syscall.SIGKILL)
		victim.exit(t, time.Minute)
		x.start(t, victim)
	}
	if code := m.exit(t, time.Minute); code != 0 {
		t.Fatalf("%s ended with %d:\n%s", m.name, code, m.tail())
	}
	m.flags = flags
	x.start(t, m)
	m.await(t, "it is ready", func(d daemonStatus) bool {
		return d.Ready && (d.State == board.Live || d.State == board.Following)
	})
	streamtest.Await(t, "somebody predicts", func() bool {
		return slices.ContainsFunc(x.all, func(m *machine) bool { return m.status(t).State == board.Live })
	})
	time.Sleep(300 * time.Millisecond) // of predictions
	return longestGap(t, x.setup, topics.Output, began.Add(-300*time.Millisecond))
}

// accepted are the changes of settings that the checkpoint knows of.
func (x *rolling) accepted(t *testing.T, m *machine) (all []string) {
	t.Helper()
	body, _ := m.page(t, "status")
	var status struct{ Accepted []model.Acceptance }
	if err := json.Unmarshal(body, &status); err != nil {
		t.Fatal(err)
	}
	for _, a := range status.Accepted {
		if a.Name != stops.ConfigDiffers {
			t.Errorf("%s was accepted: %s", a.Name, a.What)
		}
		all = append(all, a.Token)
	}
	return all
}

// verified audits what was published since the last change, which is not all.
func (x *rolling) verified(t *testing.T, m *machine) {
	t.Helper()
	call(t, "", "verify", "--brokers", strings.Join(x.setup.Cluster.Brokers, ","), "--input", x.setup.Name, "--state",
		m.dir).want(t, cli.ExitPartial, "0 differs, 0 duplicate, 0 hole, 0 order, 0 no-input, 0 no-prediction", "")
}
