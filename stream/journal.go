package stream

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"rosenblatt/stream/decode"
)

// readLetters finds this model's dead letters between the saved ends and the markers. Each is final: its record is skipped
// and counted, whatever the model would say of it now.
func (r *recovery) readLetters(ctx context.Context) error {
	st := r.st
	if r.blind {
		return nil // they speak of another topic's offsets
	}
	for p, marker := range st.fence.Letters {
		c := Chunk{Partition: int32(p), Next: st.base.letters[p]}
		reader := r.t.Log.Open(Letters, int32(p), c.Next)
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

func (r *recovery) noteLetter(partition int32, rec *Record) {
	l, ours := ParseLetter(rec)
	if !ours || !IsModel(l.Model, r.t.Config.Model) || l.Topic != r.top.Input.Name || int(l.Partition) >= len(r.st.positions) {
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
	tails := make([]*tail, len(st.fence.Answers))
	for p, marker := range st.fence.Answers {
		tails[p] = r.openTail(int32(p), st.base.answers[p], marker)
	}
	inputs := make([]*relearner, len(st.positions))
	names := st.fixed.Decode
	for p := range inputs {
		d, err := decode.New(names)
		if err != nil {
			return err
		}
		inputs[p] = &relearner{r: r, partition: int32(p), decoder: d}
	}
	for {
		t, err := nextTail(ctx, tails)
		if err != nil || t == nil {
			return err
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
		return differs(fmt.Sprintf("topic %s partition %d offset %d has seq %d where %d is due", r.top.Answers.Name, t.partition, t.offset, a.Seq, r.st.seq+1), r.st.seq)
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
	r.newest = max(r.newest, epochOf(a.Model))
	r.relearn++
	return nil
}

func differs(what string, seq int64) error {
	return &Stop{Name: JournalDiffers, What: what, Safe: fmt.Sprintf("the model up to seq %d and every published answer", seq),
		Do: "keep the folder and the topics as they are and compare them with `rosenblatt verify`; then go on with a backup, or start a new model with another --model and --output"}
}

// longRecovery tells how far it is and saves on the way.
func (r *recovery) longRecovery(tails []*tail) error {
	if r.lenient || r.relearn%1024 != 0 || time.Since(r.saved) < r.t.Config.CheckpointInterval {
		return nil
	}
	r.saved = time.Now()
	var done, total int64
	e := ends{letters: r.st.lettersFloor(r.st.fence.Letters)}
	for p, t := range tails {
		e.answers = append(e.answers, t.next())
		done, total = done+t.next()-r.st.base.answers[p], total+t.marker-r.st.base.answers[p]
	}
	left := time.Duration(float64(time.Since(r.begin)) * float64(total-done) / float64(max(1, done)))
	r.t.Logger.Info().Int64("answers", r.relearn).Int64("seq", r.st.seq).Str("left", left.Round(time.Second).String()).Msg("learning the journal again")
	r.t.publishRecovering(Recovery{Answers: r.relearn, Done: done, Total: total})
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

// tail is one output partition between its saved end and its marker, as a stream of answers.
type tail struct {
	r         *recovery
	partition int32
	marker    int64
	reader    Reader
	chunk     Chunk
	i         int // the next record of chunk
	have      bool
	answer    Answer // if have
	offset    int64  // of answer
}

func (r *recovery) openTail(partition int32, from, marker int64) *tail {
	return &tail{r: r, partition: partition, marker: marker, reader: r.t.Log.Open(Answers, partition, from), chunk: Chunk{Partition: partition, Next: from}}
}

// next is the offset from which the partition is still to be followed.
func (t *tail) next() int64 {
	if t.have {
		return t.offset
	}
	if t.i < len(t.chunk.Records) {
		return t.chunk.Records[t.i].Offset
	}
	return min(t.chunk.Next, t.marker)
}

// fill makes answer the partition's next one; have stays false at the marker.
func (t *tail) fill(ctx context.Context) error {
	for !t.have {
		if t.i == len(t.chunk.Records) {
			if t.chunk.Next >= t.marker {
				return nil
			}
			t.i = 0
			if err := t.reader.Read(ctx, &t.chunk, t.r.t.Config.ChunkRecords); err != nil {
				return err
			}
			continue
		}
		rec := &t.chunk.Records[t.i]
		t.i++
		if rec.Offset >= t.marker {
			t.i = len(t.chunk.Records)
			return nil
		}
		a, err := ParseAnswer(rec.Value)
		if err != nil || !IsModel(a.Model, t.r.t.Config.Model) {
			return foreign(t.r.top.Answers.Name, int(t.partition), rec, err)
		}
		t.have, t.answer, t.offset = true, a, rec.Offset
	}
	return nil
}

// nextTail returns the partition that holds the next answer by seq; nil when all are at their markers.
func nextTail(ctx context.Context, tails []*tail) (*tail, error) {
	var first *tail
	least := int64(math.MaxInt64)
	for _, t := range tails {
		if err := t.fill(ctx); err != nil {
			return nil, err
		}
		if t.have && t.answer.Seq < least {
			first, least = t, t.answer.Seq
		}
	}
	return first, nil
}

// relearner reads one input partition again, record by record.
type relearner struct {
	r         *recovery
	partition int32
	decoder   *decode.Decoder
	reader    Reader
	chunk     Chunk
	i         int
}

// relearn passes rejected records up to the answered one and learns that one again.
func (x *relearner) relearn(ctx context.Context, a Answer) error {
	st := x.r.st
	for {
		rec, e, err := x.record(ctx, a)
		if err != nil || rec == nil {
			return err
		}
		o, reason, _ := st.proc.Predict(e, e.Features(x.chunk.Arena))
		at := place{x.partition, rec.Offset}
		d, dead := st.dead[at]
		switch {
		case rec.Offset == a.Offset && (reason != decode.OK || dead || e.Skip):
			if !x.r.lenient {
				return differs(fmt.Sprintf("seq %d answers input partition %d offset %d, which is rejected now (%s) or was dead-lettered", a.Seq, a.Partition, a.Offset, reason), st.seq)
			}
		case rec.Offset == a.Offset:
			if !x.r.lenient && math.Float64bits(o.Score) != math.Float64bits(a.Score) {
				return differs(fmt.Sprintf("seq %d (input partition %d offset %d) was published with score %v, computed again it is %v", a.Seq, a.Partition, a.Offset, a.Score, o.Score), st.seq)
			}
			st.counts.Read++
			st.counts.Answered++
			st.proc.Learn(rec, o)
		case dead:
			st.counts.reject(d.reason)
		case st.passed(at):
		case e.Skip:
			st.counts.Read++
			st.counts.Tombstones++
		case reason != decode.OK:
			st.counts.reject(reason)
		case x.r.lenient: // it was answered, and its answer is gone: it is learned as it was then
			st.counts.Read++
			st.counts.Answered++
			st.proc.Learn(rec, o)
		default:
			return differs(fmt.Sprintf("input partition %d offset %d is no reject, and the journal passes it (seq %d answers offset %d)", x.partition, rec.Offset, a.Seq, a.Offset), st.seq)
		}
		x.i++
		st.positions[x.partition] = rec.Offset + 1
		if rec.Offset == a.Offset {
			return nil
		}
	}
}

// record returns the next record at or below the answered offset, decoded. Without one the input is gone: with a stop
// accepted it returns nil, and the answer is passed.
func (x *relearner) record(ctx context.Context, a Answer) (*Record, *decode.Example, error) {
	if x.reader == nil {
		x.chunk = Chunk{Partition: x.partition, Next: x.r.st.positions[x.partition]}
		x.reader = x.r.t.Log.Open(Input, x.partition, x.chunk.Next)
	}
	there, err := x.r.reaches(ctx, x.partition, a.Offset)
	if err != nil {
		return nil, nil, err
	}
	for there && x.i == len(x.chunk.Records) && x.chunk.Next <= a.Offset {
		x.i = 0
		if err := x.reader.Read(ctx, &x.chunk, x.r.t.Config.ChunkRecords); err != nil {
			return nil, nil, err
		}
		decodeChunk(x.decoder, &x.chunk)
	}
	if there && x.i < len(x.chunk.Records) && x.chunk.Records[x.i].Offset <= a.Offset {
		return &x.chunk.Records[x.i], &x.chunk.Examples[x.i], nil
	}
	pass := func() {
		if !there {
			return // the position stays within the log
		}
		x.r.st.positions[x.partition] = max(x.r.st.positions[x.partition], a.Offset+1)
	}
	if x.r.lenient {
		pass()
		return nil, nil, nil
	}
	return nil, nil, x.r.accept(&Stop{Name: InputGone, What: fmt.Sprintf("seq %d answers input partition %d offset %d, and the input no longer holds that record", a.Seq, a.Partition, a.Offset),
		Safe: fmt.Sprintf("the model up to seq %d and every published answer", x.r.st.seq),
		Do:   "restore the record; or go on without learning it again with --accept input-gone"}, pass)
}

// reaches tells whether a partition's log goes beyond an offset, as it stands after the takeover at the latest.
func (r *recovery) reaches(ctx context.Context, p int32, offset int64) (bool, error) {
	if offset < r.top.Input.Partitions[p].End || r.looked {
		return offset < r.top.Input.Partitions[p].End, nil
	}
	top, err := r.t.Log.Topology(ctx)
	if err != nil {
		return false, err
	}
	r.looked = true
	for i := range r.top.Input.Partitions {
		r.top.Input.Partitions[i].End = top.Input.Partitions[i].End
	}
	return offset < r.top.Input.Partitions[p].End, nil
}

// passed tells whether --skip once passed a record.
func (s *state) passed(at place) bool {
	for _, r := range s.skipped {
		if r.Partition == at.partition && r.From <= at.offset && at.offset <= r.To {
			return true
		}
	}
	return false
}

// decodeChunk decodes every record of a chunk into its own arena.
func decodeChunk(d *decode.Decoder, c *Chunk) {
	if cap(c.Examples) < len(c.Records) {
		c.Examples = make([]decode.Example, len(c.Records))
	}
	c.Examples, c.Arena = c.Examples[:len(c.Records)], c.Arena[:0]
	for i := range c.Records {
		c.Arena = d.Decode(c.Records[i].Key, c.Records[i].Value, c.Arena, &c.Examples[i])
	}
}
