package checkpoint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// history is a sequence of saves. It simulates a power loss before each operation and after the last.
type history struct {
	mem        *vfs.MemFS
	restart    func(after *vfs.MemFS) error // checks what a power loss has left
	durable    int                          // generation of the last save that returned
	seqs       []uint64
	steps      int
	violations []string
	enough     bool // stop checking at the first violation
}

// With these saves pruning occurs, and two seqs are replaced.
var saved = []uint64{3, 9, 10, 10, 11, 12, 12, 100}

// runHistory saves consecutive generations without the operations for which skip returns true.
func runHistory(t *testing.T, keep int, skip func(op string) bool) *history {
	t.Helper()
	h := &history{mem: vfs.NewCrashableMem(), seqs: saved, enough: skip != nil}
	h.restart = h.restartWhole
	s := h.store(t, keep, skip)
	for i, seq := range h.seqs {
		mustSave(t, s, seq, i+1)
		h.durable = i + 1
		h.cutPower(t)
	}
	return h
}

// store loses the power before each operation.
func (h *history) store(t *testing.T, keep int, skip func(op string) bool) *Store {
	return &Store{Dir: testDir, Keep: keep, FS: &opFS{under: memFS{h.mem}, skip: skip, before: func(op string) error {
		if k := kind(op); k != "read" && k != "open" && k != "list" { // nothing has happened since the one before
			h.cutPower(t)
		}
		return nil
	}}}
}

// cutPower checks what a disk may hold after a power loss now: nothing, all or any part of what is not synced.
func (h *history) cutPower(t *testing.T) {
	t.Helper()
	if h.enough && len(h.violations) > 0 {
		return
	}
	h.steps++
	for seed, percent := range []int{0, 100, 50, 50, 50, 20, 80} {
		rng := rand.New(rand.NewPCG(uint64(seed), uint64(h.steps)))
		after := h.mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rng})
		h.loseNames(t, after, percent, rng)
		if err := h.restart(after); err != nil {
			h.violations = append(h.violations, fmt.Sprintf(
				"step %d, generation %d durable, %d%% of the unsynced data kept: %v",
				h.steps, h.durable, percent, err))
		}
	}
}

// loseNames makes some of the removals durable that no fsync of the folder has made so; CrashClone makes none.
func (h *history) loseNames(t *testing.T, after *vfs.MemFS, percent int, rng *rand.Rand) {
	t.Helper()
	names, err := after.List(testDir)
	if err != nil {
		return // the folder itself is lost
	}
	slices.Sort(names) // the same ones each time
	for _, name := range names {
		path := testDir + "/" + name
		if _, err := h.mem.Stat(path); err == nil || rng.IntN(100) >= percent {
			continue
		}
		if err := after.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := (memFS{after}).SyncDir(testDir); err != nil {
		t.Fatal(err)
	}
}

// restartWhole checks that a process started after the power loss finds the last save that returned, or the one in
// progress, complete, and can continue.
func (h *history) restartWhole(after *vfs.MemFS) error {
	s := &Store{FS: memFS{after}, Dir: testDir}
	f, aside, err := s.Newest()
	if err != nil {
		return err
	}
	if len(aside) > 0 {
		return fmt.Errorf("a checkpoint is incomplete: %v", aside[0].Why)
	}
	if f == nil && h.durable > 0 {
		return fmt.Errorf("no checkpoint")
	}
	if f != nil {
		generation, err := generationOf(f)
		if err != nil {
			return fmt.Errorf("a mix: %w", err)
		}
		if generation != h.durable && generation != h.durable+1 || f.Seq != h.seqs[generation-1] {
			return fmt.Errorf("generation %d at %d", generation, f.Seq)
		}
	}
	return resume(s, after)
}

// resume saves once more, loses the power and everything unsynced, and checks that only this save is found.
func resume(s *Store, disk *vfs.MemFS) error {
	if _, err := save(s, 1000, 77); err != nil {
		return err
	}
	again := &Store{FS: memFS{disk.CrashClone(vfs.CrashCloneCfg{})}, Dir: testDir}
	f, _, err := again.Newest()
	if err != nil || f == nil {
		return fmt.Errorf("after another save: %v, %w", f, err)
	}
	if generation, err := generationOf(f); err != nil || generation != 77 || f.Seq != 1000 {
		return fmt.Errorf("after another save: generation %d at %d, %w", generation, f.Seq, err)
	}
	names, err := disk.List(testDir)
	for _, name := range names {
		if strings.HasSuffix(name, ".tmp") {
			return fmt.Errorf("after another save: %s remains", name)
		}
	}
	return err
}

func TestPowerLossAtEveryOperation(t *testing.T) {
	for _, keep := range []int{1, 3} {
		h := runHistory(t, keep, nil)
		if h.steps < 8*len(h.seqs) {
			t.Errorf("only %d power losses", h.steps)
		}
		for _, v := range h.violations {
			t.Errorf("keep %d: %s", keep, v)
		}
	}
}

// Without any of the fsyncs the test above finds violations.

func TestPowerLossNeedsFolderSync(t *testing.T) {
	h := runHistory(t, 3, func(op string) bool { return op == "syncdir model" })
	if len(h.violations) == 0 {
		t.Error("no violation although the folder is never fsynced")
	}
}

func TestPowerLossNeedsFileSync(t *testing.T) {
	h := runHistory(t, 3, func(op string) bool { return kind(op) == "sync" })
	if len(h.violations) == 0 {
		t.Error("no violation although the files are never fsynced")
	}
}

func TestPowerLossNeedsSyncOfParents(t *testing.T) {
	for _, above := range []string{"syncdir state", "syncdir /"} {
		h := runHistory(t, 3, func(op string) bool { return op == above })
		if len(h.violations) == 0 {
			t.Errorf("no violation without %s", above)
		}
	}
}

// A folder left by a process that died before the fsync of its parent becomes durable.
func TestLeftFolderBecomesDurable(t *testing.T) {
	for _, left := range []string{"/state", testDir} {
		mem := vfs.NewCrashableMem()
		if err := mem.MkdirAll("/state", folderMode); err != nil {
			t.Fatal(err)
		}
		if left == testDir {
			if err := (memFS{mem}).SyncDir("/"); err != nil {
				t.Fatal(err)
			}
			if err := mem.MkdirAll(testDir, folderMode); err != nil {
				t.Fatal(err)
			}
		}
		if err := makeFolder(memFS{mem}, testDir); err != nil {
			t.Fatal(err)
		}
		if _, err := mem.CrashClone(vfs.CrashCloneCfg{}).Stat(testDir); err != nil {
			t.Errorf("%s was left: %v", left, err)
		}
	}
}
