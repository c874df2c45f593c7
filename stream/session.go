package stream

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// session is a task's life between a takeover and the next, or the end. Readers fetch chunks, decoders decode them side by
// side, one goroutine answers and learns in the order in which the chunks came, one writes, one saves.
type session struct {
	t     *Task
	st    *state
	ans   *journal.PredictionEncoder
	let   *journal.DeadLetterWriter
	order chan *Chunk // in the order of learning
	work  chan *Chunk // the same chunks, for the decoders
	free  chan *Chunk
	push  chan struct{} // full while somebody lines chunks up: keeps order and work in the same order; held over a run of chunks
	jobs  chan *job
	spare chan *job
	snaps chan *snapshot // the one snapshot, while nobody uses it
	saves chan *snapshot
	stop  context.CancelCauseFunc // ends the intake

	records int            // at most in a chunk
	decoder *event.Decoder // the learner's own, for chunks of few records

	job  *job   // what the learner is answering, or nil
	mid  bool   // more chunks of its partition come at once: the job waits for them
	line []*job // what was answered before it and not yet handed to the writer, the oldest first

	ends      topics.Ends // of the journal; the writer's
	lastSnap  time.Time   // when the last snapshot was taken
	snapSeq   int64       // seq and ...
	snapRead  int64       // ... records read then
	snapMoved int64       // sum of positions then
	lastSave  saveTimes
	stuck     bool        // a dead letter fits nowhere: the intake has ended
	unsaved   atomic.Bool // the last save failed
	renewed   atomic.Bool // the journal's ends moved by markers alone
	nextRow   int64       // the next power of two at which Progress is called
	published time.Time
}

// minChunks is how many chunks a session has, and a few more than partitions: some are read and decoded while others are learned.
const minChunks = 16

// chunkRecords is the greatest number of records in a chunk. With 500 bytes and 30 features each, the chunk and its features
// take half of a cache of 512 KiB.
const chunkRecords = 256

// fewRecords is how many the learner decodes itself: that takes less time than to wake another goroutine and to wait for it.
const fewRecords = 16

// waiting is how many jobs may wait for the writer: when chunks of several partitions take turns, learning goes on while a batch is
// on its way.
const waiting = 2

// firstSave is when the first checkpoint of a session is due, if the interval is longer.
const firstSave = time.Second

// errEnd ends the intake of a run with UntilEnd.
var errEnd = errors.New("the end is reached")

// errGrace is the cause when acknowledgements did not come in time after a stop.
var errGrace = errors.New("no acknowledgement in time")

func (t *Task) newSession(st *state) (*session, error) {
	chunks, records := max(minChunks, len(st.positions)+6), min(t.Config.ChunkRecords, chunkRecords)
	if chunks > 4*minChunks { // many partitions share the memory of a few
		records = max(min(records, 32), records*4*minChunks/chunks)
	}
	s := &session{t: t, st: st, records: records,
		ans:  journal.NewPredictionEncoder(st.fixed.Decode, st.proc, t.Config.Model, st.epoch),
		let:  &journal.DeadLetterWriter{Topic: st.topology.Input.Name, Model: journal.ModelAt(t.Config.Model, st.epoch)},
		push: make(chan struct{}, 1), order: make(chan *Chunk, chunks), work: make(chan *Chunk, chunks), free: make(chan *Chunk, chunks),
		jobs: make(chan *job), spare: make(chan *job, waiting+2), snaps: make(chan *snapshot, 1), saves: make(chan *snapshot, 1),
		ends: st.base.Clone(), lastSnap: time.Now(), nextRow: 1,
	}
	if every := t.Config.CheckpointInterval; every > firstSave { // a fresh model has something to show soon
		s.lastSnap = s.lastSnap.Add(firstSave - every)
	}
	s.rememberSnap()
	for s.nextRow <= st.counts.Answered {
		s.nextRow *= 2
	}
	for range chunks {
		s.free <- &Chunk{decoded: make(chan struct{}, 1)}
	}
	for range cap(s.spare) {
		s.spare <- s.newJob()
	}
	snap, err := newSnapshot(st.fixed)
	if err != nil {
		return nil, err
	}
	s.snaps <- snap
	s.decoder, err = event.New(st.fixed.Decode)
	return s, err
}

