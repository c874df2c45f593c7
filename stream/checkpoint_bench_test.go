package stream

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

// largeState is a model of which all slots are in use.
func largeState(b *testing.B, bits int) *state.State {
	_, fixed := benchChunk(b, 1, bits)
	st := benchState(b, fixed)
	for _, c := range st.Proc.Binary().Columns() {
		for i := range c.Float64 {
			c.Float64[i] = 1
		}
		for i := range c.Uint16 {
			c.Uint16[i] = 1
		}
	}
	st.Positions = []int64{0}
	return st
}

// learnSlots learns examples of 30 numbers each that change as many slots, at random; all of them if that is 0. It
// returns the longest time that one took.
func learnSlots(b *testing.B, st *state.State, slots, bits int, rng *rand.Rand) (longest time.Duration) {
	x := make([]learner.Feature, 30)
	for i := 0; i < max(slots, (1-min(slots, 1))<<bits); i += len(x) {
		for j := range x {
			slot := rng.Uint32N(1 << bits)
			if slots == 0 {
				slot = uint32(i+j) % (1 << bits)
			}
			x[j] = learner.Feature{Slot: slot, Print: 1, Value: 1 + rng.Float64()}
		}
		begin := time.Now()
		e := event.Example{Label: 1 - 2*int8(i/len(x)%2), Family: event.PlusMinus, Weight: 1}
		o, rejected := st.Proc.Predict(&e, x)
		if rejected != nil {
			b.Fatal(rejected)
		}
		st.Proc.Learn(&topics.Record{}, o)
		longest = max(longest, time.Since(begin))
		st.Seq++
	}
	return longest
}

// BenchmarkCheckpoint saves a model after so many slots have changed: what that writes, how long it takes, and the
// longest that learning waits for the copy. While the copy is under way, an example is learned after each step.
func BenchmarkCheckpoint(b *testing.B) {
	for _, bits := range []int{18, 24} {
		st := largeState(b, bits)
		rng := rand.New(rand.NewPCG(1, 2))
		store := &checkpoint.Store{Dir: b.TempDir()}
		if _, err := saveNow(st, store, &state.Config{}, topics.Ends{}, topics.EndEpochs{}); err != nil {
			b.Fatal(err)
		}
		snap, err := newSnapshot(st)
		if err != nil {
			b.Fatal(err)
		}
		for snap.replica.Begin(); !snap.replica.Step(); { // memory that was never written to is another matter
		}
		for _, slots := range []int{1000, 100_000, 0} {
			name := fmt.Sprintf("bits=%d/slots=%d", bits, slots)
			if slots == 0 {
				name = fmt.Sprintf("bits=%d/slots=all", bits)
			}
			b.Run(name, func(b *testing.B) {
				var longest, learning, saving time.Duration
				var bytes int64
				for b.Loop() {
					learnSlots(b, st, slots, bits, rng)
					pause, learned := copyBesideLearning(b, st, snap, bits, rng)
					longest, learning = max(longest, pause), max(learning, learned)
					snap.setEnds(topics.Ends{})
					saved, err := snap.save(store, nil)
					if err != nil {
						b.Fatal(err)
					}
					saving += saved.Duration
					bytes += saved.Bytes
				}
				b.ReportMetric(float64(bytes)/float64(b.N), "B/save")
				b.ReportMetric(float64(saving.Milliseconds())/float64(b.N), "ms/save")
				b.ReportMetric(float64(longest.Microseconds()), "µs-longest-pause")
				b.ReportMetric(float64(learning.Microseconds()), "µs-longest-example")
			})
		}
	}
}

func copyBesideLearning(b *testing.B, st *state.State, snap *snapshot, bits int, rng *rand.Rand) (
	pause, learning time.Duration) {
	begin := time.Now()
	snap.begin(st, &state.Config{})
	for done := false; !done; {
		done = snap.step()
		pause = max(pause, time.Since(begin))
		learning = max(learning, learnSlots(b, st, 30, bits, rng))
		begin = time.Now()
	}
	<-snap.copied
	return pause, learning
}

// BenchmarkLoad reads a checkpoint that builds on another, of which a tenth has changed.
func BenchmarkLoad(b *testing.B) {
	for _, bits := range []int{18, 24} {
		b.Run(fmt.Sprintf("bits=%d", bits), func(b *testing.B) {
			st := largeState(b, bits)
			store := &checkpoint.Store{Dir: b.TempDir()}
			for range 2 {
				if _, err := saveNow(st, store, &state.Config{}, topics.Ends{}, topics.EndEpochs{}); err != nil {
					b.Fatal(err)
				}
				learnSlots(b, st, 1<<bits/80, bits, rand.New(rand.NewPCG(1, 2)))
			}
			for b.Loop() {
				f, _, err := store.Newest()
				if err != nil || len(f.BuildsOn) == 0 {
					b.Fatal(f.BuildsOn, err)
				}
				if _, _, err := model.Read(f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
