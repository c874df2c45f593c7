package simulation

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/board"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
)

// What is counted.
const (
	inputLost    = "tails of the input lost"
	labelsLost   = "tails of the labels lost"
	sameEnd      = "tails lost and replaced before a start"
	replacedStop = "stopped: records were replaced"
)

// cuts are the offsets at which a partition may lose its tail: a batch with records that were handled begins there, and
// no transaction is open.
func (w *world) cuts(at place, known map[spot]*input) (cuts []int64, end int64, err error) {
	req := kmsg.NewPtrFetchRequest()
	req.Version, req.MaxBytes, req.MaxWaitMillis = 11, 1<<26, 0
	info := w.cluster.Fake.PartitionInfo(at.topic, at.partition)
	p := kmsg.NewFetchRequestTopicPartition()
	p.Partition, p.FetchOffset, p.PartitionMaxBytes = at.partition, info.LogStartOffset, 1<<26
	req.Topics = []kmsg.FetchRequestTopic{{Topic: at.topic, Partitions: []kmsg.FetchRequestTopicPartition{p}}}
	res, err := ask[*kmsg.FetchResponse](&w.net, w.leader(at), req)
	if err != nil || len(res.Topics) == 0 {
		return nil, 0, err
	}
	open := map[int64]bool{}
	for rest := res.Topics[0].Partitions[0].RecordBatches; ; {
		var b recordbatch.Batch
		if b, rest, err = recordbatch.Next(rest); err != nil {
			return cuts, end, nil // the last one
		}
		in := known[spot{at.partition, b.BaseOffset}]
		if !b.Control && len(open) == 0 && in != nil && !in.aborted {
			cuts = append(cuts, b.BaseOffset)
		}
		if end = b.LastOffset + 1; b.Control {
			delete(open, b.ProducerID)
		} else if b.Transactional {
			open[b.ProducerID] = true
		}
	}
}

// lose lets a partition of input or labels, all of which was handled, lose its tail, and has others write on. Nobody
// may go on as if nothing had been: whoever starts then, or is live, ends with beyond-end.
func (w *world) lose(r *rand.Rand, newest *folder) {
	if r.IntN(2) == 0 {
		return
	}
	topic, known := w.setup.Name, w.oracle.input
	if w.hasLabels() && r.IntN(2) == 0 {
		topic, known = w.setup.Kafka.Labels, w.oracle.labels
	}
	at := place{topic, w.partition()}
	if !w.setup.Kafka.Split {
		at.partition = int32(r.IntN(len(w.cluster.Fake.PartitionInfos(topic))))
	}
	cuts, end, err := w.cuts(at, known)
	if err != nil {
		w.violate("the simulation cannot read %v: %v", at, err)
	}
	if len(cuts) == 0 {
		return
	}
	l := &lost{topicID: w.cluster.Fake.TopicInfo(topic).TopicID, cut: cuts[r.IntN(len(cuts))], end: end}
	w.loses = true
	var live *process
	if r.IntN(2) == 0 {
		live = w.start(newest, false, 0, "", false)
		for live.task.Status().State != board.Live && !w.failed() {
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(time.Duration(r.IntN(3000)) * time.Millisecond)
	}
	w.cut(at, l, int32(r.IntN(len(w.cluster.Brokers))))
	n := int(l.end - l.cut) // up to where it was read, less, or more
	more := []int{n, r.IntN(n), n + 1 + r.IntN(10)}[r.IntN(3)]
	w.writeOn(r, at, more)
	switch {
	case live == nil && more == n:
		w.count(sameEnd)
	case live != nil:
		time.Sleep(time.Second + time.Duration(r.IntN(3000))*time.Millisecond)
		w.writeOn(r, at, n+1)
		w.mustStop(live)
	}
	w.loseAgain(r, newest)
	f := newest
	if w.setup.State != "" && r.IntN(2) == 0 {
		f = w.emptyFolder()
	}
	w.mustStop(w.start(f, true, 0, "", false))
}

// cut lets a partition lose its tail, and its leader move. For a second nobody sees that.
func (w *world) cut(at place, l *lost, node int32) {
	w.mu.Lock()
	if w.lost == nil {
		w.brokers.lost = map[place]*lost{}
	}
	w.lost[at] = l
	err := w.cluster.Fake.MoveTopicPartition(at.topic, at.partition, node)
	w.mu.Unlock()
	if err != nil {
		w.violate("the simulation cannot move %v: %v", at, err)
	}
	w.restart(time.Second)
	w.logf("%v has lost %d to %d; broker %d leads it", at, l.cut, l.end, node)
	w.count(map[bool]string{true: inputLost, false: labelsLost}[at.topic == w.setup.Name])
}

// writeOn writes events, or labels, that nobody may handle.
func (w *world) writeOn(r *rand.Rand, at place, n int) {
	for n > 0 {
		var b recordbatch.Builder
		for range min(n, 1+r.IntN(12)) {
			value := fmt.Appendf(nil, `{"id":"e%d","label":1,"features":{"a":%g}}`, r.IntN(50), r.NormFloat64())
			b.Append(time.Now().UnixMilli(), nil, value)
			n--
		}
		data, err := b.Seal(-1, -1, -1, recordbatch.None)
		if err == nil {
			_, err = w.append(at, data)
		}
		if err != nil {
			w.violate("the simulation cannot write on: %v", err)
			return
		}
	}
}

// loseAgain has processes start that are killed on their way, while messages are lost and disks fail.
func (w *world) loseAgain(r *rand.Rand, f *folder) {
	w.budget = w.spent.Load() + r.Int64N(40)
	w.quiet.Store(false)
	for range r.IntN(3) {
		p := w.start(f, r.IntN(2) == 0, int64(1+r.IntN(60)), []string{kill, power, term}[r.IntN(3)], r.IntN(4) == 0)
		select {
		case <-p.struck:
		case <-p.ended:
		case <-time.After(time.Minute):
			p.die()
		case <-w.broken:
			return
		}
		w.wait(fmt.Sprintf("%v does not end", p), p.ended)
	}
	w.quiet.Store(true)
	w.mu.Lock()
	w.happened()
	w.mu.Unlock()
}

// TestReplaced plays seeds until tails of input and labels were lost, however slow the machine.
func TestReplaced(t *testing.T) {
	counts := map[string]int{}
	lost := func() int { return min(counts[inputLost]/3, counts[labelsLost], counts[sameEnd]) }
	for seed := uint64(1); lost() == 0 && !t.Failed() && seed < 100; seed++ {
		run(t, seed, false, counts)
	}
	if n := counts[replacedStop]; lost() == 0 || n == 0 {
		t.Errorf("%d tails of the input and %d of the labels were lost, %d before a start, %d stops",
			counts[inputLost], counts[labelsLost], counts[sameEnd], n)
	}
}

// mustStop waits until a process has stopped because records were replaced.
func (w *world) mustStop(p *process) {
	w.wait(fmt.Sprintf("%v goes on over records that were replaced", p), p.ended)
	if !w.failed() && !stops.Is(p.err, stops.BeyondEnd) {
		w.violate("%v ended over records that were replaced: %v", p, p.err)
	}
}
