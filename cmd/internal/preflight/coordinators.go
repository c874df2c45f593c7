package preflight

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/wire"
)

// coordinatorWithin is how long a cluster may take to have a coordinator: a new one has to create its topics first.
const coordinatorWithin = 5 * time.Second

// Kinds of coordinators.
const (
	ofGroup int8 = iota
	ofTransaction
)

// coordinator finds the coordinator of a group or a transactional id and connects to it.
func (k *clusterCheck) coordinator(ctx context.Context, c *wire.Conn, kind int8, key string) (*wire.Conn, error) {
	req := kmsg.NewPtrFindCoordinatorRequest()
	req.CoordinatorType, req.CoordinatorKey = kind, key
	began := time.Now()
	var found *kmsg.FindCoordinatorResponse
	for {
		var err error
		if found, err = request[*kmsg.FindCoordinatorResponse](ctx, k, c, req); err != nil {
			return nil, err
		}
		if found.ErrorCode != kerr.CoordinatorNotAvailable.Code || time.Since(began) > coordinatorWithin || ctx.Err() != nil {
			break
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	if err := wire.ErrorForCode(found.ErrorCode); err != nil {
		return nil, err
	}
	address := net.JoinHostPort(found.Host, strconv.Itoa(int(found.Port)))
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

// transactions checks whether the task may fence. It ends a transaction of a producer that does not exist: Kafka checks
// the right to WRITE first, and then refuses without having changed anything. Only InitProducerID would fence.
func (k *clusterCheck) transactions(ctx context.Context, c *wire.Conn) {
	const what = "transactions"
	id := k.settings.TransactionalID()
	to, err := k.coordinator(ctx, c, ofTransaction, id)
	if err != nil {
		do := "see the broker's log"
		if errors.Is(err, kerr.TransactionalIDAuthorizationFailed) {
			do = "add an ACL for WRITE on it"
		}
		k.fail(what, fmt.Sprintf("transactional id %s: %v", id, err), do)
		return
	}
	defer disconnect(to)
	req := kmsg.NewPtrEndTxnRequest()
	req.TransactionalID, req.ProducerID, req.ProducerEpoch = id, -1, -1
	res, err := request[*kmsg.EndTxnResponse](ctx, k, to, req)
	switch {
	case err != nil:
		k.fail(what, fmt.Sprintf("transactional id %s: %v", id, err), "see the broker's log")
	case res.ErrorCode == kerr.TransactionalIDAuthorizationFailed.Code:
		k.fail(what, fmt.Sprintf("transactional id %s: this user lacks WRITE", id), "add an ACL for it")
	default: // INVALID_PRODUCER_ID_MAPPING: it may write, and nothing was changed
		k.ok(what, "transactional id %s", id)
	}
}

const groupAdvice = "the daemon works without, but lag tools do not see it: add an ACL for READ on the group"

// group checks whether offsets may be committed.
func (k *clusterCheck) group(ctx context.Context, c *wire.Conn) {
	const what = "group"
	name := k.settings.Group
	to, err := k.coordinator(ctx, c, ofGroup, name)
	if err != nil {
		k.note(what, fmt.Sprintf("%s: %v", name, err), groupAdvice)
		return
	}
	defer disconnect(to)
	req := kmsg.NewPtrDescribeGroupsRequest()
	req.Groups, req.IncludeAuthorizedOperations = []string{name}, true
	res, err := request[*kmsg.DescribeGroupsResponse](ctx, k, to, req)
	switch {
	case err != nil:
		k.note(what, fmt.Sprintf("%s: %v", name, err), "see the broker's log")
	case len(res.Groups) == 1 && lacks(res.Groups[0].AuthorizedOperations, mayRead) != "":
		k.note(what, fmt.Sprintf("%s: this user lacks READ", name), groupAdvice)
	default:
		k.ok(what, "%s", name)
	}
}
