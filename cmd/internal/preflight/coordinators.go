package preflight

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/group"
	"rosenblatt/stream/kafka/broker"
)

// coordinatorWithin is the time for a cluster to have a coordinator: a new one has to create its topics first.
const coordinatorWithin = 5 * time.Second

// Kinds of coordinators.
const (
	ofGroup int8 = iota
	ofTransaction
)

// coordinator finds and connects to the coordinator of a group or a transactional id.
func (k *clusterCheck) coordinator(ctx context.Context, c *broker.Conn, kind int8, key string) (*broker.Conn, error) {
	req := &kmsg.FindCoordinatorRequest{CoordinatorType: kind, CoordinatorKey: key}
	found, err := request[*kmsg.FindCoordinatorResponse](ctx, k, c, req)
	for end := time.Now().Add(coordinatorWithin); err == nil && time.Now().Before(end) && ctx.Err() == nil &&
		found.ErrorCode == kerr.CoordinatorNotAvailable.Code; {
		time.Sleep(100 * time.Millisecond)
		found, err = request[*kmsg.FindCoordinatorResponse](ctx, k, c, req)
	}
	if err == nil {
		err = broker.ErrorForCode(found.ErrorCode)
	}
	if err != nil {
		return nil, err
	}
	address := hostPort(found.Host, found.Port)
	to, err := k.open(ctx, address)
	if err != nil {
		return nil, err
	}
	if !k.prepare(ctx, to, address, false) {
		disconnect(to)
		return nil, fmt.Errorf("no connection to the coordinator at %s", address)
	}
	return to, nil
}

// transactions checks the right to fence by ending a transaction of a producer that does not exist: Kafka checks the
// right to WRITE first and then refuses without a change. Only InitProducerID would fence.
func (k *clusterCheck) transactions(ctx context.Context, c *broker.Conn) {
	id := k.settings.TransactionalID()
	if k.settings.Split() {
		id += ".0" // the others begin alike
	}
	fail := func(found, do string) { k.fail("transactions", "transactional id "+id+": "+found, do) }
	to, err := k.coordinator(ctx, c, ofTransaction, id)
	switch {
	case errors.Is(err, kerr.TransactionalIDAuthorizationFailed):
		fail(err.Error(), "add an ACL for WRITE on it")
		return
	case err != nil:
		fail(err.Error(), seeLog)
		return
	}
	defer disconnect(to)
	req := &kmsg.EndTxnRequest{TransactionalID: id, ProducerID: -1, ProducerEpoch: -1}
	res, err := request[*kmsg.EndTxnResponse](ctx, k, to, req)
	switch {
	//mutation:check-cannot-tell
	case err != nil:
		k.cannotTell("transactions", "transactional id "+id, err)
	case res.ErrorCode == kerr.TransactionalIDAuthorizationFailed.Code:
		fail("this user lacks WRITE", "add an ACL for it")
	default: // INVALID_PRODUCER_ID_MAPPING: it may write, and nothing was changed
		k.ok("transactions", "transactional id %s", id)
	}
}

// groups checks the group of the offsets and, with --standby, that of the daemons.
func (k *clusterCheck) groups(ctx context.Context, c *broker.Conn) {
	k.group(ctx, c, k.settings.Group, k.note,
		"the daemon works without, but lag tools do not see it: add an ACL for READ on the group")
	if k.settings.Standby.Standby {
		k.group(ctx, c, k.settings.TasksGroup(), k.fail, "add an ACL for READ on the group")
	}
}

func (k *clusterCheck) group(
	ctx context.Context, c *broker.Conn, name string, report func(what, found, do string), advice string,
) {
	to, err := k.coordinator(ctx, c, ofGroup, name)
	if err != nil {
		report("group", name+": "+err.Error(), advice)
		return
	}
	defer disconnect(to)
	req := &kmsg.DescribeGroupsRequest{Groups: []string{name}, IncludeAuthorizedOperations: true}
	res, err := request[*kmsg.DescribeGroupsResponse](ctx, k, to, req)
	switch {
	case err != nil:
		k.cannotTell("group", name, err)
	case len(res.Groups) == 1 && lacks(res.Groups[0].AuthorizedOperations, mayRead) != "":
		report("group", name+": this user lacks READ", advice)
	case len(res.Groups) == 1 && name == k.settings.TasksGroup() && foreign(&res.Groups[0]):
		report("group", name+": another program uses this group", "end it, or choose another --group")
	default:
		k.ok("group", "%s", name)
	}
}

// foreign reports whether a group has members that are no daemons.
func foreign(g *kmsg.DescribeGroupsResponseGroup) bool {
	return len(g.Members) > 0 && g.ProtocolType != group.ProtocolType
}
