package verify_test

import (
	"context"
	"testing"
	"time"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// TestEveryPrefix: what a daemon has written at any moment, with all dead letters of later moments, is in order, and
// the figures add up to the input.
func TestEveryPrefix(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	r, err := audited(t, h.Setup, h.recorded, func(a *verify.Audit) { a.Floor = h.floor })
	if err != nil || !r.OK() || r.Pending != 0 || r.Predictions != h.floor.Seq || r.Gaps == 0 {
		t.Fatalf("%v, %+v", err, r)
	}
	if want := int64(len(h.records[topics.DeadLetters][0])); r.DeadLetters != want {
		t.Errorf("%d dead letters, want %d", r.DeadLetters, want)
	}
	adds(t, r)
	for seq := int64(1); seq <= h.floor.Seq; seq++ {
		f := h.forgeFlights(t)
		f.dropLast(seq)
		f.renumber(topics.Output)
		r, err := audited(t, h.Setup, f, func(a *verify.Audit) {
			a.Floor = &verify.Floor{Seq: seq - 1} // of a checkpoint before the first record
		})
		if err != nil || !r.OK() || r.Predictions != seq-1 || r.Pending < h.floor.Seq-seq+1 {
			t.Fatalf("below seq %d: %v, %+v", seq, err, r)
		}
		adds(t, r)
	}
}

// TestDeadLetterMissingBehindThePredictions: dead letters are written in the order of the records, so that one is
// missing shows when a later one is there.
func TestDeadLetterMissingBehindThePredictions(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	f := h.forge(t)
	f.dropLast(1)
	last := map[int]int{} // place of the last dead letter of each partition
	for i, x := range f.dead {
		last[x.Partition] = i
	}
	for i, x := range f.dead {
		f := h.forge(t)
		f.dropLast(1)
		f.records[topics.DeadLetters][0] = remove(f.records[topics.DeadLetters][0], i)
		var wants []want
		broken := string(h.valueOf(x)) == `{"id":"broken"`
		if i != last[x.Partition] && broken {
			wants = append(wants, at(verify.NoDeadLetter, x))
		}
		f.finding(t, h, "a dead letter dropped without predictions behind it",
			func(a *verify.Audit) { a.Floor = nil }, broken, wants)
	}
}

// lateDeadLetters is a log whose dead letters come between the first look at the ends and the second.
type lateDeadLetters struct {
	topics.Log
	calls int
}

func (l *lateDeadLetters) Topology(ctx context.Context) (*topics.Topology, error) {
	top, err := l.Log.Topology(ctx)
	if l.calls++; err == nil && l.calls == 1 {
		top.DeadLetters.Partitions[0] = topics.Bounds{}
	}
	return top, err
}

// TestDeadLettersOfDifferentMoments: Kafka returns the ends of partitions one after the other, so that of two dead
// letters that are written meanwhile the later one may be seen alone. That is no alarm.
func TestDeadLettersOfDifferentMoments(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	f := h.forge(t)
	f.dropLast(1)
	f.records[topics.DeadLetters][0] = f.records[topics.DeadLetters][0][5:]
	f.renumber(topics.Output)
	f.renumber(topics.DeadLetters)
	if r, err := audited(t, h.Setup, f, nil); err != nil || r.Counts[verify.NoDeadLetter] == 0 {
		t.Errorf("at one moment: %v, %+v", err, r)
	}
	if r, err := audited(t, h.Setup, &lateDeadLetters{Log: f}, nil); err != nil || !r.OK() {
		t.Errorf("at different moments: %v, %+v", err, r)
	}
}

// valueOf is the record of a dead letter.
func (h *history) valueOf(x published) []byte {
	for _, r := range h.records[topics.Input][x.Partition] {
		if r.Offset == x.Offset {
			return r.Value
		}
	}
	return nil
}

// TestFloorAheadOfTheInput: the input was cut below the positions of the checkpoint.
func TestFloorAheadOfTheInput(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	f := h.copied()
	b := &f.top.Input.Partitions[1]
	b.End--
	b.Stable--
	_, err := audited(t, h.Setup, f, func(a *verify.Audit) { a.Floor = h.floor })
	if !stops.Is(err, stops.BeyondEnd) {
		t.Errorf("%v", err)
	}
}

// TestInputReplacedBelowTheFloor: the input holds as much as the checkpoint's positions say, but other records.
func TestInputReplacedBelowTheFloor(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	f := h.copied()
	at := h.floor.Positions
	for _, last := range []int64{at[1] - 1, at[1]} {
		f.ended = []int64{-1, last}
		_, err := audited(t, h.Setup, f, func(a *verify.Audit) { a.Floor = h.floor })
		if stops.Is(err, stops.BeyondEnd) != (last < at[1]) {
			t.Errorf("an epoch that ended at %d of %d: %v", last, at[1], err)
		}
	}
}

// TestOpenTransactionBehindTheInput: verify does not wait for its end.
func TestOpenTransactionBehindTheInput(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	f := h.copied()
	b := &f.top.Input.Partitions[1]
	b.End += 7
	r, err := audited(t, h.Setup, f, func(a *verify.Audit) { a.Floor = h.floor })
	if err != nil || !r.OK() || r.Pending != 7 {
		t.Fatalf("%v, %+v", err, r)
	}
	adds(t, r)
}

// TestFloorBesideKilledDaemons: daemons run, are killed and start again, while checkpoint and topics are read: there is
// no false alarm.
func TestFloorBesideKilledDaemons(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 3)
	s.Config.BatchRecords, s.Config.CheckpointInterval = 4, time.Millisecond
	s.Config.UntilEnd = false
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	fed, ran := make(chan struct{}), make(chan int, 1)
	go func() {
		defer close(fed)
		for i := 0; ctx.Err() == nil; i++ {
			s.Cluster.Produce(t, s.Name, i%3, mixed(uint64(i), 20)...)
		}
	}()
	go func() {
		kills := 0
		for ; ctx.Err() == nil; kills++ {
			task := s.Task(t)
			task.Journal = &mortal{task.Journal, 5 + kills%30}
			if err := task.Run(ctx); err == nil {
				break
			}
		}
		ran <- kills
	}()
	audits, positions, enough := 0, int64(0), int64(streamtest.Rounds(300, 600, 3000))
	for begin := time.Now(); audits < 30 || positions < enough; audits++ {
		floor := floor(t, s) // before the ends
		r, err := audited(t, s, s.Client(t), func(a *verify.Audit) { a.Floor = floor })
		if err != nil || !r.OK() {
			t.Errorf("%v, %+v", err, r)
			for i := 0; r != nil && i < len(r.Findings); i++ {
				t.Logf("%+v", r.Findings[i])
			}
			break
		}
		adds(t, r)
		if floor != nil {
			positions = floor.Positions[0] + floor.Positions[1] + floor.Positions[2]
		}
		if time.Since(begin) > 5*time.Minute {
			t.Errorf("%d audits, positions %d", audits, positions)
			break
		}
	}
	cancel()
	<-fed
	t.Logf("%d audits, %d kills, %d offsets", audits, <-ran, positions)
}
