package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/stream/streamtest"
)

// where is a record.
type where struct {
	topic     string
	partition int32
	offset    int64
}

// answers are what was published of each record, read as it comes: retention removes it.
type answers struct {
	*streamtest.Setup
	mu          sync.Mutex
	predictions map[where][]time.Time
	outcomes    map[where][]string // of events
	used        map[where]int      // label records, by outcomes
	letters     map[where][]string // reasons of dead letters
}

// readAnswers reads output, outcomes and dead letters until the test ends.
func readAnswers(t *testing.T, s *streamtest.Setup, partitions int) *answers {
	t.Helper()
	a := &answers{Setup: s, predictions: map[where][]time.Time{}, outcomes: map[where][]string{}, used: map[where]int{},
		letters: map[where][]string{}}
	from := map[string]map[int32]kgo.Offset{}
	for _, topic := range []string{s.Output(), s.DeadLetters(), s.Name + ".outcomes"} {
		from[topic] = map[int32]kgo.Offset{}
		for p := range int32(partitions) {
			from[topic][p] = kgo.NewOffset().At(0)
		}
	}
	c, err := kgo.NewClient(kgo.SeedBrokers(s.Cluster.Brokers...), kgo.ConsumePartitions(from),
		kgo.ConsumeResetOffset(kgo.NoResetOffset()), kgo.FetchIsolationLevel(kgo.ReadCommitted()))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		for ctx.Err() == nil {
			fetched := c.PollFetches(ctx)
			for _, e := range fetched.Errors() {
				if ctx.Err() == nil {
					t.Errorf("read %s/%d: %v", e.Topic, e.Partition, e.Err)
				}
			}
			fetched.EachRecord(func(r *kgo.Record) { a.take(t, r) })
		}
	})
	t.Cleanup(func() { stop(); running.Wait(); c.Close() })
	return a
}

func (a *answers) take(t *testing.T, r *kgo.Record) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.Topic == a.DeadLetters() {
		header := map[string]string{}
		for _, h := range r.Headers {
			header[h.Key] = string(h.Value)
		}
		p, err := strconv.ParseInt(header["rosenblatt.partition"], 10, 32)
		offset, err2 := strconv.ParseInt(header["rosenblatt.offset"], 10, 64)
		if err != nil || err2 != nil {
			t.Errorf("a dead letter has %v", header)
		}
		at := where{header["rosenblatt.topic"], int32(p), offset}
		a.letters[at] = append(a.letters[at], header["rosenblatt.reason"])
		return
	}
	var x struct {
		Partition      int32
		Offset         int64
		Outcome        string
		LabelPartition *int32
		LabelOffset    int64
	}
	if err := json.Unmarshal(r.Value, &x); err != nil {
		t.Errorf("%s/%d holds %q", r.Topic, r.Partition, r.Value)
	}
	at := where{a.Name, x.Partition, x.Offset}
	if x.Outcome == "" {
		a.predictions[at] = append(a.predictions[at], r.Timestamp)
		return
	}
	a.outcomes[at] = append(a.outcomes[at], x.Outcome)
	if x.LabelPartition != nil {
		a.used[where{a.Name + ".labels", *x.LabelPartition, x.LabelOffset}]++
	}
}

// byID are the committed records of an id.
type byID struct {
	events, labels []*loaded

	unread bool // an event of the id is in a transaction that is open or was aborted: its labels are of no event
}

func (l *load) byID() map[string]*byID {
	all := map[string]*byID{}
	for _, x := range l.records {
		if x.id == "" {
			continue
		}
		of := all[x.id]
		if of == nil {
			of = new(byID)
			all[x.id] = of
		}
		switch {
		case x.readable.IsZero():
			of.unread = of.unread || x.topic == l.Name
		case x.topic == l.Name:
			of.events = append(of.events, x)
		default:
			of.labels = append(of.labels, x)
		}
	}
	return all
}

