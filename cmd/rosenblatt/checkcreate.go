package main

import (
	"fmt"

	"github.com/dustin/go-humanize/english"
	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// creatable tells whether run --create-topics could make a topic. The broker is asked to look at the request, and to leave it at
// that (validate only).
func (k *kafkaCheck) creatable(w *wire, what, name string, width int) {
	req := kmsg.NewPtrCreateTopicsRequest()
	req.ValidateOnly, req.TimeoutMillis = true, int32(k.with.Timeout.Milliseconds())
	t := kmsg.NewCreateTopicsRequestTopic()
	t.Topic, t.NumPartitions, t.ReplicationFactor = name, int32(width), -1
	policy := kmsg.NewCreateTopicsRequestTopicConfig()
	policy.Name, policy.Value = "cleanup.policy", kmsg.StringPtr("delete")
	t.Configs = append(t.Configs, policy)
	req.Topics = append(req.Topics, t)
	res, err := ask[*kmsg.CreateTopicsResponse](w, req, 4, 7)
	var code int16
	var text *string
	if err == nil && len(res.Topics) == 1 {
		code, text = res.Topics[0].ErrorCode, res.Topics[0].ErrorMessage
	}
	if k.allowed(what, name+" is not there yet", code, text, err) {
		k.ok(what, "%s is not there yet, run --create-topics will make it", name)
	}
}

// widenable tells whether run --create-topics could add partitions to a topic.
func (k *kafkaCheck) widenable(w *wire, what, name string, has, width int) bool {
	req := kmsg.NewPtrCreatePartitionsRequest()
	req.ValidateOnly, req.TimeoutMillis = true, int32(k.with.Timeout.Milliseconds())
	t := kmsg.NewCreatePartitionsRequestTopic()
	t.Topic, t.Count = name, int32(width)
	req.Topics = append(req.Topics, t)
	res, err := ask[*kmsg.CreatePartitionsResponse](w, req, 0, 3)
	var code int16
	var text *string
	if err == nil && len(res.Topics) == 1 {
		code, text = res.Topics[0].ErrorCode, res.Topics[0].ErrorMessage
	}
	return k.allowed(what, fmt.Sprintf("%s has %d %s, the input has %d", name, has, english.PluralWord(has, "partition", ""), width), code, text, err)
}

// allowed tells whether a broker would do what it was asked, and why not.
func (k *kafkaCheck) allowed(what, state string, code int16, text *string, err error) bool {
	switch kafkago.Error(code) {
	case 0, kafkago.TopicAlreadyExists: // somebody is making it at this moment
		if err == nil {
			return true
		}
		k.fail(what, fmt.Sprintf("%s, and whether it can be changed: %v", state, err), "see the broker's log")
	case kafkago.TopicAuthorizationFailed, kafkago.ClusterAuthorizationFailed:
		k.fail(what, state+", and this user may not change that", "add an ACL (CREATE to make a topic, ALTER to widen one), or let somebody else do it")
	case kafkago.NotController: // of a cluster with ZooKeeper only one broker knows
		k.note(what, state, "run --create-topics will try to change that")
	default:
		why := brokerError(code).Error()
		if text != nil {
			why += ": " + *text
		}
		k.fail(what, fmt.Sprintf("%s, and the broker would not change that: %s", state, why), "see the broker's settings and policies")
	}
	return false
}
