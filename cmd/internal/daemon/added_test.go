package daemon

import (
	"os"
	"slices"
	"testing"

	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// TestPartitionAddedWhileAllWereDown: no daemon runs when partitions are added to the input, and none has a folder when
// they start again. The new partitions are read from their starts, whatever --start says.
func TestPartitionAddedWhileAllWereDown(t *testing.T) {
	t.Parallel()
	c, s := splitCluster(t, 2, 10)
	s.Start = latest
	all, _, stops := members(t, s, 2)
	awaitSpread(t, all, 0, 1, 1, 1)
	for _, stop := range stops {
		if err := stop(); err != nil {
			t.Fatal(err)
		}
	}
	c.AddPartitions(t, s.Input, 4)
	for p := 1; p < 4; p++ {
		produceSome(t, c, s.Input, p, 10*p)
	}
	all, _, stops = members(t, s, 2)
	streamtest.Await(t, "four live models", func() bool { return live(all[0])+live(all[1]) == 4 })
	produceSome(t, c, s.Input, 0, 10)
	produceSome(t, c, s.Input, 3, 10)
	position := func(s *board.Status) int64 { return s.Partitions[len(s.Partitions)-1].Position }
	streamtest.Await(t, "the ends of the partitions", func() bool {
		return slices.Equal(ofLive(all, 4, position), []int64{20, 20, 20, 40})
	})
	seqs := ofLive(all, 4, func(s *board.Status) int64 { return s.Seq })
	if !slices.Equal(seqs, []int64{10, 10, 20, 40}) {
		t.Errorf("seqs %v", seqs)
	}
	for _, stop := range stops {
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
}

// ofLive is a figure of the live model of each partition.
func ofLive(all []*Daemon, partitions int, figure func(*board.Status) int64) []int64 {
	of := make([]int64, partitions)
	for _, d := range all {
		for p, s := range d.Statuses() {
			if s.State == board.Live {
				of[p] = figure(s)
			}
		}
	}
	return of
}

// TestTaskThatWasNotBegun: a daemon ends after the first checkpoints of some of its tasks. The others had partitions
// then, too: for them --start holds as before.
func TestTaskThatWasNotBegun(t *testing.T) {
	t.Parallel()
	c, s := splitCluster(t, 3, 10)
	s.Start = latest
	of := run(t, s).Settings()
	if err := os.RemoveAll(of.Folder(of.TaskModel(1))); err != nil {
		t.Fatal(err)
	}
	c.AddPartitions(t, s.Input, 4)
	produceSome(t, c, s.Input, 3, 10)
	if got := seqs(run(t, s)); !slices.Equal(got, []int64{0, 0, 0, 10}) {
		t.Errorf("seqs %v", got)
	}
}
