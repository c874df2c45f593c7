package broker

import (
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Span is a range of versions of a request.
type Span struct{ Low, High int16 }

// Versions are a broker's spans by the key of the request.
type Versions map[int16]Span

// used are the versions of each request, from the lowest sufficient to the highest known. Topic ids come with Metadata
// 10, instances of members with JoinGroup 5 and SyncGroup 3, SkipAssignment with JoinGroup 9. EndTxn stays below 5,
// InitProducerID and AddPartitionsToTxn below the versions that go with it: there the epoch grows with each transaction
// (KIP-890), and the fence counts takeovers.
var used = map[kmsg.Key]Span{
	//mutation:metadata-floor
	kmsg.Metadata: {7, 12},
	//mutation:group-floors
	kmsg.SyncGroup: {3, 5},
	kmsg.Produce:   {3, 8}, kmsg.Fetch: {11, 13}, kmsg.ListOffsets: {0, 5},
	kmsg.OffsetCommit: {0, 7}, kmsg.OffsetFetch: {0, 5}, kmsg.FindCoordinator: {1, 3}, kmsg.DescribeGroups: {3, 5},
	kmsg.InitProducerID: {3, 4}, kmsg.AddPartitionsToTxn: {0, 3}, kmsg.EndTxn: {0, 3},
	kmsg.DescribeConfigs: {0, 4}, kmsg.CreateTopics: {4, 5}, kmsg.CreatePartitions: {0, 1}, kmsg.DeleteTopics: {0, 3},
	kmsg.DeleteRecords: {0, 1}, kmsg.DescribeQuorum: {1, 1}, kmsg.DescribeTransactions: {0, 0},
	kmsg.JoinGroup: {5, 9}, kmsg.Heartbeat: {3, 4}, kmsg.LeaveGroup: {3, 5},
	kmsg.SASLHandshake: {1, 1}, kmsg.SASLAuthenticate: {0, 1}, kmsg.OffsetForLeaderEpoch: {3, 4},
	kmsg.DescribeClientQuotas: {0, 1},
}

// Set gives a request the highest version that both sides speak, up to its own highest.
func (v Versions) Set(req kmsg.Request) error {
	broker, ok := v[req.Key()]
	ours := used[kmsg.Key(req.Key())]
	version := min(ours.High, broker.High, req.MaxVersion())
	if f, fetch := req.(*kmsg.FetchRequest); fetch && withoutID(f) {
		version = min(version, fetchByName)
	}
	if !ok {
		broker.High = -1
	}
	if version < max(ours.Low, broker.Low) || !ok {
		return &UnsupportedVersion{Key: kmsg.Key(req.Key()), Broker: broker}
	}
	req.SetVersion(version)
	return nil
}

// fetchByName is the last version of Fetch that names topics.
const fetchByName = 12

// withoutID tells whether a fetch lacks a topic's id: topics of a cluster that was upgraded from before Kafka 2.8 have
// none until its metadata version (inter.broker.protocol.version) is raised.
func withoutID(req *kmsg.FetchRequest) bool {
	return slices.ContainsFunc(req.Topics, func(t kmsg.FetchRequestTopic) bool { return t.TopicID == [16]byte{} })
}

// UnsupportedVersion is a broker without a usable version of a request.
type UnsupportedVersion struct {
	Key    kmsg.Key
	Broker Span // High is -1 where it has none
}

func (u *UnsupportedVersion) Error() string {
	if u.Broker.High < 0 {
		return fmt.Sprintf("the broker does not know %s: later versions of Apache Kafka do", u.Key.Name())
	}
	return fmt.Sprintf("the broker speaks %s in versions %d to %d only, needed is one of %d to %d"+
		" (Apache Kafka 2.8 or later)", u.Key.Name(), u.Broker.Low, u.Broker.High, used[u.Key].Low, used[u.Key].High)
}
