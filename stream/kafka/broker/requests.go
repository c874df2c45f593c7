package broker

import (
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// MetadataRequest describes topics.
func MetadataRequest(topics ...string) *kmsg.MetadataRequest {
	req := kmsg.NewPtrMetadataRequest()
	for _, name := range topics {
		req.Topics = append(req.Topics, kmsg.MetadataRequestTopic{Topic: kmsg.StringPtr(name)})
	}
	return req
}

// CreateTopicRequest creates a topic with the broker's default replication.
func CreateTopicRequest(
	name string, partitions int, configs map[string]string, within time.Duration,
) *kmsg.CreateTopicsRequest {
	t := kmsg.CreateTopicsRequestTopic{Topic: name, NumPartitions: int32(partitions), ReplicationFactor: -1}
	for key, value := range configs {
		t.Configs = append(t.Configs, kmsg.CreateTopicsRequestTopicConfig{Name: key, Value: kmsg.StringPtr(value)})
	}
	return &kmsg.CreateTopicsRequest{
		TimeoutMillis: int32(within.Milliseconds()), Topics: []kmsg.CreateTopicsRequestTopic{t},
	}
}

// CreatePartitionsRequest adds partitions up to a count.
func CreatePartitionsRequest(name string, partitions int, within time.Duration) *kmsg.CreatePartitionsRequest {
	return &kmsg.CreatePartitionsRequest{
		TimeoutMillis: int32(within.Milliseconds()),
		Topics:        []kmsg.CreatePartitionsRequestTopic{{Topic: name, Count: int32(partitions)}},
	}
}
