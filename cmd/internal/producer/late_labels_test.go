package producer

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
)

// TestFate: labels come as often, as late and as wrong as they are asked for, and the same for a seed.
func TestFate(t *testing.T) {
	l := LateLabels{Delay: 10 * time.Second, Faults: []string{"never=0.02", "twice=0.2", "early=0.1", "orphan=0.05"}}
	var plans [3]strings.Builder
	for i, seed := range []uint64{1, 1, 2} {
		fate, err := l.fate(seed)
		if err != nil {
			t.Fatal(err)
		}
		const n = 20_000
		var counts [labelKinds]int
		var never int
		var sum, most time.Duration
		for range n {
			var e outgoing
			fate.plan(&e, LabelRecord{}, LabelRecord{})
			for _, r := range e.labels {
				counts[r.kind]++
				if r.kind == onlyLabel {
					sum, most = sum+r.After, max(most, r.After)
				}
				early := r.kind == earlyLabel
				if r.kind != orphanLabel && early != (e.hold > 0) || e.hold >= maxEarly || early && r.After > 0 {
					t.Fatalf("%+v", e)
				}
			}
			if e.never {
				never++
			}
			fmt.Fprint(&plans[i], e.hold, e.labels)
		}
		about := func(what string, got int, share float64) {
			t.Helper()
			if want := share * n; math.Abs(float64(got)-want) > 5*math.Sqrt(want) {
				t.Errorf("seed %d: %d %s, want about %v", seed, got, what, want)
			}
		}
		about("without a label", never, 0.02)
		about("with two", counts[repeatedLabel], 0.2)
		about("early", counts[earlyLabel], 0.1)
		about("of no event", counts[orphanLabel], 0.05)
		about("with one in time or two", counts[onlyLabel], 0.88)
		mean := sum / time.Duration(counts[onlyLabel])
		if mean < 9500*time.Millisecond || mean > 10500*time.Millisecond || most > 20*time.Second {
			t.Errorf("seed %d: delays of %v on average, at most %v", seed, mean, most)
		}
	}
	if plans[0].String() != plans[1].String() || plans[0].String() == plans[2].String() {
		t.Error("a seed is not a plan")
	}
}

// TestTakeLabel: the event loses its label, and the label record has the event's id as it is written.
func TestTakeLabel(t *testing.T) {
	for _, c := range []struct{ format, value, event, label, orphan string }{
		{"json", `{"id":7,"label":"up","x":1}`, `{"id":7,"x":1}`, `{"id":7,"label":"up"}`,
			`{"id":"7-none","label":"up"}`},
		{"json", `{"id":"e7","label":-1}`, `{"id":"e7"}`, `{"id":"e7","label":-1}`, `{"id":"e7-none","label":-1}`},
		{"json", `{"label":-1}`, `{"label":-1}`, ``, ``},
		{"json", `{"id":"e7","x":1}`, `{"id":"e7","x":1}`, ``, ``},
		{"json", `broken`, `broken`, ``, ``},
		{"csv", `7,"a,b",2`, `7,,2`, `7,"a,b"`, `7-none,"a,b"`},
		{"csv", `7,,2`, `7,,2`, ``, ``},
	} {
		late := LateLabels{Out: "labels", LabelField: "label", Faults: []string{"orphan=1"}}
		s := &Settings{IDField: "id", LateLabels: late}
		w, err := s.Splitter(c.format, &source.Table{Columns: []string{"id", "label", "x"}})
		if err != nil {
			t.Fatal(err)
		}
		e := outgoing{value: []byte(c.value)}
		w.takeLabel(&e)
		if string(e.value) != c.event || e.bare != (c.label == "") {
			t.Errorf("%s: event %s, want %s", c.value, e.value, c.event)
		}
		var got []string
		for _, l := range e.labels {
			got = append(got, string(l.Value))
		}
		if strings.Join(got, " ") != strings.TrimSpace(c.label+" "+c.orphan) {
			t.Errorf("%s: labels %q, want %s %s", c.value, got, c.label, c.orphan)
		}
	}
}

