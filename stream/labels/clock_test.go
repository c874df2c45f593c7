package labels

import (
	"encoding/json"
	"testing"
)

func TestClock(t *testing.T) {
	const ahead = 100
	c := Clock{Ahead: ahead}
	is := func(want int64, wantOK bool) {
		t.Helper()
		if got, ok := c.Time(); ok != wantOK || ok && got != want {
			t.Errorf("label time %d %v, want %d %v", got, ok, want, wantOK)
		}
	}
	is(0, false)
	c.Pass(1, 1000, 1000)
	is(1000, true) // partition 0 never held a record
	c.Pass(1, 900, 1000)
	is(1000, true)
	c.Hold(0)
	is(0, false)
	c.Pass(0, 500, 1000)
	is(500, true)
	c.Pass(0, 1000+ahead+1, 1000) // a wrong clock
	is(500, true)
	c.Pass(0, 1000+ahead, 1000)
	is(1000, true)
	c.Hold(2)
	saved, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	c = Clock{Ahead: ahead}
	if err := json.Unmarshal(saved, &c); err != nil {
		t.Fatal(err)
	}
	is(0, false)
	c.Pass(2, 2000, 2000)
	is(1000, true)
}

// TestAhead: a timestamp may be an hour ahead of the clock, and no more than a tenth of the waiting.
func TestAhead(t *testing.T) {
	const minute = 60_000
	for wait, want := range map[int64]int64{30 * minute: 3 * minute, 10 * 60 * minute: 60 * minute,
		24 * 60 * minute: 60 * minute, 0: 0} {
		if got := Ahead(wait); got != want {
			t.Errorf("%d ms ahead with a wait of %d, want %d", got, wait, want)
		}
	}
}

// TestClockAhead: a timestamp too far ahead of the wall clock does not move label time before that has come near. The
// lowest one of each partition counts then.
func TestClockAhead(t *testing.T) {
	c := Clock{Ahead: 100}
	is := func(now, want int64, wantOK bool) {
		t.Helper()
		c.Advance(now)
		if got, ok := c.Time(); ok != wantOK || ok && got != want {
			t.Errorf("label time at %d is %d %v, want %d %v", now, got, ok, want, wantOK)
		}
	}
	c.Pass(0, 1<<62, 1000)
	is(1000, 0, false)
	c.Pass(0, 5000, 1000)
	c.Pass(0, 6000, 1000)
	if future, ok := c.Future(); !ok || future != 5000 {
		t.Errorf("%d %v is the lowest that is too far ahead, want 5000", future, ok)
	}
	is(4899, 0, false)
	copied := c.Clone()
	is(4900, 5000, true)
	is(1<<62, 5000, true) // the others are forgotten
	if copied.Advance(1 << 62); copied.Highest[0] != nothingPassed {
		t.Error("a checkpoint holds what is too far ahead")
	}
	c.Pass(1, 4000, 4950)
	is(4950, 4000, true)
	c.Pass(1, 7000, 4950) // a clock that is minutes ahead moves label time all the same
	is(6900, 5000, true)
	if c.Highest[1] != 7000 {
		t.Errorf("%v", c.Highest)
	}
}

// TestClockIdleAhead: an idle partition counts up to now, though a timestamp far ahead was handled.
func TestClockIdleAhead(t *testing.T) {
	c := Clock{Ahead: 100}
	c.Pass(0, 5000, 1000)
	c.See(2000, 2000)
	c.Idle(0, 2000, 0)
	if now, ok := c.Time(); now != 2000 || !ok {
		t.Errorf("label time %d %v", now, ok)
	}
}

// An example waits up to and including its deadline, by label time.
func TestDeadline(t *testing.T) {
	w := New(Limits{Wait: 100, Examples: 10, Settled: 10})
	w.Add(Example{ID: numberID(1), Seq: 1, Time: 2000, Since: 1000})
	w.Add(Example{ID: numberID(2), Seq: 2, Time: 500, Since: 500})
	var c Clock
	for time, want := range map[int64]Outcome{1100: 0, 1101: Expired} {
		c = Clock{}
		c.Pass(0, time, time)
		if e, o := w.Due(&c, false); o != want || o != 0 && e.Seq != 1 {
			t.Errorf("at %d: %v %v, want %v of seq 1: the lowest first", time, e, o, want)
		}
	}
	if _, o := w.Due(&c, true); c.Highest[0] > 1100 && o != Assumed {
		t.Errorf("%v, want assumed", o)
	}
}

// TestClockIdle: a partition counts as read up to now only if it ever held a record, and a copy stays as it was.
func TestClockIdle(t *testing.T) {
	var c Clock
	c.Pass(1, 1000, 1000)
	c.See(5000, 5000)
	before := c.Clone()
	c.Idle(0, 5000, 0)
	c.Idle(7, 5000, 0)
	if now, ok := c.Time(); now != 1000 || !ok {
		t.Errorf("label time %d %v: a partition without records counts", now, ok)
	}
	c.Idle(1, 5000, 0)
	if now, _ := c.Time(); now != 5000 {
		t.Errorf("label time %d, want 5000", now)
	}
	if now, _ := before.Time(); now != 1000 {
		t.Errorf("the copy has label time %d", now)
	}
}

// TestClockIdleBound: a wall clock that is wrong moves label time no further than Ahead beyond the newest timestamp,
// and from there on as time passes, over a restart too. One that is right is followed.
func TestClockIdleBound(t *testing.T) {
	const year = 365 * 24 * 60 * 60 * 1000
	c := Clock{Ahead: 100}
	c.Hold(0)
	is := func(now, ran, want int64) {
		t.Helper()
		c.Idle(0, now, ran)
		if got, ok := c.Time(); ok != (want > 0) || ok && got != want {
			t.Errorf("label time after %d is %d %v, want %d", ran, got, ok, want)
		}
	}
	is(year, 5000, 0) // nothing was handled yet
	c.Pass(0, 10_000, 10_500)
	is(10_500, 6000, 10_100)
	is(10_900, 6400, 10_500)
	is(12_900, 8400, 12_500)
	c.See(12_000, 14_000)
	is(year, 9900, 14_000) // an older one does not hold time up
	c.See(20_000, year)
	is(year, 9900, 20_100)
	is(20_050, 9900, 20_100)
	is(year, 10_000, 20_200)
	saved, err := json.Marshal(c.Clone())
	if err != nil {
		t.Fatal(err)
	}
	c = Clock{Ahead: 100}
	if err := json.Unmarshal(saved, &c); err != nil {
		t.Fatal(err)
	}
	is(year, 30, 20_200)
	is(year, 50, 20_220)
	c.See(2*year, 21_000) // a timestamp far ahead is of when it was handled
	is(year, 50, 21_100)
}