// live runs a session until the context ends or the end is reached (nil), or something forbids to go on.
func (t *Task) live(ctx context.Context, st *state) error {
	s, err := t.newSession(st)
	if err != nil {
		return err
	}
	intake, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s.stop = stop
	write, abort := context.WithCancelCause(context.WithoutCancel(ctx))
	defer abort(nil)

	readers, err := s.startReaders(intake)
	if err != nil {
		return err
	}
	var back errgroup.Group
	back.Go(func() error {
		err := s.writeAll(write)
		if err != nil {
			stop(err)
			abort(err)
		}
		return err
	})
	back.Go(s.saveAll)
	grace := context.AfterFunc(intake, func() {
		timer := time.AfterFunc(t.Config.Grace, func() { abort(errGrace) })
		context.AfterFunc(write, func() { timer.Stop() })
	})
	defer grace()

	learned := s.learnAll(intake, write)
	stop(learned)
	close(s.jobs)
	readErr := readers.Wait()
	backErr := s.settle(write, &back)
	t.publish(st, Stopping)
	return firstCause(context.Cause(intake), backErr, learned, readErr)
}

// settle waits for the writer and the saver. A disk that hangs beyond the grace period is not waited for: the process ends, and
// with it the goroutine that hangs.
func (s *session) settle(write context.Context, back *errgroup.Group) error {
	done := make(chan error, 1)
	go func() { done <- back.Wait() }()
	select {
	case err := <-done:
		return err
	case <-write.Done():
	}
	late := time.NewTimer(time.Second)
	defer late.Stop()
	select {
	case err := <-done:
		return err
	case <-late.C:
		return context.Cause(write)
	}
}

// firstCause picks what ended a session: a failed write first, then what the intake ended with. An end that was asked for
// is nil.
func firstCause(intake, back, learned, read error) error {
	if errors.Is(intake, context.DeadlineExceeded) {
		intake = nil // the caller's deadline is an end like another
	}
	var late error
	for _, err := range []error{back, learned, read, intake} {
		switch {
		case err == nil, errors.Is(err, errEnd), errors.Is(err, context.Canceled):
		case errors.Is(err, errGrace):
			late = fmt.Errorf("%w: %w", ErrUnfinished, err)
		default:
			return err
		}
	}
	return late
}

// startReaders starts the goroutines that fetch and decode and watch, and returns the group that waits for them.
func (s *session) startReaders(intake context.Context) (*errgroup.Group, error) {
	var decoders []*event.Decoder
	for range s.t.Config.Decoders {
		d, err := event.New(s.st.fixed.Decode)
		if err != nil {
			return nil, err
		}
		decoders = append(decoders, d)
	}
	all := new(errgroup.Group)
	fetchers := new(errgroup.Group)
	for p, from := range s.st.positions {
		fetchers.Go(func() error { return s.fetch(intake, int32(p), from) })
	}
	for _, d := range decoders {
		all.Go(func() error {
			for c := range s.work {
				c.decode(d)
				c.decoded <- struct{}{}
			}
			return nil
		})
	}
	all.Go(func() error {
		err := fetchers.Wait()
		close(s.work)
		return err
	})
	all.Go(func() error { return s.watch(intake) })
	return all, nil
}

// fetch reads one partition into chunks and lines them up. The chunks of one answer of the broker stand behind one another.
func (s *session) fetch(ctx context.Context, partition int32, from int64) error {
	reader := s.t.Log.Open(topics.Input, partition, from)
	run := false // the line is ours
	defer func() {
		if run {
			<-s.push
		}
	}()
	for {
		var c *Chunk
		select {
		case c = <-s.free:
		case <-ctx.Done():
			return nil
		}
		c.Reset(partition, from)
		asked := time.Now()
		err := reader.Read(ctx, &c.Run, s.records)
		c.arrived = time.Now()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			s.stop(err)
			return err
		case c.Next < from || len(c.Records) > 0 && c.Records[0].Offset < from:
			err := fmt.Errorf("input partition %d: the reader went back from offset %d", partition, from)
			s.stop(err)
			return err
		case c.Next == from && !run:
			s.free <- c
			continue
		}
		from = c.Next
		if !run {
			s.t.timings.Fetch.Add(c.arrived.Sub(asked).Seconds())
			select { // no mutex: who holds it may be reading, and the end must not wait for that
			case s.push <- struct{}{}:
			case <-ctx.Done():
				return nil
			}
		}
		c.few = !run && !c.More && len(c.Records) <= fewRecords
		run = c.More
		s.order <- c // both channels hold every chunk there is: no send waits
		if !c.few {
			s.work <- c
		}
		if !run {
			<-s.push
		}
	}
}

// watch looks at the cluster for lag and for partitions that were added.
func (s *session) watch(ctx context.Context) error {
	tick := time.NewTicker(s.t.Config.WatchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		top, err := s.t.Log.Topology(ctx)
		if err != nil {
			continue // the readers and the writer find out by themselves what is wrong
		}
		s.t.seen.Store(top)
		was := s.st.topology
		if len(top.Input.Partitions) > len(was.Input.Partitions) || len(top.Output.Partitions) > len(s.st.fence.Output) ||
			len(top.DeadLetters.Partitions) > len(s.st.fence.DeadLetters) {
			s.stop(errPartitions)
			return errPartitions
		}
	}
}
