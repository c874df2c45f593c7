package simulation

import (
	"fmt"
	"testing"
)

// newWorlds makes the worlds of a seed, mostly one. In one seed of four each partition of the input has a task of its
// own, and each task a world: processes, disks, faults and an oracle. They share brokers and topics, and nothing of one
// may show in another.
func newWorlds(t *testing.T, seed uint64) []*world {
	first := newWorld(t, seed, nil)
	if seed%6 != 2 && seed%12 != 4 { // none of which has outcomes without labels, which know no partitions
		return first.worlds
	}
	n := 2 + first.rng.IntN(2)
	for p := 1; p < n; p++ {
		newWorld(t, seed+12*uint64(p), first.brokers) // of the same kind
	}
	names := []string{first.setup.Name, first.setup.Output(), first.setup.DeadLetters()}
	if first.hasLabels() {
		names = append(names, first.setup.Kafka.Labels, first.setup.Kafka.Outcomes)
	}
	for _, name := range names {
		first.create(name, n)
	}
	if first.setup.State != "" {
		first.create(first.setup.State, n, "cleanup.policy", "compact")
	}
	for p, w := range first.worlds {
		own := int32(p)
		w.setup.Kafka.Split, w.setup.Config.Partition = true, &own
		w.setup.Config.Model = fmt.Sprintf("%s.%d", modelName, p)
	}
	first.count("runs with several tasks")
	return first.worlds
}

// TestTasks plays a seed with several tasks, and with a checkpoint topic, however slow the machine.
func TestTasks(t *testing.T) { run(t, 8, false, map[string]int{}) }

// partition is the one that the task has, 0 where it has all.
func (w *world) partition() int32 {
	if p := w.setup.Config.Partition; p != nil {
		return *p
	}
	return 0
}

// producerID is that of the task's transactional id.
func (w *world) producerID() int64 { return 4000 + int64(w.partition()) }
