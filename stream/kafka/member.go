package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/group"
	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/stops"
)

// Member is a static member of a consumer group (KIP-345): a group.Transport. Its coordinator is looked up again after
// an error only.
//
// After a request without a response the next one has a new connection, which is made by requests and responses: a
// member whose link is cut in one direction does not reach the group.
type Member struct {
	cluster    *cluster.Cluster
	group      string
	instance   string
	session    time.Duration
	id         string // given by the coordinator; empty: none yet
	generation int32
	address    []string // of the coordinator; empty: unknown
	// indeterminateJoin is when a join without an id got no response: it may arrive for indeterminateFor.
	indeterminateJoin time.Time
}

const indeterminateFor = time.Minute

var _ group.Transport = (*Member)(nil)

// Member returns a member, which has not joined.
func (c *Client) Member(group, instance string, session time.Duration) *Member {
	return &Member{cluster: c.cluster, group: group, instance: instance, session: session}
}

const (
	// rebalanceTimeout is how long the coordinator waits for members to join again, and then for them to sync. Static
	// members that join late stay in the group: longer waiting only delays what another member's death leaves to do.
	// One that syncs late is dropped by brokers since 3.0, and joins anew: the leader takes milliseconds for ten
	// thousand tasks.
	rebalanceTimeout = 500 * time.Millisecond
	// joinWait is how long a join may take: brokers make the first members of a group wait for others, by default 3 s
	// (group.initial.rebalance.delay.ms).
	joinWait = 5 * time.Second
)

// Join is described at group.Transport.
func (m *Member) Join(ctx context.Context, metadata []byte, assign group.AssignTasks) (int32, []byte, error) {
	req := kmsg.NewPtrJoinGroupRequest()
	req.Group, req.MemberID, req.InstanceID = m.group, m.id, &m.instance
	req.SessionTimeoutMillis = int32(m.session.Milliseconds())
	req.RebalanceTimeoutMillis = int32(rebalanceTimeout.Milliseconds())
	req.ProtocolType = group.ProtocolType
	req.Protocols = []kmsg.JoinGroupRequestProtocol{{Name: group.ProtocolName, Metadata: metadata}}
	joined, err := ask[*kmsg.JoinGroupResponse](ctx, m, req, joinWait)
	if err != nil {
		m.noResponse(errors.Is(err, group.ErrNoResponse))
		return 0, nil, err
	}
	if err := m.coded(joined.ErrorCode, "JoinGroup"); err != nil {
		return 0, nil, err
	}
	m.id, m.generation = joined.MemberID, joined.Generation
	sync := kmsg.NewPtrSyncGroupRequest()
	sync.Group, sync.Generation, sync.MemberID, sync.InstanceID = m.group, m.generation, m.id, &m.instance
	sync.ProtocolType, sync.Protocol = kmsg.StringPtr(group.ProtocolType), kmsg.StringPtr(group.ProtocolName)
	//mutation:skip-assignment
	if joined.LeaderID == m.id && !joined.SkipAssignment {
		sync.GroupAssignment = assignments(joined.Members, assign)
	}
	synced, err := ask[*kmsg.SyncGroupResponse](ctx, m, sync, rebalanceTimeout)
	if err != nil {
		return m.generation, nil, err
	}
	return m.generation, synced.MemberAssignment, m.coded(synced.ErrorCode, "SyncGroup")
}

// noResponse notes a request that was sent, or not.
func (m *Member) noResponse(sent bool) {
	if sent && m.id == "" {
		m.indeterminateJoin = time.Now()
	}
}

func assignments(
	members []kmsg.JoinGroupResponseMember, assign group.AssignTasks,
) []kmsg.SyncGroupRequestGroupAssignment {
	entries := make([]group.Entry, len(members))
	out := make([]kmsg.SyncGroupRequestGroupAssignment, len(members))
	for i, other := range members {
		entries[i] = group.Entry{Instance: other.MemberID, Metadata: other.ProtocolMetadata}
		if other.InstanceID != nil {
			entries[i].Instance = *other.InstanceID
		}
	}
	for i, data := range assign(entries) {
		out[i].MemberID, out[i].MemberAssignment = members[i].MemberID, data
	}
	return out
}

// Heartbeat is described at group.Transport.
func (m *Member) Heartbeat(ctx context.Context) error {
	req := kmsg.NewPtrHeartbeatRequest()
	req.Group, req.Generation, req.MemberID, req.InstanceID = m.group, m.generation, m.id, &m.instance
	res, err := ask[*kmsg.HeartbeatResponse](ctx, m, req, 0)
	if err != nil {
		return err
	}
	return m.coded(res.ErrorCode, "Heartbeat")
}

