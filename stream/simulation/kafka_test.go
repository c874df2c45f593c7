package simulation

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"net"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/recordbatch"
)

// place is one partition of a topic.
type place struct {
	topic     string
	partition int32
}

// producerState is a partition's state of the producer id: an epoch counts from its first batch or marker on.
type producerState struct {
	epoch   int16
	last    int32 // sequence
	batches [][3]int64
}

// admit decides on a batch as Kafka's ProducerStateManager does: the base offset of the same batch before, else -1.
func (s *producerState) admit(epoch int16, first, n int32) (base int64, code int16) {
	switch {
	case s == nil:
		return -1, 0
	case epoch < s.epoch:
		return -1, codeOldEpoch
	case epoch > s.epoch && first != 0:
		return -1, codeGap
	case epoch > s.epoch:
		return -1, 0
	}
	for _, b := range s.batches {
		if b[0] == int64(first) && b[1] == int64(n) {
			return b[2], 0
		}
	}
	if first != s.last+1 {
		return -1, codeGap
	}
	return -1, 0
}

// produce handles the batches of a request, each by itself. Those that its fate leaves out are refused with a code. The
// caller holds w.mu.
func (w *world) produce(q *request, backend net.Conn) ([]byte, error) {
	r := q.body.(*kmsg.ProduceRequest)
	res := produced(r, -1, q.leftCode)
	n := 0
	for t := range r.Topics {
		for p := range r.Topics[t].Partitions {
			left := q.left>>(n%16)&1 == 1
			if n++; left {
				continue
			}
			base, code, err := w.store(q, r.Topics[t].Topic, &r.Topics[t].Partitions[p], backend)
			if err != nil {
				return nil, err
			}
			res.Topics[t].Partitions[p].BaseOffset, res.Topics[t].Partitions[p].ErrorCode = base, code
		}
	}
	if n > 1 {
		w.count("requests with several batches")
	}
	return q.response(res), nil
}

// probeSequence is that of the batch which proves that the brokers fence; no world has so many records.
const probeSequence = 12345

// store is the partition leader's part: whether a batch is admitted, and the oracle's look at what has become
// readable.
func (w *world) store(q *request, topic string, rp *kmsg.ProduceRequestTopicPartition, backend net.Conn) (
	base int64, code int16, err error) {
	at := place{topic, rp.Partition}
	b, _, err := recordbatch.Next(rp.Records)
	if err != nil {
		w.violate("a batch that cannot be read was sent to %v: %v", at, err)
		return -1, 0, err
	}
	s := w.states[at]
	base, code = s.admit(b.Epoch, b.Sequence, int32(b.Count))
	probe := b.Sequence == probeSequence // of an epoch that its own process has left
	if !probe {
		q.from.newest = max(q.from.newest, b.Epoch)
	}
	if b.Epoch == w.txn.epoch && !q.late {
		w.txn.sought = false // it writes when it has read all its markers
	}
	if code != 0 || base >= 0 {
		if code == codeOldEpoch && !q.late && !probe {
			q.from.fenced = b.Epoch
		}
		w.count(map[bool]string{true: "resends recognised", false: "batches refused"}[base >= 0])
		w.logf("produce to %v, epoch %d sequence %d: base %d code %d", at, b.Epoch, b.Sequence, base, code)
		return base, code, nil
	}
	if b.Epoch < w.kfakeEpoch {
		w.count("batches of a predecessor admitted before the marker")
		w.logf("produce to %v: an old epoch, %d, before the marker of %d", at, b.Epoch, w.txn.epoch)
		anonymous(rp.Records) // kfake would refuse it
	}
	p, err := keep(q, topic, rp, backend)
	if err != nil {
		return -1, 0, err
	}
	if p.ErrorCode != 0 {
		w.logf("produce to %v, epoch %d: kfake says %d", at, b.Epoch, p.ErrorCode)
		return -1, p.ErrorCode, nil
	}
	w.kfakeEpoch = max(w.kfakeEpoch, b.Epoch)
	if s == nil || s.epoch != b.Epoch {
		s = &producerState{epoch: b.Epoch}
		w.states[at] = s
	}
	s.last = b.Sequence + int32(b.Count) - 1
	s.batches = append(s.batches, [3]int64{int64(b.Sequence), int64(b.Count), p.BaseOffset})
	if len(s.batches) > 5 {
		s.batches = s.batches[1:]
	}
	w.logf("%d records in %v at %d, epoch %d", b.Count, at, p.BaseOffset, b.Epoch)
	if topic != w.setup.State {
		q.from.folder.published.Store(true)
	}
	w.oracle.appended(q.from, at, p.BaseOffset, b)
	return p.BaseOffset, 0, nil
}

// keep sends one batch to kfake.
func keep(q *request, topic string, rp *kmsg.ProduceRequestTopicPartition, backend net.Conn) (
	p kmsg.ProduceResponseTopicPartition, err error) {
	r := *q.body.(*kmsg.ProduceRequest)
	r.Topics = []kmsg.ProduceRequestTopic{{Topic: topic, Partitions: []kmsg.ProduceRequestTopicPartition{*rp}}}
	frame, err := forward(backend, kmsg.NewRequestFormatter().AppendRequest(nil, &r, q.id))
	if err != nil {
		return p, err
	}
	res, err := q.readResponse(frame)
	if err != nil {
		return p, err
	}
	return res.(*kmsg.ProduceResponse).Topics[0].Partitions[0], nil
}

func produced(r *kmsg.ProduceRequest, base int64, code int16) *kmsg.ProduceResponse {
	res := kmsg.NewPtrProduceResponse()
	for _, t := range r.Topics {
		rt := kmsg.NewProduceResponseTopic()
		rt.Topic = t.Topic
		for _, p := range t.Partitions {
			rp := kmsg.NewProduceResponseTopicPartition()
			rp.Partition, rp.BaseOffset, rp.ErrorCode = p.Partition, base, code
			rt.Partitions = append(rt.Partitions, rp)
		}
		res.Topics = append(res.Topics, rt)
	}
	return res
}

// anonymous takes producer id, epoch and sequence off a batch, in place.
func anonymous(batch []byte) {
	for i := 43; i < 57; i++ {
		batch[i] = 0xff
	}
	binary.BigEndian.PutUint32(batch[17:], crc32.Checksum(batch[21:], crc32.MakeTable(crc32.Castagnoli)))
}

// forward sends a frame to a broker and reads the response.
func forward(c net.Conn, frame []byte) ([]byte, error) {
	if c == nil {
		return nil, io.ErrClosedPipe
	}
	if _, err := c.Write(frame); err != nil {
		return nil, err
	}
	return readFrame(c)
}
