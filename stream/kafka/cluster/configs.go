package cluster

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/verdict"
)

// configForms are the ways to ask for configurations, each without something that a broker may fail to read: in the
// highest version, in the one before, which has no tagged fields, and for all configurations instead of some by name.
const configForms = 3

// beforeTags is DescribeConfigs up to the version before tagged fields.
type beforeTags struct{ *kmsg.DescribeConfigsRequest }

func (beforeTags) MaxVersion() int16 { return 3 }

// TopicConfigs returns the configurations of these names, or more, of topics, in the order of the topics. Where a
// broker closes the connection the next request takes another form.
func (c *Cluster) TopicConfigs(
	ctx context.Context, names []string, topics ...string,
) ([][]kmsg.DescribeConfigsResponseResourceConfig, error) {
	const topicResource = 2
	form := c.configs.Load()
	if form == 2 {
		names = nil // all
	}
	req := kmsg.NewPtrDescribeConfigsRequest()
	at := map[string]int{}
	for i, topic := range topics {
		at[topic] = i
		req.Resources = append(req.Resources, kmsg.DescribeConfigsRequestResource{
			ResourceType: topicResource, ResourceName: topic, ConfigNames: names})
	}
	var message kmsg.Request = req
	if form > 0 {
		message = beforeTags{req}
	}
	res, err := Ask[*kmsg.DescribeConfigsResponse](ctx, c, AnyBroker, message)
	switch {
	case verdict.IsClosing(err):
		//mutation:configs-in-one-form
		c.configs.CompareAndSwap(form, (form+1)%configForms)
		return nil, err
	case err != nil:
		return nil, err
	case len(res.Resources) != len(topics):
		return nil, fmt.Errorf("configurations of %d topics instead of %d", len(res.Resources), len(topics))
	}
	all := make([][]kmsg.DescribeConfigsResponseResourceConfig, len(topics))
	for _, r := range res.Resources {
		if err := verdict.Coded(r.ErrorCode, "configuration of topic %s", r.ResourceName); err != nil {
			return nil, err
		}
		if i, ok := at[r.ResourceName]; ok {
			all[i] = r.Configs
		}
	}
	return all, nil
}
