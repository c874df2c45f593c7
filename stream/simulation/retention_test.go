package simulation

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// saved is a checkpoint of the checkpoint topic.
type saved struct {
	header   model.Header
	proc     *model.Processor
	file     *checkpoint.File
	by       *process
	producer int16 // the epoch under which it was written
}

// knower is the checkpoint topic as a process reads it.
type knower struct {
	statetopic.Log
	p *process

	// With w.mu held:
	next     int64  // it has read up to here
	to       int64  // it reads up to here
	manifest *saved // that was the newest when it began to
}

// Bounds implements statetopic.Log. It begins a look.
func (k *knower) Bounds(ctx context.Context) (from, to int64, err error) {
	w := k.p.w
	w.mu.Lock()
	m := w.oracle.manifest
	w.mu.Unlock()
	from, to, err = k.Log.Bounds(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		k.to, k.manifest = to, m
		k.read(from)
	}
	return from, to, err
}

// Open implements statetopic.Log.
func (k *knower) Open(from int64) topics.Reader { return &knowerReader{k.Log.Open(from), k} }

func (k *knower) read(next int64) {
	if k.next = max(k.next, next); k.next >= k.to {
		k.p.knows = k.manifest
	}
}

type knowerReader struct {
	topics.Reader
	k *knower
}

// Read implements topics.Reader.
func (r *knowerReader) Read(ctx context.Context, run *topics.Run, most int) error {
	err := r.Reader.Read(ctx, run, most)
	r.k.p.w.mu.Lock()
	defer r.k.p.w.mu.Unlock()
	if err == nil {
		r.k.read(run.Next)
	}
	return err
}

// goesOn checks that a manifest is not behind the one before it. The first one of a takeover is not behind those that
// the process had read: it learned of the takeover before from the journal.
func (o *oracle) goesOn(h *model.Header) error {
	before := o.manifest
	if before != nil && before.by != o.from {
		before = o.from.knows
	}
	if before == nil {
		return nil
	}
	was := &before.header
	switch {
	case h.Seq < was.Seq, h.Epoch < was.Epoch:
		return fmt.Errorf("it is of seq %d, epoch %d, the one before of seq %d, epoch %d", h.Seq, h.Epoch, was.Seq,
			was.Epoch)
	case below(h.Positions, was.Positions), below(h.LabelPositions, was.LabelPositions):
		return fmt.Errorf("its positions are %v %v, those of the one before %v %v", h.Positions, h.LabelPositions,
			was.Positions, was.LabelPositions)
	case below(h.Ends.Output, was.Ends.Output), below(h.Ends.Outcomes, was.Ends.Outcomes):
		return fmt.Errorf("its ends are %v %v, those of the one before %v %v", h.Ends.Output, h.Ends.Outcomes,
			was.Ends.Output, was.Ends.Outcomes)
	case h.Late != nil && was.Late != nil && below(passed(&h.Late.Clock), passed(&was.Late.Clock)):
		return fmt.Errorf("its label time is %v, that of the one before %v", h.Late.Clock.Highest,
			was.Late.Clock.Highest)
	}
	return nil
}

// below reports whether one of some offsets is below what it was.
func below(now, was []int64) bool {
	for i := range was {
		if i >= len(now) || now[i] < was[i] {
			return true
		}
	}
	return false
}

// passed is the label time of each partition, the lowest number where there is none.
func passed(c *labels.Clock) (all []int64) {
	for _, at := range c.Highest {
		if at == math.MaxInt64 { // it never held a record
			at = math.MinInt64
		}
		all = append(all, at)
	}
	return all
}

// retention moves the starts of logs, as where topics have a retention: up to what the newest manifest needs, or the
// one that the process which has taken over goes on from. Whoever has an older checkpoint finds that one.
func (w *world) retention(r *rand.Rand) {
	every := []int{300, 3000}[r.IntN(2)]
	for w.retains {
		time.Sleep(time.Duration(r.IntN(every)) * time.Millisecond)
		if w.quiet.Load() || w.failed() {
			return
		}
		w.retain(r)
	}
}

