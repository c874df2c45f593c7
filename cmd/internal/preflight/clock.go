package preflight

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/labels"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// clockApart is the largest accepted difference of this machine's and the cluster's clock. A prediction carries our
// time; from an hour on brokers refuse it (log.message.timestamp.after.max.ms), and less shifts retention, latencies
// and --start TIME.
const clockApart = 10 * time.Second

// errNoClock is a cluster that does not show its clock.
var errNoClock = errors.New("the cluster does not show its clock")

// clock compares the controller's clock with ours. Kafka has no request for the time, but the quorum's leader tells
// when each voter last fetched, and for itself, which does not fetch, the current time (KIP-836).
func (k *clusterCheck) clock(ctx context.Context, c *broker.Conn) {
	const what = "clock"
	before := time.Now()
	theirs, err := k.quorumTime(ctx, c)
	after := time.Now()
	if err != nil {
		k.note(what, "not compared", err.Error())
		return
	}
	apart := clockBetween(theirs, before, after)
	if apart.Abs() <= clockApart {
		k.ok(what, "the cluster's and this machine's agree within %s", max(apart.Abs(),
			after.Sub(before)).Round(time.Millisecond))
		return
	}
	side := "ahead of"
	if apart < 0 {
		side = "behind"
	}
	by := labels.Span(apart.Abs().Round(time.Second))
	k.fail(what, fmt.Sprintf("the cluster's is %s %s this machine's", by, side),
		"set the wrong one by a time server (NTP): timestamps, retention and --start TIME depend on them,"+
			" and brokers refuse predictions from the future")
}

// clockBetween is how far a clock, read between before and after, is at least ahead of ours; negative when behind. It
// has a resolution of a millisecond.
func clockBetween(theirs, before, after time.Time) time.Duration {
	switch {
	case theirs.Before(before.Add(-time.Millisecond)):
		return theirs.Sub(before)
	case theirs.After(after):
		return theirs.Sub(after)
	}
	return 0
}

func (k *clusterCheck) quorumTime(ctx context.Context, c *broker.Conn) (time.Time, error) {
	req := &kmsg.DescribeQuorumRequest{Topics: []kmsg.DescribeQuorumRequestTopic{{
		Topic: "__cluster_metadata", Partitions: make([]kmsg.DescribeQuorumRequestTopicPartition, 1),
	}}}
	res, err := request[*kmsg.DescribeQuorumResponse](ctx, k, c, req)
	var old *broker.UnsupportedVersion
	switch {
	case errors.As(err, &old):
		return time.Time{}, fmt.Errorf("%w: this cluster is without KRaft, or older than 3.3", errNoClock)
	case err != nil:
		return time.Time{}, fmt.Errorf("%w: %w", errNoClock, err)
	case res.ErrorCode == kerr.ClusterAuthorizationFailed.Code:
		return time.Time{}, fmt.Errorf("%w without the right DESCRIBE on the cluster, which is needed for nothing else",
			errNoClock)
	case res.ErrorCode != 0:
		return time.Time{}, fmt.Errorf("%w: %w", errNoClock, broker.ErrorForCode(res.ErrorCode))
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