// TestIdentify: ids of their own take the place of others, or a column of their own.
func TestIdentify(t *testing.T) {
	table := source.Table{Columns: []string{"x", "label"}}
	for _, c := range []struct {
		format, value, want string
		table               source.Table
	}{
		{"json", `{"x":1}`, `{"id":"r3","x":1}`, source.Table{}},
		{"json", `{"id":7,"x":1}`, `{"id":"r3","x":1}`, source.Table{}},
		{"json", `broken`, `broken`, source.Table{}},
		{"csv", `1,0`, `1,0,r3`, table},
		{"csv", `1,9`, `r3,9`, source.Table{Columns: []string{"id", "x"}}},
	} {
		w, err := (&Settings{IDField: "id", IDPrefix: "r"}).Splitter(c.format, &c.table)
		if err != nil {
			t.Fatal(err)
		}
		e := outgoing{value: []byte(c.value)}
		if w.identify(3, &e); string(e.value) != c.want {
			t.Errorf("%s: %s, want %s", c.value, e.value, c.want)
		}
	}
	if _, err := (&Settings{IDPrefix: "r"}).Splitter(event.VW, &source.Table{}); err == nil {
		t.Error("ids for events without fields")
	}
}

// TestLabelQueue: each record is sent when it is due, an early label before its event.
func TestLabelQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, log := time.Now(), []string{}
		to := func(topic string) write {
			return func(_ context.Context, batch []outgoing) error {
				for _, e := range batch {
					log = append(log, fmt.Sprintf("%v %s %s", time.Since(began), topic, e.value))
				}
				return nil
			}
		}
		q := newLabelQueue(to("events"), to("labels"))
		label := func(v string, after time.Duration, kind labelKind) []LabelRecord {
			return []LabelRecord{{Value: []byte(v), After: after, kind: kind}}
		}
		done := make(chan error, 1)
		go func() { done <- q.run(t.Context()) }()
		batch := []outgoing{
			{value: []byte("a"), labels: label("la", 3*time.Second, onlyLabel)},
			{value: []byte("b"), labels: label("lb", time.Second, onlyLabel)},
			{value: []byte("c"), labels: label("lc", 0, earlyLabel), hold: time.Second / 2},
			{value: []byte("d"), never: true},
		}
		if err := q.deliver(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if last, n := q.close(); n != 2 || last.Sub(began) != 3*time.Second {
			t.Errorf("%d labels until %v, want 2 until 3s", n, last.Sub(began))
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		sequence := "0s events a, 0s events b, 0s events d, 0s labels lc, 500ms events c, 1s labels lb, 3s labels la"
		if got := strings.Join(log, ", "); got != sequence {
			t.Errorf("got  %s\nwant %s", got, sequence)
		}
		want := "3 labels, 1 event without a label, 1 label before the event"
		if got := q.counts.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// TestInterruptedLabelsAreCounted: those that are not sent are named.
func TestInterruptedLabelsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		none := func(context.Context, []outgoing) error { return nil }
		q := newLabelQueue(none, none)
		ctx, interrupt := context.WithCancel(t.Context())
		later := []LabelRecord{{After: time.Second}, {After: time.Hour}}
		err := q.deliver(ctx, []outgoing{{labels: later}, {bare: true}})
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Minute, interrupt)
		if err := q.run(ctx); err != nil {
			t.Fatal(err)
		}
		var out, warnings strings.Builder
		q.summarize(&cli.Program{Stdout: &out, Stderr: &warnings}, "labels", 0)
		if out.String() != "in labels: 1 label; 1 are not sent\n" ||
			warnings.String() != "sent as they are, without an id or a label: 1 event\n" {
			t.Errorf("%q %q", out.String(), warnings.String())
		}
	})
}
