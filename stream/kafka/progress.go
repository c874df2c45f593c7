package kafka

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/topics"
)

// Progress is how far a task is, as its cluster knows.
type Progress struct {
	Lag   int64     // records of the input behind the newest checkpoint; -1: unknown
	Saved time.Time // of the newest checkpoint; zero: unknown
	Epoch int16     // of the producer of the last takeover; -1: none, or the brokers do not tell
}

// Progress returns the task's progress from its committed offsets and its transactional id.
func (c *Client) Progress(ctx context.Context) (p Progress, err error) {
	p.Epoch = -1
	all, err := c.endsOf(ctx, []topics.Topic{topics.Input}, cluster.Committed)
	if err != nil {
		return p, err
	}
	positions, saved, err := c.lastCommit(ctx)
	if err != nil {
		return p, err
	}
	p.Saved = saved
	for i, end := range all[0] {
		switch {
		case !c.portion.Has(i):
		case i >= len(positions) || positions[i] < 0:
			p.Lag = -1
			return p, c.epoch(ctx, &p)
		default:
			p.Lag += max(0, end-positions[i])
		}
	}
	return p, c.epoch(ctx, &p)
}

func (c *Client) epoch(ctx context.Context, p *Progress) error {
	s, err := c.view().Owner(ctx, c.cluster.Patience())
	if err == nil {
		p.Epoch = s.ProducerEpoch
	}
	// It came with Kafka 3.0, and takes the right to Describe the id.
	if verdict.IsCode(err, kerr.TransactionalIDNotFound, kerr.TransactionalIDAuthorizationFailed) ||
		broker.IsUnsupported(err) {
		return nil
	}
	return err
}

// GroupState is a consumer group as its coordinator describes it.
type GroupState struct {
	Name    string
	State   string        // as Stable, Empty or Dead
	Members []GroupMember // by instance
}

// GroupMember is a member of a group. What it told and was assigned is known of a stable group only.
type GroupMember struct {
	Instance             string
	Host                 string
	Metadata, Assignment []byte
}

// DescribeGroup describes a group. One that nobody has joined is Dead.
func (c *Client) DescribeGroup(ctx context.Context, name string) (g GroupState, err error) {
	err = c.cluster.Prepare(ctx, "group", func(ctx context.Context) error {
		g, err = c.describeGroup(ctx, name)
		return err
	})
	return g, err
}

func (c *Client) describeGroup(ctx context.Context, name string) (GroupState, error) {
	req := kmsg.NewPtrDescribeGroupsRequest()
	req.Groups = []string{name}
	to := cluster.Coordinator(cluster.OfGroup, name)
	res, err := cluster.Ask[*kmsg.DescribeGroupsResponse](ctx, c.cluster, to, req)
	if err != nil {
		return GroupState{}, err
	}
	if len(res.Groups) != 1 {
		return GroupState{}, errors.New("DescribeGroups: the response is about something else")
	}
	r := &res.Groups[0]
	g := GroupState{Name: name, State: r.State}
	for i := range r.Members {
		m := &r.Members[i]
		of := GroupMember{Instance: m.MemberID, Host: m.ClientHost, Metadata: m.ProtocolMetadata,
			Assignment: m.MemberAssignment}
		if m.InstanceID != nil {
			of.Instance = *m.InstanceID
		}
		g.Members = append(g.Members, of)
	}
	slices.SortFunc(g.Members, func(a, b GroupMember) int { return cmp.Compare(a.Instance, b.Instance) })
	return g, verdict.Coded(r.ErrorCode, "DescribeGroups of %s", name)
}
