package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
)

// Retention. The feeder pauses at `unsaved` bytes (see pace.go), so that retention keeps what recovery may read: twice
// that, for records from before a restart.
const (
	unsaved     = 32 << 20    // bytes of events, dead letters or predictions that no checkpoint covers
	retention   = 2 * unsaved // retention.bytes of each topic
	segment     = 4 << 20     // segment.bytes: the unit of freed space
	maxMessage  = 20 << 20    // max.message.bytes of the input: the longest line of a file fits in
	trimEvery   = time.Second
	clusterName = "rosenblatt-demo"
)

// broker is a Kafka broker in this process.
type broker struct {
	*kfake.Cluster
	stop, stopped chan struct{}
}

// openBroker starts a broker on a free loopback port, with the data in the folder.
func openBroker(folder string) (*broker, error) {
	cluster, err := kfake.NewCluster(kfake.Ports(0), kfake.DataDir(folder), kfake.ClusterID(clusterName))
	if err != nil {
		return nil, fmt.Errorf("starting the broker: %w", err)
	}
	b := &broker{Cluster: cluster, stop: make(chan struct{}), stopped: make(chan struct{})}
	go b.trim()
	return b, nil
}

// trim applies retention. kfake does so every log.cleaner.backoff.ms, but not for topics read from disk.
func (b *broker) trim() {
	defer close(b.stopped)
	tick := time.NewTicker(trimEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			b.ApplyRetention()
		case <-b.stop:
			return
		}
	}
}

// topic creates a topic of one partition if it is missing. Age removes nothing: a demo may continue after a month, and
// kfake restarts an emptied log at offset 0.
func (b *broker) topic(name string, config map[string]string) error {
	if b.TopicInfo(name) != nil {
		return nil
	}
	all := map[string]string{
		"cleanup.policy": "delete", "retention.ms": "-1",
		"retention.bytes": strconv.Itoa(retention), "segment.bytes": strconv.Itoa(segment),
	}
	for k, v := range config {
		all[k] = v
	}
	if err := b.CreateTopic(name, 1, all); err != nil {
		return fmt.Errorf("creating topic %s: %w", name, err)
	}
	return nil
}

// end is the offset of the next record.
func (b *broker) end(topic string) int64 { return b.PartitionInfo(topic, 0).HighWatermark }

// committed is the group's offset, 0 before the first commit.
func (b *broker) committed(group, topic string) int64 {
	g := b.GroupInfo(group)
	if g == nil {
		return 0
	}
	return g.Commits[topic][0].Offset
}

// close completes the data on disk. Later calls of the broker would block for ever.
func (b *broker) close() {
	close(b.stop)
	<-b.stopped
	b.Close()
}
