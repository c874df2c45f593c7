package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/board"
	"rosenblatt/stream/group"
	"rosenblatt/stream/kafka"
)

// Standby says how several daemons share a task.
type Standby struct {
	Standby        bool
	Instance       string        `placeholder:"NAME"`
	SessionTimeout time.Duration `default:"10s" placeholder:"DURATION"`
	Failover       string        `default:"1s" placeholder:"DURATION"`
	Standbys       int           `default:"1" placeholder:"N"`
}

// FlagHelp implements cli.Documented.
func (Standby) FlagHelp() cli.Help {
	return `
standby: Share the model with other daemons that have the same settings: one predicts, the others learn along, and one
	of them goes on when that one is gone. Each has a --state of its own; with --checkpoint-topic.
instance: This daemon's name among them, which no other one has (default: the host's name and a number of the folder).
session-timeout: A daemon that is silent for so long is replaced; within the brokers' bounds (default: ${default}).
failover: How long predictions may be missing while events wait, before another daemon goes on: one that follows asks
	the others after 700ms less who is alive; at least 900ms, or off to wait for the session timeout (default:
	${default}).
standbys: How many daemons follow a model besides the one that predicts; more are idle until one is missing (default:
	${default}).
`
}

// responseTimeout is that of all requests. A daemon that was cut off for less than half of the session timeout keeps
// its models, so it has to know soon that its connections are dead.
func (s *Standby) responseTimeout() time.Duration { return min(10*time.Second, s.SessionTimeout/2) }

// What --failover may be.
const (
	failoverOff   = "off"
	failoverLeast = 900 * time.Millisecond
)

// rebalanceTakes is what a rebalance and a takeover take, of the time that --failover says.
const rebalanceTakes = 700 * time.Millisecond

// asksAfter is for how long work has to wait before who has it is asked for; 0: never.
func (s *Standby) asksAfter() (time.Duration, error) {
	if s.Failover == failoverOff {
		return 0, nil
	}
	d, err := time.ParseDuration(s.Failover)
	if err != nil || d < failoverLeast {
		return 0, fmt.Errorf("%q: want a duration of %v or more, as 1s, or %s", s.Failover, failoverLeast, failoverOff)
	}
	return d - rebalanceTakes, nil
}

// legalInstance replaces what Kafka does not allow in the name of a group's instance.
var legalInstance = regexp.MustCompile(`[^a-zA-Z0-9._-]+`)

// standby checks the settings of members, and names this one.
func (r *Resolved) standby(f *cli.Faults) {
	s := &r.Settings
	on := s.Standby.Standby
	if on && s.Instance == "" {
		s.Instance = instanceOf(r.Folder)
	}
	s.CheckMember(f, &s.Topics)
	f.AddIf(on && s.UntilEnd, "standby: a run that ends has no standby: leave --until-end out")
}

// CheckMember adds what is wrong with the settings of members.
func (s *Standby) CheckMember(f *cli.Faults, t *Topics) {
	f.AddIf(s.SessionTimeout < time.Second, "session-timeout: %s: want 1s or more", s.SessionTimeout)
	_, err := s.asksAfter()
	f.Check("failover", err)
	f.AddIf(s.Standbys < 0, "standbys: %d: want 0 or more", s.Standbys)
	if !s.Standby {
		f.AddIf(s.Instance != "", "instance: it needs --standby")
		f.AddIf(s.Standbys > 1, "standbys: it needs --standby")
		return
	}
	f.AddIf(t.CheckpointTopic == "",
		"standby: it needs --checkpoint-topic: what one daemon saves there, the others load")
	f.AddIf(legalInstance.MatchString(s.Instance) || len(s.Instance) > longestName,
		"instance: %q: want 1 to 249 of the letters a-z and A-Z, digits, '.', '_' and '-'", s.Instance)
}

// instanceOf names the member on this host that has a folder.
func instanceOf(folder string) string {
	host, err := os.Hostname()
	if err != nil {
		host = "host"
	}
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(folder))
	return fmt.Sprintf("%s-%08x", legalInstance.ReplaceAllString(host, "-"), h.Sum32())
}

