package stream

import (
	"slices"
	"time"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// writeJob is what is written for records of one partition that were learned together: the job of PROTOCOL.md, "Order".
type writeJob struct {
	partition   int32
	records     int
	now         int64     // of the predictions, ms
	oldest      int64     // the first timestamp of the records, ms; 0 or less: none
	arrived     time.Time // when the reader had the first records
	predictions *recordbatch.Builder
	predicted   []int64 // input offsets of the predictions
	deadLetters *recordbatch.Builder
	rejected    []int64   // input offsets of the dead letters
	snap        *snapshot // the state after these records, or nil
}

// maxBatchBytes bounds a batch of predictions (PROTOCOL.md, "Predictions and dead letters").
const maxBatchBytes = 900_000

func newWriteJob(t *topics.Topology) *writeJob {
	limit := maxBatchBytes
	if most := t.Output.MaxMessageBytes; most > 0 {
		limit = min(limit, most)
	}
	return &writeJob{
		predictions: &recordbatch.Builder{Limit: limit},
		deadLetters: &recordbatch.Builder{Limit: t.DeadLetters.MaxMessageBytes},
	}
}

func (j *writeJob) reset(partition int32) {
	j.partition, j.records, j.now, j.snap = partition, 0, time.Now().UnixMilli(), nil
	j.oldest, j.arrived = 0, time.Time{}
	j.predictions.Reset()
	j.deadLetters.Reset()
	j.predicted, j.rejected = j.predicted[:0], j.rejected[:0]
}

// startTimes takes the times of a chunk's records from i on, if they are the job's first.
func (j *writeJob) startTimes(c *chunk, i int) {
	if j.arrived.IsZero() && i < len(c.Records) {
		j.oldest, j.arrived = c.Records[i].Timestamp, c.arrived
	}
}

// jobQueue holds the jobs between learner and writer: the open one, which the learner adds to, and complete ones. An
// idle writer takes the open one, so batches grow with the backlog. All but the channels belongs to the learner.
type jobQueue struct {
	out   chan *writeJob // unbuffered: it takes a job when the writer is idle
	spare chan *writeJob
	open  *writeJob   // or nil
	keep  bool        // a chunk of open's run follows at once
	full  []*writeJob // complete ones, the oldest first
}

// maxFull is how many complete jobs may wait for the writer: when chunks of several partitions take turns, learning
// goes on while a batch is on its way.
const maxFull = 2

func newJobQueue(t *topics.Topology) *jobQueue {
	q := &jobQueue{out: make(chan *writeJob), spare: make(chan *writeJob, maxFull+2)}
	for range cap(q.spare) {
		q.spare <- newWriteJob(t)
	}
	return q
}

// next returns the writer's next job and the channel for it, nil if there is none. pop follows the send.
func (q *jobQueue) next() (chan<- *writeJob, *writeJob) {
	switch {
	case len(q.full) > 0:
		return q.out, q.full[0]
	case q.open != nil && !q.keep:
		return q.out, q.open
	}
	return nil, nil
}

func (q *jobQueue) pop() {
	if len(q.full) == 0 {
		q.open = nil
		return
	}
	q.full = slices.Delete(q.full, 0, 1)
}

func (q *jobQueue) offer() {
	out, j := q.next()
	select {
	case out <- j:
		q.pop()
	default:
	}
}

// free returns the channel of spare jobs, nil while too many complete ones wait.
func (q *jobQueue) free() <-chan *writeJob {
	if len(q.full) > maxFull {
		return nil
	}
	return q.spare
}

func (q *jobQueue) start(j *writeJob, partition int32) {
	j.reset(partition)
	q.open = j
}

func (q *jobQueue) complete() {
	if q.open != nil {
		q.full, q.open = append(q.full, q.open), nil
	}
}
