package produce

import (
	"testing"
	"time"
	"unsafe"
)

// slept is a time of which the wall clock has gone on and the monotonic one has not, as after a machine's sleep.
// Package time makes no such value to order: bits 30 to 62 of its first word are the wall clock's seconds (see the
// source of time.Time).
func slept(at time.Time, seconds int) time.Time {
	word := (*uint64)(unsafe.Pointer(&at))
	*word = uint64(int64(*word) + int64(seconds)<<30)
	return at
}

// TestAge (row 47): the clock that has advanced further gives the age of a fence.
func TestAge(t *testing.T) {
	t.Parallel()
	began := time.Now()
	asleep, back := slept(began, 7200), slept(began.Add(3*time.Hour), -9*3600)
	if asleep.Sub(began) != 0 || asleep.Round(0).Sub(began.Round(0)) != 2*time.Hour || back.Sub(began) != 3*time.Hour {
		t.Fatal("time.Time is no longer laid out as this test has it")
	}
	for now, want := range map[time.Time]time.Duration{
		began.Add(time.Minute):            time.Minute,
		asleep:                            2 * time.Hour, // the wall clock says more
		back:                              3 * time.Hour, // the wall clock was set back
		began.Round(0).Add(2 * time.Hour): 2 * time.Hour,
	} {
		if got := age(began, now); got != want {
			t.Errorf("age %v, want %v", got, want)
		}
	}
}

// TestSequence: sequences go on at 0 after 2147483647.
func TestSequence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sequence int32
		records  int
		want     int32
	}{{0, 3, 3}, {2147483646, 1, 2147483647}, {2147483647, 1, 0}, {2147483646, 5, 3}} {
		if got := advance(c.sequence, c.records); got != c.want {
			t.Errorf("%d after %d records: %d, want %d", c.sequence, c.records, got, c.want)
		}
	}
}
