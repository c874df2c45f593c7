package preflight

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
)

// creatable checks whether run --create-topics could create a topic: the broker only validates the request.
func (k *clusterCheck) creatable(ctx context.Context, c *broker.Conn, what, name string, width int) {
	req := broker.CreateTopicRequest(name, width, map[string]string{"cleanup.policy": "delete"}, k.settings.Timeout)
	req.ValidateOnly = true
	res, err := request[*kmsg.CreateTopicsResponse](ctx, k, c, req)
	var t kmsg.CreateTopicsResponseTopic
	if err == nil && len(res.Topics) == 1 {
		t = res.Topics[0]
	}
	if k.allowed(what, name+" does not exist yet", t.ErrorCode, t.ErrorMessage, err) {
		k.ok(what, "%s does not exist yet: run --create-topics will create it", name)
	}
}

func (k *clusterCheck) widenable(ctx context.Context, c *broker.Conn, what, name string, has, width int) bool {
	req := broker.CreatePartitionsRequest(name, width, k.settings.Timeout)
	req.ValidateOnly = true
	res, err := request[*kmsg.CreatePartitionsResponse](ctx, k, c, req)
	var t kmsg.CreatePartitionsResponseTopic
	if err == nil && len(res.Topics) == 1 {
		t = res.Topics[0]
	}
	state := fmt.Sprintf("%s has %s, the input has %d", name, partitions(has), width)
	return k.allowed(what, state, t.ErrorCode, t.ErrorMessage, err)
}

// allowed tells whether a broker would execute a validated request; if not, it prints why.
func (k *clusterCheck) allowed(what, state string, code int16, text *string, err error) bool {
	switch code {
	case 0, kerr.TopicAlreadyExists.Code: // being created now
		if err == nil {
			return true
		}
		k.cannotTell(what, state+", and whether that can be changed", err)
	case kerr.TopicAuthorizationFailed.Code, kerr.ClusterAuthorizationFailed.Code:
		k.fail(what, state+", and this user may not change that",
			"add an ACL (CREATE to make a topic, ALTER to widen one), or let somebody else do it")
	case kerr.NotController.Code: // with ZooKeeper only the controller can say
		k.note(what, state, "run --create-topics will try to change that")
	default:
		why := broker.ErrorForCode(code).Error()
		if text != nil {
			why += ": " + *text
		}
		k.fail(what, fmt.Sprintf("%s, and the broker would not change that: %s", state, why),
			"see the broker's settings and policies")
	}
	return false
}
