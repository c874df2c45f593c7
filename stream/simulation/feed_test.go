package simulation

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/event"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// parcel is a batch of the input or the labels, plain or of a transaction.
type parcel struct {
	topic     string
	partition int32
	records   []*input
	codec     recordbatch.Codec
	txn       bool   // its transaction is of this batch alone
	stays     int    // so many parcels come while it is open
	before    func() // what is done first, may be nil
}

// plan makes the input of one partition.
func (w *world) plan(partition int32, n int) []parcel {
	var all []*input
	if w.setup.Config.ModelConfig.OnDrift != "" { // a drift takes some events to show
		n *= 3
	}
	for i := range n {
		all = append(all, w.newInput(partition, i))
	}
	return pack(w.rng, w.setup.Name, partition, all)
}

// pack makes batches of records.
func pack(r *rand.Rand, topic string, partition int32, records []*input) (out []parcel) {
	for len(records) > 0 {
		p := parcel{topic: topic, partition: partition, codec: []recordbatch.Codec{recordbatch.None, recordbatch.Gzip,
			recordbatch.Zstd, recordbatch.LZ4, recordbatch.Snappy}[r.IntN(5)]}
		p.txn = r.IntN(4) == 0
		aborted := p.txn && r.IntN(2) == 0
		p.stays = r.IntN(3)
		n := min(1+r.IntN(12), len(records))
		for _, in := range records[:n] {
			in.aborted = aborted
		}
		p.records, records = records[:n], records[n:]
		out = append(out, p)
	}
	return out
}

// newInput makes one record of the input.
func (w *world) newInput(partition int32, i int) *input {
	r, classes := w.rng, w.setup.Config.ModelConfig.Decode.Task == event.Multiclass
	in := &input{record: topics.Record{Key: fmt.Appendf(nil, "k%d", i)}}
	x := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	label := []string{"1", "-1"}[r.IntN(2)]
	if x[0] > x[1] {
		label = "1"
	}
	if classes {
		label = []string{`"setosa"`, `7`, `true`, `"7"`}[r.IntN(min(4, 1+i/8))]
	}
	if w.setup.Config.ModelConfig.OnDrift != "" { // what is learned turns round, so that the model drifts
		of := map[bool][]string{false: {"1", "-1"}, true: {`"setosa"`, `7`}}[classes]
		label = of[map[bool]int{true: 1}[(x[0] > x[1]) == (i/40%2 == 0)]]
	}
	in.label = label
	if r.IntN(12) == 0 || w.hasLabels() && r.IntN(4) > 0 {
		label = "null"
	}
	id := fmt.Sprintf(`"e%d"`, i)
	if w.hasLabels() {
		id = w.lateID(partition, i)
	}
	in.later = label == "null"
	if w.narrow && i%6 == 0 { // the model alone would not reject it
		id, in.malformed = `"`+strings.Repeat("x", 3000)+`"`, true
	}
	in.id = id
	value := fmt.Appendf(nil, `{"id":%s,"label":%s,"features":{"a":%g,"b":%g,"c":%g,"m":"m%d"}}`, id, label, x[0],
		x[1], x[2], i%5)
	switch r.IntN(14) {
	case 0:
		value, in.malformed = value[:len(value)/2], true
	case 1:
		value, in.malformed, in.skipped = nil, !w.skipsNull(), w.skipsNull()
	case 2:
		value, in.malformed = []byte(`{"label":1,"features":{"a":1e300}}`), true
	}
	in.later = in.later && !in.malformed && !in.skipped
	in.record.Value = value
	return in
}

// feeder brings the input to the brokers.
type feeder struct {
	w        *world
	rng      *rand.Rand
	sequence map[place]int32
	epoch    int16
	id       int64
	n        int // records so far
	open     *parcel
	left     int
}

// feed produces all parcels: some with each process that starts, the rest at the end.
func (w *world) feed(parcels []parcel, share <-chan int) {
	f := &feeder{w: w, rng: rand.New(rand.NewPCG(w.seed, 3)), sequence: map[place]int32{}, id: -1}
	granted, more := 0, true
	for i := range parcels {
		for more && granted <= i {
			var n int
			n, more = <-share
			granted += n
		}
		if more && f.rng.IntN(3) == 0 {
			time.Sleep(time.Duration(f.rng.IntN(20)) * time.Millisecond)
		}
		if w.failed() {
			return
		}
		p := &parcels[i]
		if p.before != nil {
			p.before()
		}
		if f.open != nil && (p.txn || f.left == 0) {
			f.end()
		}
		f.left--
		if err := f.put(p); err != nil {
			w.violate("the simulation cannot produce: %v", err)
			return
		}
	}
	if f.open != nil {
		f.end()
	}
}

