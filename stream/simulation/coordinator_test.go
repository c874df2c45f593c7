package simulation

import (
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Kafka's error codes that the coordinator and the partitions respond with.
const (
	codeGap        = 45 // OUT_OF_ORDER_SEQUENCE_NUMBER
	codeOldEpoch   = 47 // INVALID_PRODUCER_EPOCH
	codeTxnState   = 48 // INVALID_TXN_STATE
	codeMapping    = 49 // INVALID_PRODUCER_ID_MAPPING
	codeConcurrent = 51 // CONCURRENT_TRANSACTIONS
	codeFenced     = 90 // PRODUCER_FENCED
)

// coordinator is that of the one transactional id: the states of Kafka's TransactionCoordinator that an empty
// transaction goes through.
type coordinator struct {
	epoch   int16 // the newest
	commit  bool  // the newest transaction ended with a commit
	last    int16 // the one before, as long as the request of a lost response may come again; else -1
	open    bool  // a transaction is
	began   time.Time
	parts   []place  // in it
	missing int      // markers that are to be written yet
	sought  bool     // the process may not have read all of them yet
	owner   *process // whose request got the newest producer epoch; nil if it was late
}

const txnTimeout = time.Minute

// state names the coordinator's state as Kafka does.
func (c *coordinator) state() string {
	end := map[bool]string{true: "Commit", false: "Abort"}[c.commit]
	switch {
	case c.open:
		return "Ongoing"
	case len(c.parts) == 0:
		return "Empty"
	case c.missing > 0:
		return "Prepare" + end
	}
	return "Complete" + end
}

// transaction handles the requests of the fence. The caller holds w.mu.
func (w *world) transaction(q *request) []byte {
	c := &w.txn
	if c.open && time.Since(c.began) > txnTimeout {
		w.logf("coordinator: the transaction timed out")
		w.abort()
	}
	switch r := q.body.(type) {
	case *kmsg.InitProducerIDRequest:
		res := kmsg.NewPtrInitProducerIDResponse()
		res.ErrorCode = w.initProducer(r)
		if res.ErrorCode == 0 {
			if c.owner = q.from; q.late {
				c.owner = nil // and what the process was told before stands
			} else {
				q.from.told = false
			}
		}
		res.ProducerID, res.ProducerEpoch = w.producerID(), c.epoch
		if res.ErrorCode != 0 {
			res.ProducerID, res.ProducerEpoch = -1, -1
		}
		return q.response(res)
	case *kmsg.AddPartitionsToTxnRequest:
		return q.response(w.addPartitions(r))
	case *kmsg.DescribeTransactionsRequest:
		s := kmsg.NewDescribeTransactionsResponseTransactionState()
		s.TransactionalID, s.State = r.TransactionalIDs[0], c.state()
		s.ProducerID, s.ProducerEpoch = w.producerID(), c.epoch
		q.from.told = c.owner == q.from
		res := kmsg.NewPtrDescribeTransactionsResponse()
		res.TransactionStates = append(res.TransactionStates, s)
		return q.response(res)
	}
	r := q.body.(*kmsg.EndTxnRequest)
	res := kmsg.NewPtrEndTxnResponse()
	switch {
	case r.ProducerID != w.producerID() || r.ProducerEpoch != c.epoch:
		res.ErrorCode = codeFenced
	case c.missing > 0:
		res.ErrorCode = codeConcurrent
	case c.open:
		w.end(c.epoch, r.Commit)
	case len(c.parts) == 0 || r.Commit != c.commit:
		res.ErrorCode = codeTxnState
	}
	return q.response(res)
}

func (w *world) initProducer(r *kmsg.InitProducerIDRequest) (code int16) {
	c := &w.txn
	resend := r.ProducerID == w.producerID() && r.ProducerEpoch == c.last && c.last >= 0
	switch {
	case r.ProducerID >= 0 && r.ProducerID != w.producerID():
		return codeMapping
	case c.open: // whatever epoch the request names
		w.abort()
		return codeConcurrent
	case c.missing > 0:
		return codeConcurrent
	case r.ProducerID >= 0 && r.ProducerEpoch != c.epoch && !resend:
		w.count("refused: InitProducerID of an old epoch")
		return codeFenced
	case resend && r.ProducerEpoch != c.epoch:
		return 0 // the response to the request before was lost
	}
	c.last = -1
	if r.ProducerID >= 0 {
		c.last = c.epoch
	}
	c.epoch++
	c.parts = nil
	w.count("takeovers")
	w.logf("coordinator: epoch %d", c.epoch)
	return 0
}

func (w *world) addPartitions(r *kmsg.AddPartitionsToTxnRequest) *kmsg.AddPartitionsToTxnResponse {
	c := &w.txn
	code := int16(0)
	switch {
	case r.ProducerID != w.producerID() || r.ProducerEpoch != c.epoch:
		code = codeFenced
	case c.missing > 0:
		code = codeConcurrent
	case !c.open:
		c.open, c.began, c.parts = true, time.Now(), nil
	}
	res := kmsg.NewPtrAddPartitionsToTxnResponse()
	for _, t := range r.Topics {
		rt := kmsg.NewAddPartitionsToTxnResponseTopic()
		rt.Topic = t.Topic
		for _, p := range t.Partitions {
			rp := kmsg.NewAddPartitionsToTxnResponseTopicPartition()
			rp.Partition, rp.ErrorCode = p, code
			rt.Partitions = append(rt.Partitions, rp)
			if at := (place{t.Topic, p}); code == 0 && !slices.Contains(c.parts, at) {
				c.parts = append(c.parts, at)
			}
		}
		res.Topics = append(res.Topics, rt)
	}
	return res
}

// abort ends the open transaction, under an epoch that none holds. Kafka 4 accepts the epoch before from its holder as
// after a lost response; earlier versions refuse it.
func (w *world) abort() {
	w.txn.last = -1
	if w.seed%2 == 0 {
		w.txn.last = w.txn.epoch
	}
	w.txn.epoch++
	w.count("transactions aborted by the coordinator")
	w.end(w.txn.epoch, false)
}

// end responds before the markers are written, as Kafka does.
func (w *world) end(epoch int16, commit bool) {
	c := &w.txn
	c.open, c.commit, c.sought = false, commit, true
	c.missing += len(c.parts)
	for _, at := range c.parts {
		delay := w.markerDelay()
		w.background(func() {
			time.Sleep(delay)
			w.mu.Lock()
			defer w.mu.Unlock()
			w.writeMarker(at, epoch)
			c.missing--
			w.happened()
		})
	}
}

// markersMissing says whether a transaction has ended of which a marker is still on its way.
func (w *world) markersMissing() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.txn.missing > 0
}

