package fetch

import (
	"testing"
	"time"
)

// TestRoomForBacklogs: of partitions with a backlog a request has no more than the response may have room for, and the
// next request has the next ones. All others are in the first: nobody knows what they have.
func TestRoomForBacklogs(t *testing.T) {
	t.Parallel()
	const partitions, others = 100, 10
	c, b := idleFetcher(t, partitions, nil)
	for p := range int32(partitions) {
		s := NewSubscription("in", p, 0)
		s.asked, s.InTurns, s.behind = time.Now(), true, p < partitions-others
		b.waiting = append(b.waiting, s)
	}
	seen := map[int32]bool{}
	for n := 0; len(seen) < partitions; n++ {
		subs, req, _ := c.next(b, false)
		if len(subs) == 0 {
			t.Fatalf("%d partitions are requested", len(seen))
		}
		size, rest := int32(0), 0
		for _, s := range subs {
			if seen[s.Number] {
				t.Fatalf("partition %d is requested again before others", s.Number)
			}
			if seen[s.Number] = true; s.behind {
				size += req.most(&s.Partition)
			} else {
				rest++
			}
		}
		if n == 0 && rest != others {
			t.Errorf("%d partitions without a backlog in the first request", rest)
		}
		room := 2 * req.all // some have less than they may have
		if len(seen) < partitions && size < room || size >= room+c.turnBytes() {
			t.Errorf("request %d, of %d bytes, is for %d of backlogs", n, req.all, size)
		}
	}
}

// TestSecondRequestAlone: where no first request is under way any more, a second one is followed by a first, in which
// the broker waits for long.
func TestSecondRequestAlone(t *testing.T) {
	t.Parallel()
	c, b := idleFetcher(t, 1, nil)
	s := NewSubscription("in", 0, 0)
	s.asked, s.InTurns = time.Now(), true
	b.waiting, b.first, b.found = append(b.waiting, s), false, true
	subs, req, second := c.next(b, true)
	if len(subs) != 1 || second || !b.first || b.second || req.Wait != c.opt.Wait {
		t.Errorf("%d partitions, second %t, %+v, wait %v", len(subs), second, b, req.Wait)
	}
}