func (f *feeder) put(p *parcel) error {
	f.w.mu.Lock()
	defer f.w.mu.Unlock()
	var b recordbatch.Builder
	for _, in := range p.records {
		in.record.Timestamp = time.Now().UnixMilli()
		b.Append(in.record.Timestamp, in.record.Key, in.record.Value)
	}
	at := place{p.topic, p.partition}
	id, epoch, sequence := int64(-1), int16(-1), int32(-1)
	if p.txn {
		if err := f.begin(p); err != nil {
			return err
		}
		id, epoch, sequence = f.id, f.epoch, f.sequence[at]
		f.sequence[at] += int32(len(p.records))
	}
	data, err := b.Seal(id, epoch, sequence, p.codec)
	if err != nil {
		return err
	}
	if p.txn {
		binary.BigEndian.PutUint16(data[21:], binary.BigEndian.Uint16(data[21:])|0x10)
		binary.BigEndian.PutUint32(data[17:], crc32.Checksum(data[21:], crc32.MakeTable(crc32.Castagnoli)))
	}
	base, err := f.w.append(at, data)
	if err != nil {
		return err
	}
	known := f.w.oracle.input
	if p.topic != f.w.setup.Name {
		known = f.w.oracle.labels
	}
	for i, in := range p.records {
		f.n++
		in.record.Offset, in.number = base+int64(i), f.n
		known[spot{p.partition, in.record.Offset}] = in
	}
	return nil
}

// feederTxn is the feeder's transactional id.
func (w *world) feederTxn() string { return "the feeder of " + w.setup.Config.Model }

func (f *feeder) begin(p *parcel) error {
	if f.id < 0 {
		req := kmsg.NewPtrInitProducerIDRequest()
		req.Version, req.TransactionalID, req.TransactionTimeoutMillis = 4, kmsg.StringPtr(f.w.feederTxn()), 900_000
		res, err := ask[*kmsg.InitProducerIDResponse](&f.w.net, f.w.txnBroker(), req)
		if err != nil || res.ErrorCode != 0 {
			return fmt.Errorf("InitProducerID: %w %+v", err, res)
		}
		f.id, f.epoch = res.ProducerID, res.ProducerEpoch
	}
	req := kmsg.NewPtrAddPartitionsToTxnRequest()
	req.Version, req.TransactionalID, req.ProducerID, req.ProducerEpoch = 3, f.w.feederTxn(), f.id, f.epoch
	t := kmsg.NewAddPartitionsToTxnRequestTopic()
	t.Topic, t.Partitions = p.topic, []int32{p.partition}
	req.Topics = append(req.Topics, t)
	res, err := ask[*kmsg.AddPartitionsToTxnResponse](&f.w.net, f.w.txnBroker(), req)
	if err != nil || res.Topics[0].Partitions[0].ErrorCode != 0 {
		return fmt.Errorf("AddPartitionsToTxn: %w %+v", err, res)
	}
	f.open, f.left = p, p.stays
	return nil
}

func (f *feeder) end() {
	req := kmsg.NewPtrEndTxnRequest()
	req.Version, req.TransactionalID, req.ProducerID, req.ProducerEpoch = 3, f.w.feederTxn(), f.id, f.epoch
	req.Commit = !f.open.records[0].aborted
	f.open = nil
	res, err := ask[*kmsg.EndTxnResponse](&f.w.net, f.w.txnBroker(), req)
	if !f.w.over.Load() && (err != nil || res.ErrorCode != 0) {
		f.w.violate("the simulation cannot end a transaction: %v %+v", err, res)
	}
}

func (w *world) txnBroker() string {
	return w.cluster.Brokers[max(0, w.cluster.Fake.CoordinatorFor(w.feederTxn()))]
}

// append writes a batch to the leader of a partition, past the front.
func (w *world) append(at place, data []byte) (int64, error) {
	req := kmsg.NewPtrProduceRequest()
	req.Version, req.Acks, req.TimeoutMillis = 8, -1, 1000
	t := kmsg.NewProduceRequestTopic()
	t.Topic = at.topic
	p := kmsg.NewProduceRequestTopicPartition()
	p.Partition, p.Records = at.partition, data
	t.Partitions = append(t.Partitions, p)
	req.Topics = append(req.Topics, t)
	if len(data) > 21 && data[22]&0x10 != 0 {
		req.TransactionID = kmsg.StringPtr(w.feederTxn())
	}
	res, err := ask[*kmsg.ProduceResponse](&w.net, w.leader(at), req)
	if err != nil {
		return 0, err
	}
	got := res.Topics[0].Partitions[0]
	if got.ErrorCode != 0 {
		return 0, fmt.Errorf("produce to %v: code %d", at, got.ErrorCode)
	}
	return got.BaseOffset, nil
}
