package preflight

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
)

// Rights, as bits of the responses to Metadata and DescribeGroups (KIP-430).
const (
	mayRead            = 1 << 3
	mayWrite           = 1 << 4
	mayDescribeConfigs = 1 << 10
	rightsUnknown      = math.MinInt32 // the broker does not say
)

var rightNames = []struct {
	bit  int32
	name string
}{{mayRead, "READ"}, {mayWrite, "WRITE"}, {mayDescribeConfigs, "DESCRIBE_CONFIGS"}}

func partitions(n int) string { return english.Plural(n, "partition", "") }

func (k *clusterCheck) topics(ctx context.Context, c *broker.Conn) {
	s := k.settings
	if !s.CreateTopics {
		c = nil
	}
	width := max(1, k.topic(ctx, nil, "input", s.Input, mayRead|mayDescribeConfigs, 1))
	k.topic(ctx, c, "output", s.Output, mayRead|mayWrite|mayDescribeConfigs, width)
	others := 1
	if s.Split() {
		others = width
	}
	k.topic(ctx, c, "dead-letter", s.DeadLetter, mayRead|mayWrite|mayDescribeConfigs, others)
	if s.Labels != "" {
		has := k.topic(ctx, nil, "labels", s.Labels, mayRead|mayDescribeConfigs, 1)
		if s.Split() && has > 0 && has != width {
			k.fail("labels", fmt.Sprintf("%s has %s, the input has %d", s.Labels, partitions(has), width),
				"with a model for each partition, both need as many, keyed alike")
		}
	}
	if s.Outcomes != "" {
		k.topic(ctx, c, "outcomes", s.Outcomes, mayRead|mayWrite|mayDescribeConfigs, others)
	}
	if s.CheckpointTopic != "" {
		k.topic(ctx, c, "checkpoints", s.CheckpointTopic, mayRead|mayWrite|mayDescribeConfigs, others)
	}
}

// topic checks one topic and returns the number of its partitions. With create it checks whether a missing topic could
// be created.
func (k *clusterCheck) topic(
	ctx context.Context, create *broker.Conn, what, name string, rights int32, width int,
) int {
	t := k.find(name)
	switch {
	case t == nil:
		k.fail(what, name+": not in the broker's response", seeLog)
		return 0
	case t.ErrorCode == kerr.UnknownTopicOrPartition.Code && create != nil:
		k.creatable(ctx, create, what, name, width)
		return 0
	case t.ErrorCode == kerr.UnknownTopicOrPartition.Code:
		do := "check its spelling, or create it"
		if what != "input" && what != "labels" {
			do = fmt.Sprintf("create it with %s, or start with --create-topics", partitions(width))
			k.absent++
		}
		k.fail(what, name+" does not exist (or this user may not see it)", do)
		return 0
	case t.ErrorCode == kerr.TopicAuthorizationFailed.Code:
		k.fail(what, name+": this user may not even know whether it exists", "add ACLs for "+lacks(0, rights)+" on it")
		return 0
	case t.ErrorCode != 0:
		k.fail(what, fmt.Sprintf("%s: %v", name, broker.ErrorForCode(t.ErrorCode)), seeLog)
		return 0
	}
	k.existing(ctx, create, what, t, rights, width)
	return len(t.Partitions)
}

func (k *clusterCheck) existing(
	ctx context.Context, create *broker.Conn, what string, t *kmsg.MetadataResponseTopic, rights int32, width int,
) {
	name, has := *t.Topic, len(t.Partitions)
	for _, p := range t.Partitions {
		if p.Leader < 0 {
			k.fail(what, fmt.Sprintf("%s: partition %d has no leader", name, p.Partition),
				"start the brokers that hold it")
			return
		}
	}
	lacking, more := lacks(t.AuthorizedOperations, rights), ""
	if has < width {
		more = fmt.Sprintf(", run --create-topics will make it %d", width)
	}
	if t.AuthorizedOperations == rightsUnknown {
		more += "; the broker does not tell the rights"
	}
	switch {
	case has < width && create == nil:
		k.fail(what, fmt.Sprintf("%s has %s, the input has %d", name, partitions(has), width),
			"add partitions, or start with --create-topics")
	case lacking != "":
		k.fail(what, fmt.Sprintf("%s: this user lacks %s", name, lacking), "add an ACL for it")
	case has >= width || k.widenable(ctx, create, what, name, has, width):
		k.ok(what, "%s, %s%s", name, partitions(has), more)
	}
}

func lacks(have, want int32) string {
	if have == rightsUnknown {
		return ""
	}
	var names []string
	for _, r := range rightNames {
		if want&r.bit != 0 && have&r.bit == 0 {
			names = append(names, r.name)
		}
	}
	return strings.Join(names, ", ")
}

func (k *clusterCheck) find(name string) *kmsg.MetadataResponseTopic {
	for i, t := range k.meta.Topics {
		if t.Topic != nil && *t.Topic == name {
			return &k.meta.Topics[i]
		}
	}
	return nil
}
