package simulation

import (
	"github.com/twmb/franz-go/pkg/kmsg"
)

// refuse makes a response that says nothing but a code.
func refuse(q *request, code int16) kmsg.Response {
	switch r := q.body.(type) {
	case *kmsg.ProduceRequest:
		return produced(r, -1, code)
	case *kmsg.InitProducerIDRequest:
		res := kmsg.NewPtrInitProducerIDResponse()
		res.ErrorCode, res.ProducerID, res.ProducerEpoch = code, -1, -1
		return res
	case *kmsg.EndTxnRequest:
		res := kmsg.NewPtrEndTxnResponse()
		res.ErrorCode = code
		return res
	case *kmsg.AddPartitionsToTxnRequest:
		return refuseAdd(r, code)
	case *kmsg.FetchRequest:
		return refuseFetch(r, code)
	case *kmsg.ListOffsetsRequest:
		return refuseOffsets(r, code)
	}
	return refuseCommit(q.body.(*kmsg.OffsetCommitRequest), code)
}

func refuseAdd(r *kmsg.AddPartitionsToTxnRequest, code int16) kmsg.Response {
	res := kmsg.NewPtrAddPartitionsToTxnResponse()
	for _, t := range r.Topics {
		rt := kmsg.NewAddPartitionsToTxnResponseTopic()
		rt.Topic = t.Topic
		for i, p := range t.Partitions {
			rp := kmsg.NewAddPartitionsToTxnResponseTopicPartition()
			rp.Partition, rp.ErrorCode = p, 55 // not attempted
			if i == 0 {
				rp.ErrorCode = code
			}
			rt.Partitions = append(rt.Partitions, rp)
		}
		res.Topics = append(res.Topics, rt)
	}
	return res
}

func refuseFetch(r *kmsg.FetchRequest, code int16) kmsg.Response {
	res := kmsg.NewPtrFetchResponse()
	for _, t := range r.Topics {
		rt := kmsg.NewFetchResponseTopic()
		rt.Topic, rt.TopicID = t.Topic, t.TopicID
		for _, p := range t.Partitions {
			rp := kmsg.NewFetchResponseTopicPartition()
			rp.Partition, rp.ErrorCode, rp.HighWatermark = p.Partition, code, -1
			rt.Partitions = append(rt.Partitions, rp)
		}
		res.Topics = append(res.Topics, rt)
	}
	return res
}

func refuseOffsets(r *kmsg.ListOffsetsRequest, code int16) kmsg.Response {
	res := kmsg.NewPtrListOffsetsResponse()
	for _, t := range r.Topics {
		rt := kmsg.NewListOffsetsResponseTopic()
		rt.Topic = t.Topic
		for _, p := range t.Partitions {
			rp := kmsg.NewListOffsetsResponseTopicPartition()
			rp.Partition, rp.ErrorCode, rp.Offset = p.Partition, code, -1
			rt.Partitions = append(rt.Partitions, rp)
		}
		res.Topics = append(res.Topics, rt)
	}
	return res
}

func refuseCommit(r *kmsg.OffsetCommitRequest, code int16) kmsg.Response {
	res := kmsg.NewPtrOffsetCommitResponse()
	for _, t := range r.Topics {
		rt := kmsg.NewOffsetCommitResponseTopic()
		rt.Topic = t.Topic
		for _, p := range t.Partitions {
			rp := kmsg.NewOffsetCommitResponseTopicPartition()
			rp.Partition, rp.ErrorCode = p.Partition, code
			rt.Partitions = append(rt.Partitions, rp)
		}
		res.Topics = append(res.Topics, rt)
	}
	return res
}
