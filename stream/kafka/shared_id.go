package kafka

import (
	"context"
	"fmt"
	"regexp"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/cluster"
)

// The transactional id of partition P of the output OUTPUT, which has a model for each partition, is that of a single
// model with the output OUTPUT.P, too: the two daemons fence each other.

// ofPartition is an output whose name ends as a transactional id of a partition does.
var ofPartition = regexp.MustCompile(`^(.+)\.(?:0|[1-9][0-9]*)$`)

// SharedIDs names the topics that there are of which a daemon with the other --model-per, if they are its output,
// writes under a transactional id of this one. Each partition of the input has a model of its own with split.
func (c *Client) SharedIDs(ctx context.Context, split bool) (outputs []string, err error) {
	var names []string
	if found := ofPartition.FindStringSubmatch(c.opt.Output); found != nil && !split {
		names = append(names, found[1])
	}
	if split {
		input, err := c.cluster.DescribeOne(ctx, c.opt.Input)
		if err != nil {
			return nil, err
		}
		for p := range input.Leaders {
			names = append(names, fmt.Sprintf("%s.%d", c.opt.Output, p))
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	r, err := c.cluster.Request(ctx, cluster.Besides(), &cluster.Exchange{Message: broker.MetadataRequest(names...)})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		t, err := cluster.PickTopic(r.(*kmsg.MetadataResponse), name)
		//mutation:shared-id-exists
		if err == nil && !t.Missing {
			outputs = append(outputs, name)
		}
	}
	return outputs, nil
}

// SharedIDAdvice says what a output means, and what to do.
func SharedIDAdvice(output string) (found, do string) {
	return fmt.Sprintf("topic %s exists: if it is the output of another daemon, that has a transactional id of this"+
		" one, and the two fence each other", output), "then name another --output for one of them"
}
