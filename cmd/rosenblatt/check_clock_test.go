package main

import (
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestCheckClock: kfake has no quorum, so the responses are made here.
func TestCheckClock(t *testing.T) {
	t.Parallel()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "events", "events.predictions", "events.dlq"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	var apart time.Duration
	c.ControlKey(int16(kmsg.ApiVersions), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		res := req.ResponseKind().(*kmsg.ApiVersionsResponse)
		for key := range kmsg.MaxKey {
			v := kmsg.NewApiVersionsResponseApiKey()
			v.ApiKey, v.MaxVersion = int16(key), kmsg.RequestForKey(int16(key)).MaxVersion()
			res.ApiKeys = append(res.ApiKeys, v)
		}
		return res, nil, true
	})
	c.ControlKey(int16(kmsg.DescribeQuorum), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		res := req.ResponseKind().(*kmsg.DescribeQuorumResponse)
		leader := kmsg.NewDescribeQuorumResponseTopicPartitionReplicaState()
		leader.ReplicaID, leader.LastCaughtUpTimestamp = 1, time.Now().Add(apart).UnixMilli()
		topic, partition := kmsg.NewDescribeQuorumResponseTopic(), kmsg.NewDescribeQuorumResponseTopicPartition()
		partition.LeaderID, partition.CurrentVoters = 1, append(partition.CurrentVoters, leader)
		topic.Partitions = append(topic.Partitions, partition)
		res.Topics = append(res.Topics, topic)
		return res, nil, true
	})
	check := func() outcome {
		return call(t, "", "check", "--brokers", c.ListenAddrs()[0], "--input", "events", "--state", t.TempDir())
	}
	check().want(t, cli.ExitDone, "ok    clock        the cluster's and this machine's agree within ", "")
	apart = 7*time.Minute + 100*time.Millisecond
	check().want(t, cli.ExitFailed,
		"FAIL  clock        the cluster's is 7m ahead of this machine's: "+
			"set the wrong one by a time server (NTP)", "")
	apart = -apart
	check().want(t, cli.ExitFailed,
		"FAIL  clock        the cluster's is 7m behind this machine's", "")
}
