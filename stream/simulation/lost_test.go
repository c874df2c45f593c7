package simulation

import (
	"encoding/binary"
	"net"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// lost is the tail that a partition of the input or the labels has lost. kfake cannot lose records: it keeps them, and
// stores behind them what is written later. Clients see none of them, and lower offsets of what is behind.
type lost struct {
	topicID [16]byte
	cut     int64 // the first offset that was lost
	end     int64 // at kfake, of what was lost
}

// seen is an offset of kfake as clients see it.
func (l *lost) seen(at int64) int64 {
	if at <= l.cut {
		return at
	}
	return max(l.cut, at-(l.end-l.cut))
}

// shift makes the offsets of a Fetch request those of kfake.
func (b *brokers) shift(r *kmsg.FetchRequest) {
	for t := range r.Topics {
		for p := range r.Topics[t].Partitions {
			rp := &r.Topics[t].Partitions[p]
			l := b.lostOf(r.Topics[t].Topic, r.Topics[t].TopicID, rp.Partition)
			if l != nil && rp.FetchOffset >= l.cut {
				rp.FetchOffset += l.end - l.cut
			}
		}
	}
}

// lostOf finds what a partition has lost, by the name of its topic or the id, nil for nothing.
func (b *brokers) lostOf(topic string, id [16]byte, partition int32) *lost {
	if l := b.lost[place{topic, partition}]; l != nil {
		return l
	}
	for at, l := range b.lost {
		if at.partition == partition && l.topicID == id {
			return l
		}
	}
	return nil
}

// pass forwards a request to a broker. What it says of partitions that have lost records is as if it had not got them
// any more.
func (b *brokers) pass(q *request, backend net.Conn) ([]byte, error) {
	b.mu.Lock()
	all := len(b.lost)
	frame := q.frame
	if r, ok := q.body.(*kmsg.FetchRequest); ok && all > 0 {
		b.shift(r)
		frame = kmsg.NewRequestFormatter().AppendRequest(nil, r, q.id)
	}
	b.mu.Unlock()
	frame, err := forward(backend, frame)
	if err != nil || all == 0 {
		return frame, err
	}
	res, err := q.readResponse(frame)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch r := res.(type) {
	case *kmsg.FetchResponse:
		b.unfetch(r)
	case *kmsg.ListOffsetsResponse:
		for t := range r.Topics {
			for p := range r.Topics[t].Partitions {
				of := &r.Topics[t].Partitions[p]
				if l := b.lost[place{r.Topics[t].Topic, of.Partition}]; l != nil {
					of.Offset = l.seen(of.Offset)
				}
			}
		}
	case *kmsg.OffsetForLeaderEpochResponse:
		for t := range r.Topics {
			for p := range r.Topics[t].Partitions {
				of := &r.Topics[t].Partitions[p]
				if l := b.lost[place{r.Topics[t].Topic, of.Partition}]; l != nil {
					of.EndOffset = l.seen(of.EndOffset)
				}
			}
		}
	default:
		return frame, nil
	}
	return q.response(res), nil
}

// unfetch takes what is lost out of a Fetch response.
func (b *brokers) unfetch(r *kmsg.FetchResponse) {
	for t := range r.Topics {
		for p := range r.Topics[t].Partitions {
			of := &r.Topics[t].Partitions[p]
			l := b.lostOf(r.Topics[t].Topic, r.Topics[t].TopicID, of.Partition)
			if l == nil {
				continue
			}
			of.HighWatermark, of.LastStableOffset = l.seen(of.HighWatermark), l.seen(of.LastStableOffset)
			for i := range of.AbortedTransactions {
				of.AbortedTransactions[i].FirstOffset = l.seen(of.AbortedTransactions[i].FirstOffset)
			}
			var kept []byte
			for rest := of.RecordBatches; len(rest) > 12; {
				size := min(len(rest), 12+int(binary.BigEndian.Uint32(rest[8:])))
				base := int64(binary.BigEndian.Uint64(rest))
				if base < l.cut || base >= l.end {
					binary.BigEndian.PutUint64(rest, uint64(l.seen(base))) // not covered by the checksum
					kept = append(kept, rest[:size]...)
				}
				rest = rest[size:]
			}
			of.RecordBatches = kept
		}
	}
}
