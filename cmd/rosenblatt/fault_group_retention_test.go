package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/segmentio/kafka-go"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/generate"
	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// idle is what a pair has read when nothing more comes.
type idle struct {
	seq           int64
	input, labels int64 // positions in partition 0
}

// passed waits until a member has read so much.
func (x *pair) passed(t *testing.T, i int, state string, want idle) {
	t.Helper()
	var got idle
	x.members[i].await(t, fmt.Sprintf("%+v of %s", want, state), func(s daemonStatus) bool {
		var more struct {
			Labels *struct{ Partitions []struct{ Position int64 } }
		}
		body, _ := x.members[i].page(t, "status")
		if err := json.Unmarshal(body, &more); err != nil {
			t.Fatal(err)
		}
		if len(s.Partitions) == 0 {
			return false
		}
		if got = (idle{seq: s.Seq, input: s.Partitions[0].Position}); more.Labels != nil {
			got.labels = more.Labels.Partitions[0].Position
		}
		return s.State == state && s.Ready && got == want
	})
}

// TestFaultFollowerAfterRetention: retention removes what both daemons have passed without an entry in the journal: the
// markers of transactions, aborted records, tombstones, labels that their events have already. The daemon that predicts
// is killed, and the one that follows takes over; then one without a folder follows that.
func TestFaultFollowerAfterRetention(t *testing.T) {
	n := oneNode(t)
	values := func(n int) (all []string) {
		g := generate.New(uint64(n))
		for range n {
			all = append(all, string(g.AppendJSON(nil)))
		}
		return all
	}
	waiting, labelled := make([]string, 10), make([]string, 10)
	for i := range waiting {
		waiting[i] = fmt.Sprintf(`{"id":"e%d","features":{"x":%d}}`, i, i%3)
		labelled[i] = fmt.Sprintf(`{"id":"e%d","label":%d}`, i, 1-2*(i%2))
	}
	for name, c := range map[string]struct {
		flags   []string
		produce func(t *testing.T, s *streamtest.Setup)
		idle
	}{
		"marker": {nil, func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.OpenTransaction(t, s.Name, 0, values(10)...)(true)
		}, idle{10, 11, 0}},
		"aborted": {nil, func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.OpenTransaction(t, s.Name, 0, values(10)...)(false)
		}, idle{0, 11, 0}},
		"tombstones": {[]string{"--tombstones", "skip"}, func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.Produce(t, s.Name, 0, values(10)...)
			s.Cluster.ProduceRecords(t, s.Name, 0, kafka.Record{}, kafka.Record{}, kafka.Record{})
		}, idle{10, 13, 0}},
		"repeats": {[]string{"--label-slack", "1s"}, func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.Produce(t, s.Name, 0, waiting...)
			s.Cluster.Produce(t, s.Name+".labels", 0, labelled...)
			s.Cluster.Produce(t, s.Name+".labels", 0, labelled[2:7]...)
		}, idle{20, 10, 15}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := n.setup(t, 2)
			if c.labels > 0 {
				s.Cluster.Topic(t, s.Name+".labels", 2)
				c.flags = append(c.flags, "--labels", s.Name+".labels", "--outcomes", s.Name+".outcomes")
			}
			x := &pair{setup: s, dirs: [2]string{s.Dir, t.TempDir()}, flags: c.flags}
			x.start(t, 0)
			x.await(t, 0, board.Live)
			x.start(t, 1)
			x.await(t, 1, board.Following)
			c.produce(t, s)
			x.passed(t, 0, board.Live, c.idle)
			x.passed(t, 1, board.Following, c.idle)
			before := newestCheckpoint(t, x.dirs[0], s.Name)
			if c.labels > 0 {
				s.Cluster.DeleteRecords(t, s.Name+".labels", 0, c.labels)
			} else {
				s.Cluster.DeleteRecords(t, s.Name, 0, c.input)
			}
			_ = x.members[0].Process.Kill()
			x.passed(t, 1, board.Live, c.idle)
			s.Cluster.Produce(t, s.Name, 1, values(20)...)
			c.seq += 20
			x.passed(t, 1, board.Live, c.idle)
			x.dirs[0] = t.TempDir()
			x.start(t, 0)
			x.passed(t, 0, board.Following, c.idle)

			v, got := verifyJSON(t, "--brokers", strings.Join(n.brokers, ","), "--input", s.Name, "--state", x.dirs[1],
				"--from-checkpoint", before)
			if got.code != soundExit(v) || !v.OK || v.Predictions != 20 {
				t.Errorf("verify: %d predictions, exit %d: %s%s", v.Predictions, got.code, got.stdout, got.stderr)
			}
		})
	}
}

// newestCheckpoint is a copy of the newest checkpoint in a folder, with what it builds on.
func newestCheckpoint(t *testing.T, dir, model string) (path string) {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	file, _, err := (&checkpoint.Store{Dir: filepath.Join(to, model)}).Newest()
	if err != nil {
		t.Fatal(err)
	}
	return file.Path
}
