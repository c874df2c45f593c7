package stream

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// readLetters finds this model's dead letters between the saved ends and the markers. Each is final: its record is skipped
// and counted, whatever the model would say of it now.
func (r *recovery) readLetters(ctx context.Context) error {
	st := r.st
	if r.blind {
		return nil // they speak of another topic's offsets
	}
	for p, marker := range st.fence.DeadLetters {
		c := topics.Run{Partition: int32(p), Next: st.base.DeadLetters[p]}
		reader := r.t.Log.Open(topics.DeadLetters, int32(p), c.Next)
		for c.Next < marker {
			if err := reader.Read(ctx, &c, r.t.Config.ChunkRecords); err != nil {
				return err
			}
			for i := range c.Records {
				r.noteLetter(int32(p), &c.Records[i])
			}
		}
	}
	return nil
}

func (r *recovery) noteLetter(partition int32, rec *topics.Record) {
	l, ours := journal.ParseDeadLetter(rec)
	if !ours || !journal.IsModel(l.Model, r.t.Config.Model) || l.Topic != r.top.Input.Name || int(l.Partition) >= len(r.st.positions) {
		return
	}
	if slices.Contains(r.cut, l.Partition) {
		return // the records that come to stand there are others
	}
	at := place{l.Partition, l.Offset}
	if l.Offset >= r.st.positions[l.Partition] {
		r.st.dead[at] = deadLetter{reason: l.Reason, partition: partition, offset: rec.Offset}
	}
}

// replayJournal learns again what was answered since the checkpoint, in the order of seq, up to the markers.
func (r *recovery) replayJournal(ctx context.Context) error {
	st := r.st
	tails := make([]*tail, len(st.fence.Output))
	for p, marker := range st.fence.Output {
		tails[p] = r.openTail(int32(p), st.base.Output[p], marker)
	}
	inputs := make([]*relearner, len(st.positions))
	names := st.fixed.Decode
	for p := range inputs {
		d, err := event.New(names)
		if err != nil {
			return err
		}
		inputs[p] = &relearner{r: r, partition: int32(p), decoder: d}
	}
	for {
		t, err := nextTail(ctx, tails)
		if err != nil {
			return err
		}
		if t == nil {
			r.t.publishRecovering(r.far(tails))
			return nil
		}
		if err := r.follow(ctx, t, inputs); err != nil {
			return err
		}
		t.have = false
		if err := r.longRecovery(tails); err != nil {
			return err
		}
	}
}

// follow learns the next answer of the journal again.
func (r *recovery) follow(ctx context.Context, t *tail, inputs []*relearner) error {
	a := t.answer
	switch {
	case a.Seq != r.st.seq+1 && !r.lenient:
		return differs(fmt.Sprintf("topic %s partition %d offset %d has seq %d where %d is due", r.top.Output.Name, t.partition, t.offset, a.Seq, r.st.seq+1), r.st.seq)
	case a.Seq <= r.st.seq:
		return nil // lenient: it was there before
	case int(a.Partition) >= len(inputs) && !r.blind:
		return differs(fmt.Sprintf("seq %d answers input partition %d, which is not there", a.Seq, a.Partition), r.st.seq)
	case !r.lenient && a.Offset < r.st.positions[a.Partition]:
		return differs(fmt.Sprintf("seq %d answers input partition %d offset %d, behind the position %d", a.Seq, a.Partition, a.Offset, r.st.positions[a.Partition]), r.st.seq)
	}
	if !r.blind && a.Offset >= r.st.positions[a.Partition] {
		if err := inputs[a.Partition].relearn(ctx, a); err != nil {
			return err
		}
	}
	r.st.seq = a.Seq
	r.newest = max(r.newest, journal.EpochOf(a.Model))
	r.relearn++
	return nil
}

func differs(what string, seq int64) error {
	return &stops.Error{Name: stops.JournalDiffers, What: what, Safe: fmt.Sprintf("the model up to seq %d and every published answer", seq),
		Do: "keep the folder and the topics as they are and compare them with `rosenblatt verify`; then go on with a backup, or start a new model with another --model and --output"}
}

// far is how much of the journal's tail is passed.
func (r *recovery) far(tails []*tail) Recovery {
	f := Recovery{Answers: r.relearn}
	for p, t := range tails {
		f.Done += t.next() - r.st.base.Output[p]
		f.Total += t.marker - r.st.base.Output[p]
	}
	return f
}

// longRecovery tells how far it is and saves on the way.
func (r *recovery) longRecovery(tails []*tail) error {
	if r.lenient || r.relearn%1024 != 0 || time.Since(r.saved) < r.t.Config.CheckpointInterval {
		return nil
	}
	r.saved = time.Now()
	e := topics.Ends{DeadLetters: r.st.lettersFloor(r.st.fence.DeadLetters)}
	for _, t := range tails {
		e.Output = append(e.Output, t.next())
	}
	far := r.far(tails)
	left := time.Duration(float64(time.Since(r.begin)) * float64(far.Total-far.Done) / float64(max(1, far.Done)))
	r.t.Logger.Info().Int64("answers", r.relearn).Int64("seq", r.st.seq).Str("left", left.Round(time.Second).String()).Msg("learning the journal again")
	r.t.publishRecovering(far)
	snap, err := newSnapshot(r.st.fixed)
	if err != nil {
		return err
	}
	snap.take(r.st, &r.t.Config)
	snap.setEnds(e)
	if _, err := snap.save(r.t.Store); err != nil {
		r.t.Logger.Error().Err(err).Msg("a checkpoint during recovery failed; going on")
	}
	return nil
}