// Leave is described at group.Transport. A member that the coordinator does not know any more has left.
func (m *Member) Leave(ctx context.Context) error {
	if m.id == "" && time.Since(m.indeterminateJoin) >= indeterminateFor {
		return nil
	}
	req := kmsg.NewPtrLeaveGroupRequest()
	req.Group = m.group
	req.Members = []kmsg.LeaveGroupRequestMember{{MemberID: m.id, InstanceID: &m.instance}}
	res, err := ask[*kmsg.LeaveGroupResponse](ctx, m, req, 0)
	defer m.cluster.Outages.Clear(m.what())
	if err != nil {
		return err
	}
	code := res.ErrorCode
	if len(res.Members) == 1 && code == 0 {
		code = res.Members[0].ErrorCode
	}
	if code == kerr.UnknownMemberID.Code || code == kerr.FencedInstanceID.Code {
		return nil
	}
	return m.coded(code, "LeaveGroup")
}

// ask sends a request to the coordinator, which may wait before it responds.
func ask[R kmsg.Response](ctx context.Context, m *Member, req kmsg.Request, wait time.Duration) (none R, err error) {
	limited, cancel := context.WithTimeout(ctx, m.session/3+wait)
	defer cancel()
	x := &cluster.Exchange{Message: req, Patience: m.session / 4, Wait: wait}
	res, err := m.cluster.Request(limited, m.coordinator, x)
	if err == nil {
		return res.(R), nil
	}
	m.address = nil
	switch {
	case ctx.Err() != nil:
		m.noResponse(x.Sent)
		m.cluster.Outages.Clear(m.what())
		return none, ctx.Err()
	case limited.Err() == nil && verdict.Classify(err) != verdict.Retriable:
		return none, verdict.StopFor(err)
	}
	m.failed(err)
	if x.Sent {
		return none, fmt.Errorf("%w: %w", group.ErrNoResponse, err)
	}
	return none, err
}

// what names the membership in outages.
func (m *Member) what() string { return "group " + m.group }

// failed notes that a request is repeated.
func (m *Member) failed(err error) {
	//mutation:group-outage
	m.cluster.Outages.Failed(m.what(), err)
}

func (m *Member) coordinator(ctx context.Context, c *cluster.Cluster) (addresses []string, err error) {
	if len(m.address) == 0 {
		m.address, err = cluster.Coordinator(cluster.OfGroup, m.group)(ctx, c)
	}
	return m.address, err
}

// coded returns the error of a code for the group's requests.
func (m *Member) coded(code int16, what string) error {
	err := verdict.Coded(code, "%s of %s", what, m.group)
	switch {
	case err == nil:
		m.cluster.Outages.Recovered(m.what())
		return nil
	case verdict.IsCode(err, kerr.RebalanceInProgress, kerr.IllegalGeneration):
		return fmt.Errorf("%w: %w", group.ErrRejoin, err)
	//mutation:unknown-member
	case verdict.IsCode(err, kerr.UnknownMemberID):
		m.id = ""
		return fmt.Errorf("%w: %w", group.ErrRejoin, err)
	//mutation:own-late-join
	case verdict.IsCode(err, kerr.FencedInstanceID) && time.Since(m.indeterminateJoin) < indeterminateFor:
		m.id, m.indeterminateJoin = "", time.Time{}
		return fmt.Errorf("%w: %w", group.ErrRejoin, err)
	case verdict.IsCode(err, kerr.FencedInstanceID):
		return stopInstance(m.group, m.instance, err)
	//mutation:foreign-group
	case verdict.IsCode(err, kerr.InconsistentGroupProtocol) && m.generation > 0:
		m.cluster.Outages.Waits(m.what(), err) // a consumer has joined while no member was there
		return err
	case verdict.Classify(err) == verdict.Retriable:
		m.address = nil
		m.failed(err)
		return err
	}
	return verdict.StopFor(err)
}

func stopInstance(group, instance string, err error) *stops.Error {
	return &stops.Error{
		Name: stops.Fenced,
		What: fmt.Sprintf("another process has joined the group %s as instance %s (%s)", group, instance,
			verdict.Words(err)),
		Safe: "everything: the other members go on",
		Do: "find out which of the two is meant to run, or give each an --instance of its own; do not restart this" +
			" one automatically",
		Cause: err,
	}
}
