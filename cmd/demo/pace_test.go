package main

import (
	"testing"
	"time"

	"rosenblatt/stream/board"
)

func at(position int64) *board.Status {
	return &board.Status{State: board.Live, Partitions: []board.PartitionStatus{{Position: position}}}
}

// With a rate, as many events become due as the clock says, whatever the steps of the clock are.
func TestPaceKeepsTheRate(t *testing.T) {
	t.Parallel()
	for _, rate := range []float64{0.5, 7, 200, 30_000, 90_000} {
		p := &pace{rate: rate}
		begin := time.Now()
		now, sent, batches := begin, 0, 0
		for now.Sub(begin) < 20*time.Second {
			n, pause := p.due(now, at(int64(sent)))
			if n == 0 && pause <= 0 {
				t.Fatal("nothing is due, and there is no pause")
			}
			n = min(n, batchEvents)
			if n > 0 {
				batches++
			}
			p.sent(n, 100*int64(n))
			sent += n
			p.bytes, p.batches = 0, nil
			now = now.Add(max(pause, 3*time.Millisecond))
		}
		if want := rate * 20; float64(sent) < 0.99*want-1 || float64(sent) > want+1 {
			t.Errorf("%v a second: %d in 20 s", rate, sent)
		}
		if most := 20/tick.Seconds() + float64(sent)/batchEvents; float64(batches) > most {
			t.Errorf("%v a second: %d batches in 20 s", rate, batches)
		}
	}
}

// After a time in which nothing could be sent there is no burst.
func TestPaceForgetsWhatItMissed(t *testing.T) {
	t.Parallel()
	p := &pace{rate: 100}
	now := time.Now()
	n, _ := p.due(now, at(0))
	p.sent(n, 0)
	if n, _ := p.due(now.Add(time.Hour), at(1)); n != 1 {
		t.Errorf("after an hour's sleep %d are due", n)
	}
	if n, _ := p.due(now.Add(time.Hour+time.Second), &board.Status{State: board.Recovering}); n != 0 {
		t.Errorf("while the daemon recovers %d are due", n)
	}
	if n, _ := p.due(now.Add(time.Hour+time.Minute), at(1)); n != 1 {
		t.Errorf("after recovery %d are due", n)
	}
}

// The feeder stays within sight of the daemon.
func TestPaceWaitsForTheDaemon(t *testing.T) {
	t.Parallel()
	p := &pace{end: 100}
	n, _ := p.due(time.Now(), at(100))
	if n != maxLag {
		t.Fatalf("full speed: %d", n)
	}
	p.sent(n, 0)
	for position, want := range map[int64]int{100: 0, 101: 1, 1100: 1000} {
		if n, _ := p.due(time.Now(), at(position)); n != want {
			t.Errorf("the daemon is at %d: %d are due, want %d", position, n, want)
		}
	}
}

// What no checkpoint covers never outgrows what the topics keep for it.
func TestPaceWaitsForTheCheckpoint(t *testing.T) {
	t.Parallel()
	covered := int64(0)
	p := &pace{covered: func() int64 { return covered }}
	const size = 10_000
	sent := int64(0)
	for sent*size < 2*unsaved {
		n, _ := p.due(time.Now(), at(sent)) // the daemon has predicted everything
		if n == 0 {
			break
		}
		p.sent(100, 100*size)
		sent += 100
	}
	if took := sent * (size + overhead); took < unsaved || took > unsaved+100*(size+overhead) {
		t.Errorf("it waits at %d bytes, want %d", took, unsaved)
	}
	covered = 150 // the second batch is covered in part: it counts as not covered
	if p.retained(); p.bytes != (sent-100)*(size+overhead) {
		t.Errorf("%d bytes are not covered, want %d", p.bytes, (sent-100)*(size+overhead))
	}
	if n, _ := p.due(time.Now(), at(sent)); n == 0 {
		t.Error("it still waits")
	}
}
