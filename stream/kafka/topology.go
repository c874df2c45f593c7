package kafka

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/topics"
)

// Topology is described at topics.Log. A missing topic is an error at once.
func (c *Client) Topology(ctx context.Context) (*topics.Topology, error) { return c.Watch(ctx, nil) }

// Watch is described at topics.Log. It is Metadata from one broker, and one ListOffsets to each, for all tasks of the
// process together.
func (c *Client) Watch(ctx context.Context, known *topics.Topology) (t *topics.Topology, err error) {
	look := c.topology
	if known != nil && c.partition != every {
		look = c.watchOne
	}
	err = c.prepare(ctx, "topology", func(ctx context.Context) (err error) {
		t, err = look(ctx, known)
		return err
	})
	return t, err
}

// topology looks all up; of what is known, only ids, partitions and ends.
func (c *Client) topology(ctx context.Context, known *topics.Topology) (*topics.Topology, error) {
	all := c.opt.all()
	cluster, metas, err := c.describe(ctx, c.opt.names(all)...)
	if err != nil {
		return nil, err
	}
	t := &topics.Topology{Cluster: cluster}
	if known != nil {
		*t = *known
	}
	inputs := 0
	for _, m := range metas[:len(c.opt.read())] {
		inputs += len(m.leaders)
	}
	c.inputs.Store(int32(inputs))
	metas = c.view(metas...)
	states := make([]*topics.TopicState, len(all))
	for i, m := range metas {
		if m.missing {
			return nil, &MissingTopic{m.name}
		}
		c.ids.note(m)
		s := t.Of(all[i])
		states[i] = s
		if known != nil && (s.ID != hexID(m.id) || len(s.Partitions) != len(m.leaders)) {
			return c.topology(ctx, nil)
		}
		s.Name, s.ID, s.Partitions = m.name, hexID(m.id), widened(s.Partitions, len(m.leaders))
	}
	if known != nil {
		return t, c.ends(ctx, metas, states)
	}
	var both errgroup.Group
	both.Go(func() error { return c.bounds(ctx, metas, states) })
	both.Go(func() error { return c.settings(ctx, states) })
	return t, both.Wait()
}

// widened is a copy for n partitions.
func widened(b []topics.Bounds, n int) []topics.Bounds {
	w := make([]topics.Bounds, n)
	copy(w, b)
	return w
}

// bounds fills in the extent of every partition. The last stable offset is requested after the end: else records that
// come in between would seem to be in a transaction. The start is requested last: of a log truncated in between it may
// be beyond the end, but it exists.
func (c *Client) bounds(ctx context.Context, metas []topicMeta, states []*topics.TopicState) error {
	end, err := c.listPlaces(ctx, logEnd, uncommitted, metas...)
	if err != nil {
		return err
	}
	stable, err := c.listOffsets(ctx, logEnd, committed, metas...)
	if err != nil {
		return err
	}
	start, err := c.listOffsets(ctx, logStart, uncommitted, metas...)
	if err != nil {
		return err
	}
	for i, s := range states {
		for p := range s.Partitions {
			at := end[i][p].Offset
			s.Partitions[p] = topics.Bounds{Start: start[i][p], End: at, Stable: min(at, stable[i][p]),
				Away: !c.has(p), Led: end[i][p]}
		}
	}
	return nil
}

// ends moves the ends on, with one request to each broker: the last stable offsets. High watermarks are those of the
// last fetches or, if higher, of the last full look; only in the topics that the task reads, all the time, do they
// differ for long. A partition without a leader holds nothing up: its end stays.
func (c *Client) ends(ctx context.Context, metas []topicMeta, states []*topics.TopicState) error {
	// Before the others: else records that come in between would seem to be in a transaction.
	highs := make([][]int64, len(c.opt.read())) // they come first
	for i := range highs {
		highs[i] = c.highs.copy(states[i].Name, len(states[i].Partitions))
	}
	//mutation:watch-known
	stable, err := c.listKnown(ctx, logEnd, committed, metas...)
	if err != nil {
		return err
	}
	for i, s := range states {
		for p := range s.Partitions {
			b := &s.Partitions[p]
			if b.Untold = !b.Away && stable[i][p] < 0; b.Away || b.Untold {
				continue
			}
			before := b.End
			b.Stable, b.End = stable[i][p], stable[i][p]
			if i < len(highs) {
				b.End = max(b.End, before, highs[i][p])
			}
		}
	}
	return nil
}

// InputSettings looks up the configuration of the input alone: topics that are written may be missing.
func (c *Client) InputSettings(ctx context.Context) (*topics.TopicState, error) {
	s := &topics.TopicState{Name: c.opt.Input}
	return s, c.settings(ctx, []*topics.TopicState{s})
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
			s.Compacted, s.Deleted = strings.Contains(*c.Value, "compact"), strings.Contains(*c.Value, "delete")
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

// highs are the high watermarks of the topics that are read as of the last fetches, 0 before there is one.
type highs struct {
	mu sync.Mutex
	of map[string][]int64
}

func (h *highs) note(topic string, partition int32, high int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.of == nil {
		h.of = map[string][]int64{}
	}
	for int(partition) >= len(h.of[topic]) {
		h.of[topic] = append(h.of[topic], 0)
	}
	h.of[topic][partition] = high
}

func (h *highs) copy(topic string, partitions int) []int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append(slices.Clone(h.of[topic]), make([]int64, max(0, partitions-len(h.of[topic])))...)
}
