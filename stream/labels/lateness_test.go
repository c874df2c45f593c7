package labels

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/event"
)

// TestLateness: each label is judged by itself, and what is advised lets 99 % of them come in time.
func TestLateness(t *testing.T) {
	o := event.Defaults(event.JSON)
	label := func(l int8) *event.Example { return &event.Example{Label: l, Family: event.PlusMinus} }
	wait, day := 24*time.Hour, 24*time.Hour.Milliseconds()
	var l Lateness
	for i := range int64(1000) {
		ended := Labelled
		if i%25 == 0 { // 4 %
			ended = Expired
		}
		l.Add(&o, label(-1), ended, i%day)
	}
	if late := l.TooLate(1); late != nil {
		t.Errorf("%+v", late)
	}
	for i := range int64(40) {
		ended := Labelled
		if i >= 10 {
			ended = Expired
		}
		l.Add(&o, label(1), ended, i*day/10)
	}
	late := l.TooLate(1)
	if len(late) != 1 {
		t.Fatalf("%+v", late)
	}
	found, do := late[0].Text(wait, 100)
	if !strings.HasPrefix(found, "75 % of the labels 1 came too late, 30 of 40:") ||
		!strings.HasPrefix(do, "--label-wait 5d would be enough") || !strings.HasSuffix(do, "(now 24h)") {
		t.Errorf("%s: %s", found, do)
	}
	var few Lateness
	few.Add(&o, label(1), Evicted, -1)
	if _, do := few.TooLate(1)[0].Text(wait, 100); do != "raise --waiting-examples (now 100)" {
		t.Error(do)
	}
	if few.TooLate(FewLate) != nil {
		t.Error("one label of a task that goes on is told")
	}
}

// TestLatenessForgets: what a task counts is of the newest records, and bounded.
func TestLatenessForgets(t *testing.T) {
	o := event.Defaults(event.JSON)
	l := Lateness{Fades: true}
	label := &event.Example{Label: 1, Family: event.PlusMinus}
	for range 1000 {
		l.Add(&o, label, Expired, -1)
	}
	if len(l.TooLate(1)) != 1 {
		t.Error("all came too late")
	}
	for range 20_000 {
		l.Add(&o, label, Labelled, 5)
	}
	if late := l.TooLate(1); late != nil {
		t.Errorf("%+v", late)
	}
	for i := range 300 {
		l.Add(&o, &event.Example{Class: []byte{'a', byte('a' + i/26), byte('a' + i%26)}}, Labelled, 1)
	}
	if len(l.list) != mostLabels+1 || l.list[mostLabels].Label != "others" {
		t.Errorf("%d labels", len(l.list))
	}
}

// TestDelayBuckets: a bound is above what it is of, by a quarter at most.
func TestDelayBuckets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 100_000 {
		ms := int64(i)
		if i > 50_000 {
			ms = r.Int64() >> r.IntN(63)
		}
		if b := bucket(ms); b < 0 || b > 255 || ms < 1<<50 && (bound(b) <= ms || bound(b) > ms+ms/4+1) {
			t.Fatalf("%d ms: bucket %d, bound %d", ms, b, bound(b))
		}
	}
	for d, want := range map[time.Duration]string{36 * time.Hour: "36h", 48 * time.Hour: "2d", 90 * time.Minute: "90m",
		time.Second: "1s", 24 * time.Hour: "24h", 1500 * time.Millisecond: "1.5s"} {
		if got := Span(d); got != want {
			t.Errorf("%v is %s", d, got)
		}
	}
}

// TestSecondsAreNotWaitedFor: where times are in 1970, more waiting mends nothing.
func TestSecondsAreNotWaitedFor(t *testing.T) {
	for seconds, want := range map[bool]string{false: "its event did not wait any longer: raise label wait",
		true: "its event did not wait any longer; " + Seconds} {
		if got := Late.Error(seconds).Message(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestOldTimesAreNoSeconds: seconds of today, read as milliseconds, are of January 1970; times of 1971 to 1999 are
// those of old records.
func TestOldTimesAreNoSeconds(t *testing.T) {
	for timestamp, want := range map[int64]bool{-1: false, 0: false, 881_250_949: true, 1_795_257_554: true,
		881_250_949_000: false, 31_536_000_000: false} {
		if InSeconds(timestamp) != want {
			t.Errorf("%d: in seconds: %v", timestamp, !want)
		}
	}
}
