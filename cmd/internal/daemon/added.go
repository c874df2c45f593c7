package daemon

import (
	"context"
	"sync"

	"rosenblatt/cmd/internal/inspection"
	"rosenblatt/stream/statetopic"
)

// begun holds what checkpoints say of how many tasks there were when the task of a partition was begun.
type begun struct {
	sync.Mutex
	tasks map[int32]int // none: without a checkpoint
}

const none = -1

// wasAdded reports whether the task's partition, which has no checkpoint, was added after another task was begun, or
// was there then and --start is about it, too. What is said by no checkpoint yet, this start decides.
func (t *task) wasAdded(ctx context.Context) (bool, error) {
	d := t.daemon
	d.begun.Lock()
	defer d.begun.Unlock()
	for p := int32(0); p < int32(d.had) && !t.added; p++ {
		if p == t.partition {
			continue
		}
		tasks, err := d.begunWith(ctx, p)
		if err != nil {
			return false, err
		}
		//mutation:begun-with-fewer
		t.added = tasks != none && tasks <= int(t.partition)
	}
	return t.added, nil
}

// begunWith returns how many tasks there were when that of a partition was begun; none without a checkpoint.
func (d *Daemon) begunWith(ctx context.Context, partition int32) (int, error) {
	if tasks, known := d.begun.tasks[partition]; known {
		return tasks, nil
	}
	s, tasks := &d.with.Settings, none
	if h := inspection.NewestHeader(s.Folder(s.TaskModel(partition))); h != nil {
		tasks = h.Tasks
	} else if s.CheckpointTopic != "" {
		n, found, err := statetopic.Begun(ctx, d.client.Task(partition).Journal().Checkpoints(), s.Output)
		if err != nil {
			return 0, err
		}
		if found {
			tasks = n
		}
	}
	if d.begun.tasks == nil {
		d.begun.tasks = map[int32]int{}
	}
	d.begun.tasks[partition] = tasks
	return tasks, nil
}