// retain removes of some partitions all that the newest manifest does not need, of others a part of that.
func (w *world) retain(r *rand.Rand) {
	w.mu.Lock()
	defer w.mu.Unlock()
	m := w.oracle.manifest
	if p := w.txn.owner; m != nil && p != nil && m.producer != w.txn.epoch {
		m = p.knows // until it saves, it needs what that one does
	}
	if !w.retains || m == nil || w.over.Load() {
		return
	}
	needed := map[string][]int64{w.setup.Name: w.oracle.eventsNeeded(&m.header),
		w.setup.Kafka.Labels: m.header.LabelPositions, w.setup.DeadLetters(): m.header.Ends.DeadLetters,
		w.setup.Output(): m.header.Ends.Output, w.setup.Kafka.Outcomes: m.header.Ends.Outcomes}
	for _, topic := range []string{w.setup.Name, w.setup.Kafka.Labels, w.setup.DeadLetters(), w.setup.Output(),
		w.setup.Kafka.Outcomes} {
		for p, to := range needed[topic] {
			at := place{topic, int32(p)}
			how := r.IntN(4)
			if from := w.starts[at]; how == 1 && to > from {
				to = from + r.Int64N(to-from)
			}
			if how == 0 || to <= w.starts[at] || w.setup.Kafka.Split && int32(p) != w.partition() {
				continue
			}
			w.deleteRecords(at, to)
			w.retained = m
		}
	}
}

// eventsNeeded is, for each partition of the input, what is below neither the position nor an event that waits.
func (o *oracle) eventsNeeded(h *model.Header) []int64 {
	needed := append([]int64(nil), h.Positions...)
	for at, in := range o.input {
		waits := in.later && in.seq != 0 && in.seq <= h.Seq && (in.ended == 0 || in.ended > h.Seq)
		if waits && int(at.partition) < len(needed) {
			needed[at.partition] = min(needed[at.partition], at.offset)
		}
	}
	return needed
}

// deleteRecords moves the start of a log. The caller holds w.mu.
func (w *world) deleteRecords(at place, to int64) {
	req := kmsg.NewPtrDeleteRecordsRequest()
	req.Version, req.TimeoutMillis = 1, 1000
	t, p := kmsg.NewDeleteRecordsRequestTopic(), kmsg.NewDeleteRecordsRequestTopicPartition()
	t.Topic, p.Partition, p.Offset = at.topic, at.partition, to
	t.Partitions = append(t.Partitions, p)
	req.Topics = append(req.Topics, t)
	res, err := ask[*kmsg.DeleteRecordsResponse](&w.net, w.leader(at), req)
	if err != nil || res.Topics[0].Partitions[0].ErrorCode != 0 {
		w.violate("the simulation cannot delete records of %v below %d: %v %+v", at, to, err, res)
		return
	}
	w.logf("%v begins at %d", at, to)
	w.count("log starts moved")
	w.starts[at] = to
	w.moves++
}

// epochEnds forwards a question about leader epochs. Of a log without records kfake says that they ended at 0, Kafka
// never that they ended below the log's start.
func (w *world) epochEnds(q *request, backend net.Conn) ([]byte, error) {
	frame, err := w.pass(q, backend)
	if err != nil {
		return nil, err
	}
	res, err := q.readResponse(frame)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	all := res.(*kmsg.OffsetForLeaderEpochResponse)
	for t := range all.Topics {
		for p := range all.Topics[t].Partitions {
			of := &all.Topics[t].Partitions[p]
			if of.EndOffset >= 0 {
				of.EndOffset = max(of.EndOffset, w.starts[place{all.Topics[t].Topic, of.Partition}])
			}
		}
	}
	return q.response(all), nil
}

// trimmed is epochEnds for a client that is not behind the front.
type trimmed struct {
	topics.Log
	w *world
}

// EpochEnds implements topics.Log.
func (l trimmed) EpochEnds(ctx context.Context, topic topics.Topic, reached []topics.Reached) ([]int64, error) {
	ends, err := l.Log.EpochEnds(ctx, topic, reached)
	s := &l.w.setup.Kafka
	names := map[topics.Topic]string{topics.Input: l.w.setup.Name, topics.Labels: s.Labels,
		topics.Output: l.w.setup.Output(), topics.Outcomes: s.Outcomes, topics.DeadLetters: l.w.setup.DeadLetters()}
	l.w.mu.Lock()
	defer l.w.mu.Unlock()
	for p, end := range ends {
		if end >= 0 {
			ends[p] = max(end, l.w.starts[place{names[topic], int32(p)}])
		}
	}
	return ends, err
}

// overtaken reports whether a process rightly stops because records are gone: it alone needs them, having loaded the
// newest checkpoint before that was replaced, or being unable to install it. It is not the one that is live, nor a
// member with a sound disk, which loads again what others have saved.
func (w *world) overtaken(p *process, err error) bool {
	gone := stops.Is(err, stops.InputGone) || stops.Is(err, stops.JournalGone) ||
		stops.Is(err, stops.DeadLettersGone)
	if stops.Is(err, stops.KafkaError) && strings.Contains(err.Error(), "OFFSET_OUT_OF_RANGE") {
		return w.owner() != p // it was paused while it looked for its markers; another start may succeed
	}
	if !gone || p.live() && w.owner() == p {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return p.hurt.Load() || p.member == nil && w.moves > p.moves
}