// missing are the records that do not have what they must have in the end; wrong says what cannot become right.
func (a *answers) missing(l *load) (missing, wrong []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	ids, known := l.byID(), map[where]bool{}
	for _, x := range l.records {
		at := where{x.topic, x.partition, x.offset}
		known[at] = true
		if x.readable.IsZero() && !x.aborted {
			continue // not stored, or in a transaction that is open
		}
		of := cmp.Or(ids[x.id], new(byID))
		got := [4]int{len(a.predictions[at]), len(a.outcomes[at]), a.used[at], len(a.letters[at])}
		least, most := [4]int{}, [4]int{} // of predictions, outcomes, outcomes by it, dead letters
		switch {
		case x.aborted || x.what == aNull:
		case x.what == aBroken:
			least[3], most[3] = 1, 1
		case x.what == ownLabel:
			least[0], most[0] = 1, 1
		case x.what == anEvent:
			least[0], most[0], most[1] = 1, 1, 1
			if len(of.labels) > 0 && len(of.events) == 1 {
				least[1] = 1
			}
		case x.what == orphan:
			least[3], most[3] = 1, 1
		default:
			most[2], most[3] = 1, 1
			if got[2]+got[3] == 0 && !x.repeats(of) {
				least[2] = 1
			}
			if got[2]+got[3] > 1 || a.lost(x, of) {
				wrong = append(wrong, fmt.Sprintf("%v: %d outcomes, dead letters %v; its events %v", x, got[2],
					a.letters[at], of.events))
			}
		}
		for i := range got {
			if got[i] < least[i] {
				missing = append(missing, fmt.Sprintf("%v: has %v, not %v; events %v, labels %v", x, got, least,
					of.events, of.labels))
			}
			if got[i] > most[i] {
				wrong = append(wrong, fmt.Sprintf("%v: predictions %v, outcomes %v, %d by it, dead letters %v", x,
					a.predictions[at], a.outcomes[at], got[2], a.letters[at]))
			}
		}
	}
	for _, all := range []map[where]bool{has(a.predictions), has(a.outcomes), has(a.used), has(a.letters)} {
		for at := range all {
			if l.stop.Err() != nil && !known[at] {
				wrong = append(wrong, fmt.Sprintf("%+v was never produced", at))
			}
		}
	}
	return missing, wrong
}

// lost reports whether a label was of no event though its event waited for it. An id that is settled may be forgotten.
func (a *answers) lost(x *loaded, of *byID) bool {
	letters := a.letters[where{x.topic, x.partition, x.offset}]
	if x.what != aLabel || len(of.events) != 1 || of.unread || !slices.Contains(letters, "no-example") {
		return false
	}
	e := of.events[0]
	ended := a.outcomes[where{e.topic, e.partition, e.offset}]
	return slices.Contains(ended, "expired")
}

func has[V any](m map[where]V) map[where]bool {
	all := map[where]bool{}
	for at := range m {
		all[at] = true
	}
	return all
}

// repeats reports whether a label may be the same as another one of its event, or as the own one of an event with its
// id.
func (x *loaded) repeats(of *byID) bool {
	return slices.ContainsFunc(of.labels, func(y *loaded) bool { return x != y && x.label == y.label }) ||
		slices.ContainsFunc(of.events, func(y *loaded) bool { return y.what == ownLabel && x.label == y.label })
}

// settled waits until every record has its answer.
func (a *answers) settled(t *testing.T, l *load, meanwhile func(t *testing.T)) {
	t.Helper()
	var missing, wrong []string
	for late := streamtest.Timeout(t, time.Minute); ; meanwhile(t) {
		if missing, wrong = a.missing(l); len(missing) == 0 || late.Err() != nil {
			break
		}
	}
	for _, m := range missing[:min(20, len(missing))] {
		t.Errorf("missing: %s", m)
	}
	for _, w := range wrong[:min(20, len(wrong))] {
		t.Error(w)
	}
	t.Log(l.counts())
	of := map[string]int{"predictions": len(a.predictions)}
	for _, all := range []map[where][]string{a.outcomes, a.letters} {
		for _, what := range all {
			of[what[0]]++
		}
	}
	text := ""
	for _, what := range slices.Sorted(maps.Keys(of)) {
		text += fmt.Sprintf("%s %d, ", what, of[what])
	}
	t.Logf("%d records wrong; published: %s", len(wrong), text)
}

// waits finds the longest time from when an event was to be read to its prediction, of each fault.
func (x *machines) waits(l *load, a *answers) {
	quiet := &memberFault{kind: "nothing", began: time.Now(), end: time.Now()}
	for _, r := range l.records {
		at := a.predictions[where{r.topic, r.partition, r.offset}]
		if r.topic != l.Name || len(at) == 0 {
			continue
		}
		from := l.from(r)
		f := x.faultAt(from, at[0])
		if f == nil {
			f = quiet
		}
		if gap := at[0].Sub(from); gap > f.gap {
			f.gap, f.from, f.model = gap, from, int(r.partition)
		}
	}
	x.faults = append(x.faults, quiet)
}
