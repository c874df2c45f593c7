// Package produce writes. A [Journal] is the only writer of a task's topics: it fences every other one, writes a batch
// in each partition at a time, and knows where each was written. A [CheckpointLog] writes beside it, under the same
// fence. A [Sender] writes to a topic outside of a task. All send batches through one idempotent producer.
package produce
