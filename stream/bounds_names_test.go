package stream_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// learnAll predicts and learns n records as the daemon does, and counts the reasons of those rejected.
func learnAll(t *testing.T, proc *model.Processor, o event.Options, n int,
	value func(i int) string) map[event.Reason]int {
	t.Helper()
	d, err := event.New(o)
	if err != nil {
		t.Fatal(err)
	}
	rejected := map[event.Reason]int{}
	var arena []learner.Feature
	for i := range n {
		r := topics.Record{Offset: int64(i), Value: []byte(value(i))}
		var e event.Example
		arena = d.Decode(&r, arena[:0], &e)
		out, why := proc.Predict(&e, e.Features(arena))
		if why != nil {
			rejected[why.Reason]++
			continue
		}
		proc.Learn(&r, out)
	}
	return rejected
}

func processor(t *testing.T, f model.Config) *model.Processor {
	t.Helper()
	proc, err := model.NewProcessor(f)
	if err != nil {
		t.Fatal(err)
	}
	return proc
}

// TestAMillionNames: each of a million events brings a name never seen before, 200 bytes long. The table of names holds
// one for each slot at most, 262,144 at most, cut at 256 bytes; as it grows it is copied, so up to twice that is held.
// After that nothing grows.
func TestAMillionNames(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory: not with -short")
	}
	const (
		bits  = 14
		slots = 1 << bits
		most  = slots*34 + 2*slots*(6+200) + 2*mib // the model, the names, the decoders
	)
	const n = 1_000_000
	o := event.Defaults(event.JSON)
	o.Bits = bits
	before := held()
	proc := processor(t, model.Config{Decode: o, Learner: learner.Spec{Learner: "perceptron", Scale: "standard",
		Bits: bits}.WithDefaults()})
	pad := strings.Repeat("n", 193)
	value := func(i int) string { return fmt.Sprintf(`{"id":"e%d","label":%d,"%s%07d":1}`, i, 2*(i%2)-1, pad, i) }
	if rejected := learnAll(t, proc, o, n/4, value); len(rejected) > 0 {
		t.Fatal(rejected)
	}
	quarter := held() - before
	learnAll(t, proc, o, n, func(i int) string { return value(i + n) })
	all := held() - before
	t.Logf("%d KiB after %d names, %d KiB after %d", quarter>>10, n/4, all>>10, n/4+n)
	if all > most || all > quarter+mib/4 {
		t.Errorf("%d KiB held, and %d KiB after a quarter: want at most %d KiB, and no growth", all>>10, quarter>>10,
			most>>10)
	}
	runtime.KeepAlive(proc)
}

// TestAMillionClasses: labels of a million classes. The first of them become classes, up to the limit; events of the
// others are rejected and cost nothing that stays.
func TestAMillionClasses(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory: not with -short")
	}
	const (
		bits    = 8
		classes = 100
		slots   = 1 << bits
		most    = classes*slots*10 + mib // a weight vector each, names and figures
	)
	const n = 1_000_000
	o := event.Defaults(event.JSON)
	o.Bits, o.Task = bits, event.Multiclass
	before := held()
	proc := processor(t, model.Config{Decode: o, MaxClasses: classes,
		Learner: learner.Spec{Learner: "perceptron", Scale: "none", Bits: bits}.WithDefaults()})
	rejected := learnAll(t, proc, o, n, func(i int) string {
		return fmt.Sprintf(`{"label":"class number %d","x":%d}`,
			i, i%10)
	})
	if rejected[event.TooManyClasses] != n-classes || len(rejected) != 1 {
		t.Errorf("rejected %v, want %d too-many-classes", rejected, n-classes)
	}
	all := held() - before
	t.Logf("%d KiB held", all>>10)
	if all > most {
		t.Errorf("%d KiB held, want at most %d", all>>10, most>>10)
	}
	runtime.KeepAlive(proc)
}