// member is this process's part in the group that shares the tasks.
type member struct {
	*group.Member
	session time.Duration
	staying context.Context // ended when it leaves; set before the tasks run
}

// membership is its part in one task.
type membership struct {
	group.Task
	member *member
}

func (m *member) membership(task int32) membership { return membership{m.Task(task), m} }

// Status is that of the task, with what the group says of it.
func (t *task) Status() *board.Status {
	s := t.Task.Status()
	if m := t.daemon.member; m != nil {
		s.Shared = new(m.Task(max(0, t.partition)).View())
	}
	return s
}

// Left implements stream.Membership.
func (s membership) Left() bool { return s.member.staying.Err() != nil && !s.member.Alone() }

func (d *Daemon) newMember() (*member, error) {
	s := &d.with.Settings
	fixed, err := d.with.fingerprint()
	if err != nil {
		return nil, err
	}
	asksAfter, err := s.asksAfter()
	if err != nil {
		return nil, err
	}
	return &member{session: s.SessionTimeout, Member: group.New(group.Config{
		Instance: s.Instance, Session: s.SessionTimeout, Settings: fixed, Failover: asksAfter,
		Format: checkpoint.Version, Standbys: s.Standbys, State: d.held, Log: d.log, Name: s.modelOf,
		Transport: d.client.Member(s.TasksGroup(), s.Instance, s.SessionTimeout),
	})}, nil
}

// fingerprint is that of the settings that members have to share: topics, and how a model begins. Those that a model
// has are compared with its checkpoint.
func (r *Resolved) fingerprint() (string, error) {
	s := &r.Settings
	fixed, err := json.Marshal([]any{s.Input, s.Output, s.DeadLetter, s.Labels, s.Outcomes, s.CheckpointTopic,
		s.ModelPer, s.Start, r.Task.Weights, s.FromModel != ""})
	sum := sha256.Sum256(fixed)
	return hex.EncodeToString(sum[:8]), err
}

// held is what the group is told of this process.
func (d *Daemon) held() (s group.State) {
	for n, t := range d.tasks() {
		s.Tasks++
		switch x := t.Status(); x.State {
		case board.Live:
			// One that lives and cannot write for long is as one that is too far behind.
			//mutation:cannot-write
			s.Held = append(s.Held, group.Held{Task: int32(n), Live: true,
				Behind: unthrottled(x.Sending, d.client.Throttles())})
		case board.Following:
			s.Held = append(s.Held, group.Held{Task: int32(n), Behind: time.Since(x.FollowedAt),
				Differs: x.Differs != ""})
		case board.Stopped:
			s.Held = append(s.Held, group.Held{Task: int32(n), Stopped: x.Stop.Name})
		}
	}
	return s
}

// unthrottled is what is left of the time for which a flight waits if brokers have made it wait because of a quota: the
// other members have the same quota.
func unthrottled(sending time.Duration, all []kafka.Throttle) time.Duration {
	for _, x := range all {
		//mutation:throttled-member
		if x.Request == kmsg.Produce.Name() {
			sending = min(sending, max(0, time.Since(x.Until)))
		}
	}
	return sending
}

// live reports whether this process has a task.
func (d *Daemon) live() bool {
	return slices.ContainsFunc(d.tasks(), func(t *task) bool { return t.Status().State == board.Live })
}

// share is in the group while it stays. Then the tasks that are live go on until other members have fenced them, or the
// session is over. Without another member nobody would.
func (d *Daemon) share() error {
	err := d.member.Run(d.member.staying)
	if err != nil || !d.live() || d.member.Alone() {
		return err
	}
	d.log.Info().Stringer("atMost", d.member.session).Msg("left the group; predicting until another member goes on")
	over := time.After(d.member.session)
	tick := time.NewTicker(goneEvery)
	defer tick.Stop()
	for d.live() {
		select {
		case <-over:
			return nil
		case <-tick.C:
		}
	}
	return nil
}

// goneEvery is how often a process that has left looks whether it has a task.
const goneEvery = 10 * time.Millisecond
