package main

import (
	"errors"
	"fmt"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// clockApart is how far this machine's clock and the cluster's may be apart. An answer bears our time; from an hour on brokers
// refuse it (log.message.timestamp.after.max.ms), and retention, latencies and --start TIME are off by as much before that.
const clockApart = 10 * time.Second

// errNoClock is a cluster that does not show its clock.
var errNoClock = errors.New("no clock to be seen")

// clock compares the controller's clock with ours. Kafka has no question for the time, but the leader of the quorum tells when
// each voter last fetched, and for itself, which does not fetch, the present moment (KIP-836).
func (k *kafkaCheck) clock(w *wire) {
	const what = "clock"
	before := time.Now()
	theirs, err := quorumTime(w)
	after := time.Now()
	if err != nil {
		k.note(what, "not compared", err.Error())
		return
	}
	apart := clockBetween(theirs, before, after)
	if apart.Abs() <= clockApart {
		k.ok(what, "the cluster's and this machine's agree within %s", max(apart.Abs(), after.Sub(before)).Round(time.Millisecond))
		return
	}
	side := "ahead of"
	if apart < 0 {
		side = "behind"
	}
	k.fail(what, fmt.Sprintf("the cluster's is %s %s this machine's", apart.Abs().Round(time.Second), side),
		"set the wrong one by a time server (NTP): timestamps, retention and --start TIME go by them, and brokers refuse answers from the future")
}

// clockBetween is how far a clock, read at some moment from before to after, is certain to be ahead of ours; negative when behind.
// It shows whole milliseconds.
func clockBetween(theirs, before, after time.Time) time.Duration {
	switch {
	case theirs.Before(before.Add(-time.Millisecond)):
		return theirs.Sub(before)
	case theirs.After(after):
		return theirs.Sub(after)
	}
	return 0
}

func quorumTime(w *wire) (time.Time, error) {
	req := kmsg.NewPtrDescribeQuorumRequest()
	topic, partition := kmsg.NewDescribeQuorumRequestTopic(), kmsg.NewDescribeQuorumRequestTopicPartition()
	topic.Topic = "__cluster_metadata"
	topic.Partitions = append(topic.Partitions, partition)
	req.Topics = append(req.Topics, topic)
	res, err := ask[*kmsg.DescribeQuorumResponse](w, req, 1, 1)
	switch {
	case errors.Is(err, errTooOld):
		return time.Time{}, fmt.Errorf("%w: this cluster is without KRaft, or older than 3.3", errNoClock)
	case err != nil:
		return time.Time{}, fmt.Errorf("%w: %w", errNoClock, err)
	case res.ErrorCode == int16(kafkago.ClusterAuthorizationFailed):
		return time.Time{}, fmt.Errorf("%w without the right DESCRIBE on the cluster, which is needed for nothing else", errNoClock)
	case res.ErrorCode != 0:
		return time.Time{}, fmt.Errorf("%w: %w", errNoClock, brokerError(res.ErrorCode))
	case len(res.Topics) != 1 || len(res.Topics[0].Partitions) != 1:
		return time.Time{}, errNoClock
	}
	p := &res.Topics[0].Partitions[0]
	for _, v := range p.CurrentVoters {
		if v.ReplicaID == p.LeaderID && v.LastCaughtUpTimestamp > 0 {
			return time.UnixMilli(v.LastCaughtUpTimestamp), nil
		}
	}
	return time.Time{}, errNoClock
}
