package kafka

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/topics"
)

// Topology is described at stream.Log. A missing topic is an error at once.
func (c *Client) Topology(ctx context.Context) (t *topics.Topology, err error) {
	err = c.prepare(ctx, "topology", func(ctx context.Context) (err error) {
		t, err = c.topology(ctx)
		return err
	})
	return t, err
}

func (c *Client) topology(ctx context.Context) (*topics.Topology, error) {
	names := []string{c.opt.Input, c.opt.Output, c.opt.DeadLetters}
	cluster, metas, err := c.describe(ctx, names...)
	if err != nil {
		return nil, err
	}
	t := &topics.Topology{Cluster: cluster}
	states := []*topics.TopicState{&t.Input, &t.Output, &t.DeadLetters}
	for i, m := range metas {
		if m.missing {
			return nil, &MissingTopic{m.name}
		}
		c.ids.note(m)
		s := states[i]
		s.Name, s.ID = m.name, hexID(m.id)
		if s.Partitions, err = c.bounds(ctx, m); err != nil {
			return nil, err
		}
	}
	c.inputs.Store(int32(len(t.Input.Partitions)))
	return t, c.settings(ctx, states)
}

// bounds returns the extent of every partition. The start is requested last: of a log truncated in between it may be
// beyond the end, but it exists.
func (c *Client) bounds(ctx context.Context, m topicMeta) ([]topics.Bounds, error) {
	stable, err := c.listOffsets(ctx, m, logEnd, committed)
	if err != nil {
		return nil, err
	}
	end, err := c.listOffsets(ctx, m, logEnd, uncommitted)
	if err != nil {
		return nil, err
	}
	start, err := c.listOffsets(ctx, m, logStart, uncommitted)
	if err != nil {
		return nil, err
	}
	b := make([]topics.Bounds, len(m.leaders))
	for p := range b {
		b[p] = topics.Bounds{Start: start[p], End: end[p], Stable: stable[p]}
	}
	return b, nil
}

// settings adds the topics' configurations.
func (c *Client) settings(ctx context.Context, states []*topics.TopicState) error {
	const topicResource = 2
	req := kmsg.NewPtrDescribeConfigsRequest()
	for _, s := range states {
		req.Resources = append(req.Resources, kmsg.DescribeConfigsRequestResource{
			ResourceType: topicResource, ResourceName: s.Name,
			ConfigNames: []string{"max.message.bytes", "cleanup.policy", "retention.ms", "retention.bytes"},
		})
	}
	res, err := request[*kmsg.DescribeConfigsResponse](ctx, c.Cluster, anyBroker, req)
	if err != nil {
		return err
	}
	if len(res.Resources) != len(states) {
		return fmt.Errorf("configurations of %d topics instead of %d", len(res.Resources), len(states))
	}
	for i := range res.Resources {
		r := &res.Resources[i]
		if err := coded(r.ErrorCode, "configuration of topic %s", r.ResourceName); err != nil {
			return err
		}
		for _, s := range states {
			if s.Name == r.ResourceName {
				if err := setConfigs(s, r.Configs); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func setConfigs(s *topics.TopicState, configs []kmsg.DescribeConfigsResponseResourceConfig) error {
	for _, c := range configs {
		if c.Value == nil {
			continue
		}
		var err error
		switch c.Name {
		case "max.message.bytes":
			s.MaxMessageBytes, err = strconv.Atoi(*c.Value)
		case "cleanup.policy":
			s.Compacted = strings.Contains(*c.Value, "compact")
		case "retention.ms":
			s.RetentionMS, err = strconv.ParseInt(*c.Value, 10, 64)
		case "retention.bytes":
			s.RetentionBytes, err = strconv.ParseInt(*c.Value, 10, 64)
		}
		if err != nil {
			return fmt.Errorf("configuration %s of topic %s: %w", c.Name, s.Name, err)
		}
	}
	return nil
}
