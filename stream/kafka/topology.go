package kafka

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/topics"
)

// Topology is described at topics.Log. A missing topic is an error at once.
func (c *Client) Topology(ctx context.Context) (*topics.Topology, error) { return c.Watch(ctx, nil) }

// Watch is described at topics.Log. It is Metadata from one broker, and one ListOffsets to each, for all tasks of the
// process together.
func (c *Client) Watch(ctx context.Context, known *topics.Topology) (t *topics.Topology, err error) {
	look := c.topology
	if known != nil && c.portion != cluster.Every {
		look = c.watchOne
	}
	err = c.cluster.Prepare(ctx, "topology", func(ctx context.Context) (err error) {
		t, err = look(ctx, known)
		return err
	})
	return t, err
}

// topology looks all up; of what is known, only ids, partitions and ends.
func (c *Client) topology(ctx context.Context, known *topics.Topology) (*topics.Topology, error) {
	all := c.names.All()
	id, metas, err := c.cluster.Describe(ctx, c.names.List(all)...)
	if err != nil {
		return nil, err
	}
	t := &topics.Topology{Cluster: id}
	if known != nil {
		*t = *known
	}
	inputs := 0
	for _, m := range metas[:len(c.names.Read())] {
		inputs += len(m.Leaders)
	}
	c.fetcher.SetInputs(inputs)
	metas = c.portion.View(metas...)
	states := make([]*topics.TopicState, len(all))
	for i, m := range metas {
		if m.Missing {
			return nil, &verdict.MissingTopic{Name: m.Name}
		}
		c.cluster.NoteID(m)
		s := t.Of(all[i])
		states[i] = s
		if known != nil && (s.ID != cluster.HexID(m.ID) || len(s.Partitions) != len(m.Leaders)) {
			return c.topology(ctx, nil)
		}
		s.Name, s.ID, s.Partitions = m.Name, cluster.HexID(m.ID), widened(s.Partitions, len(m.Leaders))
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
// come in between would seem to be in a transaction. So is the start: of a log truncated in between it may be beyond
// the end, but it exists. These two are requested at once: a takeover waits for them, and nobody predicts meanwhile.
func (c *Client) bounds(ctx context.Context, metas []cluster.Topic, states []*topics.TopicState) error {
	end, err := c.cluster.ListPlaces(ctx, cluster.LogEnd, cluster.Uncommitted, metas...)
	if err != nil {
		return err
	}
	var stable, start [][]int64
	both, within := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		stable, err = c.cluster.ListOffsets(within, cluster.LogEnd, cluster.Committed, metas...)
		return err
	})
	both.Go(func() (err error) {
		start, err = c.cluster.ListOffsets(within, cluster.LogStart, cluster.Uncommitted, metas...)
		return err
	})
	if err := both.Wait(); err != nil {
		return err
	}
	for i, s := range states {
		for p := range s.Partitions {
			at := end[i][p].Offset
			s.Partitions[p] = topics.Bounds{Start: start[i][p], End: at, Stable: min(at, stable[i][p]),
				OtherTask: !c.portion.Has(p), Led: end[i][p]}
		}
	}
	return nil
}

// ends moves the ends on, with one request to each broker: the last stable offsets. High watermarks are those of the
// last fetches or, if higher, of the last full look; only in the topics that the task reads, all the time, do they
// differ for long. A partition without a leader holds nothing up: its end stays.
func (c *Client) ends(ctx context.Context, metas []cluster.Topic, states []*topics.TopicState) error {
	// Before the others: else records that come in between would seem to be in a transaction.
	highs := make([][]int64, len(c.names.Read())) // they come first
	for i := range highs {
		highs[i] = c.fetcher.High(states[i].Name, len(states[i].Partitions))
	}
	//mutation:watch-known
	stable, err := c.cluster.ListKnown(ctx, cluster.LogEnd, cluster.Committed, metas...)
	if err != nil {
		return err
	}
	for i, s := range states {
		if i < len(highs) {
			c.fetcher.Ends(s.Name, stable[i])
		}
		for p := range s.Partitions {
			b := &s.Partitions[p]
			if b.Untold = !b.OtherTask && stable[i][p] < 0; b.OtherTask || b.Untold {
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
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = s.Name
	}
	configs, err := c.cluster.TopicConfigs(ctx,
		[]string{"max.message.bytes", "cleanup.policy", "retention.ms", "retention.bytes"}, names...)
	if err != nil {
		return err
	}
	for i, s := range states {
		s.RetentionMS, s.RetentionBytes = -1, -1 // where the broker does not tell
		if err := setConfigs(s, configs[i]); err != nil {
			return err
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
