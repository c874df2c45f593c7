package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// memberFault is what was done to a machine, and the longest time in it without a prediction of a model.
type memberFault struct {
	kind, name string
	began, end time.Time
	gap        time.Duration
	from       time.Time // when that began
	model      int       // of which
}

func (f *memberFault) String() string {
	const ms = "15:04:05.000"
	return fmt.Sprintf("%s %s from %s for %v: gap %v of model %d from %s", f.kind, f.name, f.began.UTC().Format(ms),
		f.end.Sub(f.began).Round(time.Millisecond), f.gap, f.model, f.from.UTC().Format(ms))
}

// gaps finds the longest time without a prediction of a model, of each fault, and of the time without one.
func (x *machines) gaps(t *testing.T) {
	t.Helper()
	top, err := x.client.Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	quiet := &memberFault{kind: "nothing", began: time.Now(), end: time.Now()}
	for p, b := range top.Output.Partitions {
		last := int64(0)
		for _, r := range streamtest.Read(t, topics.Log(x.client), topics.Output, int32(p), b) {
			if last > 0 {
				f := cmp.Or(x.faultAt(time.UnixMilli(last), time.UnixMilli(r.Timestamp)), quiet)
				if gap := time.Duration(r.Timestamp-last) * time.Millisecond; gap > f.gap {
					f.gap, f.from, f.model = gap, time.UnixMilli(last), p
				}
			}
			last = max(last, r.Timestamp)
		}
	}
	x.faults = append(x.faults, quiet)
}

// faultAt is the last fault that began before the end of a gap, unless that was over before the gap began.
func (x *machines) faultAt(from, to time.Time) (at *memberFault) {
	for _, f := range x.faults {
		if to.After(f.began) && from.Before(f.end.Add(time.Second)) {
			at = f
		}
	}
	return at
}

// tell logs the gaps by kind, and fails if one is too long. Beside other tests two seconds more are allowed, and as
// long as this machine has stood still.
func (x *machines) tell(t *testing.T, still time.Duration) {
	t.Helper()
	limit := sessionTimeout + time.Second + still
	if os.Getenv(envMembers) == "" {
		limit += 2 * time.Second
	}
	of := map[string][]time.Duration{}
	for _, f := range x.faults {
		of[f.kind] = append(of[f.kind], f.gap)
		if f.gap <= sessionTimeout+time.Second {
			continue
		}
		t.Log(f)
		x.logOf(t, f)
		if f.gap > limit {
			t.Errorf("a model was without a daemon for %v, longer than %v", f.gap, limit)
		}
	}
	for kind, gaps := range of {
		slices.Sort(gaps)
		t.Logf("%-8s %3d times; longest gap of a model: median %v, worst %v", kind, len(gaps), gaps[len(gaps)/2],
			gaps[len(gaps)-1])
	}
}

// logOf logs what the daemons have printed from five seconds before a gap to a second after it.
func (x *machines) logOf(t *testing.T, f *memberFault) {
	t.Helper()
	for _, m := range x.all {
		for _, log := range m.logs {
			for line := range strings.Lines(log.String()) {
				var at struct{ Time time.Time }
				if json.Unmarshal([]byte(line), &at) == nil && at.Time.After(f.from.Add(-5*time.Second)) &&
					at.Time.Before(f.from.Add(f.gap+time.Second)) {
					t.Logf("%s: %s", m.name, line)
				}
			}
		}
	}
}