func (w *world) writeMarker(at place, epoch int16) {
	if s := w.states[at]; s != nil && s.epoch > epoch {
		return
	}
	req := kmsg.NewPtrWriteTxnMarkersRequest()
	req.Version = 0
	m := kmsg.NewWriteTxnMarkersRequestMarker()
	m.ProducerID, m.ProducerEpoch = w.producerID(), epoch
	t := kmsg.NewWriteTxnMarkersRequestMarkerTopic()
	t.Topic, t.Partitions = at.topic, []int32{at.partition}
	m.Topics = append(m.Topics, t)
	req.Markers = append(req.Markers, m)
	res, err := ask[*kmsg.WriteTxnMarkersResponse](&w.net, w.leader(at), req)
	if err != nil || res.Markers[0].Topics[0].Partitions[0].ErrorCode != 0 {
		if !w.over.Load() {
			w.violate("the simulation cannot write a marker: %v %+v", err, res)
		}
		return
	}
	if s := w.states[at]; s == nil || s.epoch < epoch { // under the epoch that it has the sequence goes on
		w.states[at] = &producerState{epoch: epoch, last: -1}
	}
	w.logf("marker of epoch %d in %v", epoch, at)
}

// leader is the address of a partition's leader.
func (w *world) leader(at place) string {
	return w.cluster.Brokers[max(0, w.cluster.Fake.LeaderFor(at.topic, at.partition))]
}
