package simulation

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
)

const (
	envSeed = "ROSENBLATT_SEED"       // plays this one
	envTime = "ROSENBLATT_SIMULATION" // how long to go on, such as 90s
)

// TestSimulation plays one seed after the other until its time is over.
func TestSimulation(t *testing.T) {
	limit, seed := 3*time.Second, uint64(1)
	if testing.Short() {
		limit = time.Second
	}
	if text := os.Getenv(envTime); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatalf("%s: %v", envTime, err)
		}
		limit, seed = d, uint64(time.Now().Unix())<<16
	}
	only := os.Getenv(envSeed)
	if only != "" {
		n, err := strconv.ParseUint(only, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", envSeed, err)
		}
		seed = n
	}
	counts := map[string]int{}
	var simulated time.Duration
	runs, began := 0, time.Now()
	for ; runs == 0 || only == "" && time.Since(began) < limit && !t.Failed(); seed++ {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) { simulated += run(t, seed, only != "", counts) })
		runs++
	}
	var lines []string
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		lines = append(lines, fmt.Sprintf("%8d %s", counts[what], what))
	}
	t.Logf("%d runs in %v, %.2f simulated hours, the last one with seed %d\n%s", runs,
		time.Since(began).Round(time.Millisecond), simulated.Hours(), seed-1, strings.Join(lines, "\n"))
}

// hangs is how long a run may take by the clock on the wall; most take less than a second, and three minutes beside
// much else.
const hangs = 9 * time.Minute

// run plays the worlds of a seed and returns how long they took by their own clock.
func run(t *testing.T, seed uint64, verbose bool, counts map[string]int) (simulated time.Duration) {
	// A goroutine that waits for a mutex stops the clock of synctest for good where its owner waits for time.
	watch := time.AfterFunc(hangs, func() { panic(fmt.Sprintf("seed %d hangs", seed)) })
	defer watch.Stop()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		defer func() { simulated = time.Since(began) }()
		worlds := newWorlds(t, seed)
		for _, w := range worlds {
			if verbose {
				w.setup.Log = zerolog.New(writer{w})
			}
		}
		play(worlds)
		for _, w := range worlds {
			w.report(seed, verbose, counts)
		}
	})
	return simulated
}

// play runs worlds to their ends.
func play(worlds []*world) {
	defer worlds[0].close()
	var others sync.WaitGroup
	defer others.Wait()
	for _, w := range worlds[1:] {
		others.Go(w.play)
	}
	worlds[0].play()
}

// report adds to the counts, and fails the test where something was wrong.
func (w *world) report(seed uint64, verbose bool, counts map[string]int) {
	for what, n := range w.counts {
		counts[what] += n
	}
	if verbose {
		w.t.Logf("the schedule of %s\n%s", w.setup.Config.Model, strings.Join(w.lines, "\n"))
	}
	if w.wrong != "" {
		lines := w.lines[max(0, len(w.lines)-60):]
		w.t.Errorf("%s\nagain: %s=%d go test ./stream/simulation -run TestSimulation -count=5 -v\nthe end of the"+
			" schedule:\n%s", w.wrong, envSeed, seed, strings.Join(lines, "\n"))
	}
}

// writer puts the tasks' own log into the schedule.
type writer struct{ w *world }

func (x writer) Write(b []byte) (int, error) {
	x.w.logf("log %s", strings.TrimSpace(string(b)))
	return len(b), nil
}
