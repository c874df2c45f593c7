package group

import (
	"testing"
	"time"
)

// TestDoubts: each member that is alive all the same doubles the time, up to the session timeout; ten minutes without
// one halve it.
func TestDoubts(t *testing.T) {
	t.Parallel()
	d := doubts{first: 300 * time.Millisecond, most: session}
	now := time.Now()
	check := func(want time.Duration) {
		t.Helper()
		if got := d.wait(now); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	check(300 * time.Millisecond)
	for _, want := range []time.Duration{600, 1200, 2400, 4800, 9600, 10_000, 10_000, 10_000} {
		d.wrong(now)
		check(want * time.Millisecond)
	}
	now = now.Add(10*time.Minute - time.Second)
	check(session)
	now = now.Add(time.Second)
	check(9600 * time.Millisecond)
	now = now.Add(20 * time.Minute)
	check(2400 * time.Millisecond)
	d.wrong(now)
	now = now.Add(9 * time.Minute)
	check(4800 * time.Millisecond)
	now = now.Add(24 * time.Hour)
	check(300 * time.Millisecond)
	long := doubts{first: 2 * session, most: session}
	if long.wrong(now); long.wait(now) != 2*session {
		t.Error(long.wait(now))
	}
}
