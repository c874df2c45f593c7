package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Operations that rights are given for, as bits of what Metadata and DescribeGroups answer (KIP-430).
const (
	mayRead            = 1 << 3
	mayWrite           = 1 << 4
	mayDescribeConfigs = 1 << 10
	rightsUnknown      = math.MinInt32 // the broker does not say
)

var rightNames = []struct {
	bit  int32
	name string
}{{mayRead, "READ"}, {mayWrite, "WRITE"}, {mayDescribeConfigs, "DESCRIBE_CONFIGS"}}

// topics looks at the three topics and the rights on them.
func (k *kafkaCheck) topics(w *wire) {
	c := k.with
	width := max(1, k.topic(nil, "input", c.Input, mayRead|mayDescribeConfigs, 1))
	if !c.CreateTopics {
		w = nil
	}
	k.topic(w, "output", c.Output, mayRead|mayWrite|mayDescribeConfigs, width)
	k.topic(w, "dead-letter", c.DeadLetter, mayRead|mayWrite|mayDescribeConfigs, 1)
}

// topic looks at one topic and returns its number of partitions. By create it asks whether the topic could be made; nil: it is
// not to be.
func (k *kafkaCheck) topic(create *wire, what, name string, rights int32, width int) int {
	t := k.find(name)
	switch {
	case t == nil:
		k.fail(what, name+": the broker says nothing about it", "see the broker's log")
		return 0
	case t.ErrorCode == int16(kafkago.UnknownTopicOrPartition) && create != nil:
		k.creatable(create, what, name, width)
		return 0
	case t.ErrorCode == int16(kafkago.UnknownTopicOrPartition):
		do := "check its spelling, or create it"
		if what != "input" {
			do = fmt.Sprintf("create it with %d %s, or start with --create-topics", width, english.PluralWord(width, "partition", ""))
		}
		k.fail(what, name+" does not exist (or this user may not see it)", do)
		return 0
	case t.ErrorCode == int16(kafkago.TopicAuthorizationFailed):
		k.fail(what, name+": this user may not even know whether it exists", "add ACLs for "+lacks(0, rights)+" on it")
		return 0
	case t.ErrorCode != 0:
		k.fail(what, fmt.Sprintf("%s: %v", name, brokerError(t.ErrorCode)), "see the broker's log")
		return 0
	}
	k.existing(create, what, t, rights, width)
	return len(t.Partitions)
}

func (k *kafkaCheck) existing(create *wire, what string, t *kmsg.MetadataResponseTopic, rights int32, width int) {
	name := *t.Topic
	for _, p := range t.Partitions {
		if p.Leader < 0 {
			k.fail(what, fmt.Sprintf("%s: partition %d has no leader", name, p.Partition), "start the brokers that hold it")
			return
		}
	}
	if len(t.Partitions) < width && create == nil {
		k.fail(what, fmt.Sprintf("%s has %d %s, the input has %d", name, len(t.Partitions), english.PluralWord(len(t.Partitions), "partition", ""), width),
			"add partitions, or start with --create-topics")
		return
	}
	if lacking := lacks(t.AuthorizedOperations, rights); lacking != "" {
		k.fail(what, fmt.Sprintf("%s: this user lacks %s", name, lacking), "add an ACL for it")
		return
	}
	told := ""
	if len(t.Partitions) < width {
		if !k.widenable(create, what, name, len(t.Partitions), width) {
			return
		}
		told = fmt.Sprintf(", run --create-topics will make it %d", width)
	}
	if t.AuthorizedOperations == rightsUnknown {
		told += "; the broker does not tell the rights"
	}
	k.ok(what, "%s, %d %s%s", name, len(t.Partitions), english.PluralWord(len(t.Partitions), "partition", ""), told)
}

// lacks names the rights that are wanted and not there.
func lacks(have, want int32) string {
	if have == rightsUnknown {
		return ""
	}
	var names []string
	for _, r := range rightNames {
		if want&r.bit != 0 && have&r.bit == 0 {
			names = append(names, r.name)
		}
	}
	return strings.Join(names, ", ")
}

func (k *kafkaCheck) find(name string) *kmsg.MetadataResponseTopic {
	for i := range k.meta.Topics {
		if t := &k.meta.Topics[i]; t.Topic != nil && *t.Topic == name {
			return t
		}
	}
	return nil
}

// coordinatorWithin is how long a cluster may take to have a coordinator: a new one has to make its topics first.
const coordinatorWithin = 5 * time.Second

// coordinator finds who is in charge of a group (kind 0) or a transactional id (kind 1) and connects to it.
func (k *kafkaCheck) coordinator(ctx context.Context, w *wire, kind int8, key string) (*wire, error) {
	began := time.Now()
	res, err := findCoordinator(w, kind, key)
	for err == nil && res.ErrorCode == int16(kafkago.GroupCoordinatorNotAvailable) && time.Since(began) < coordinatorWithin && ctx.Err() == nil {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
		res, err = findCoordinator(w, kind, key)
	}
	switch {
	case err != nil:
		return nil, err
	case res.ErrorCode != 0:
		return nil, brokerError(res.ErrorCode)
	}
	to, err := connect(ctx, k.with, addressOf(res.Host, res.Port))
	if err != nil {
		return nil, err
	}
	if !k.secure(ctx, to, addressOf(res.Host, res.Port), false) {
		to.Close()
		return nil, fmt.Errorf("no connection to the coordinator at %s", addressOf(res.Host, res.Port))
	}
	return to, nil
}

func findCoordinator(w *wire, kind int8, key string) (*kmsg.FindCoordinatorResponse, error) {
	req := kmsg.NewPtrFindCoordinatorRequest()
	req.CoordinatorType, req.CoordinatorKey = kind, key
	return ask[*kmsg.FindCoordinatorResponse](w, req, 1, 3)
}

// brokerError is a code that a broker answered, in few words. It wraps the code.
func brokerError(code int16) error { return brokerCode(code) }

type brokerCode kafkago.Error

func (c brokerCode) Error() string {
	return fmt.Sprintf("%s (code %d)", kafkago.Error(c).Title(), int(c))
}
func (c brokerCode) Unwrap() error { return kafkago.Error(c) }

// transactions tells whether the fence may be raised. It asks for the end of a transaction of a producer that does not exist:
// Kafka looks at the right to WRITE first, and then refuses without having changed anything. Only InitProducerID would fence.
func (k *kafkaCheck) transactions(ctx context.Context, w *wire) {
	const what = "transactions"
	id := k.with.TransactionalID()
	to, err := k.coordinator(ctx, w, 1, id)
	if err != nil {
		do := "see the broker's log"
		if errors.Is(err, kafkago.TransactionalIDAuthorizationFailed) {
			do = "add an ACL for WRITE on it"
		}
		k.fail(what, fmt.Sprintf("transactional id %s: %v", id, err), do)
		return
	}
	defer to.Close()
	req := kmsg.NewPtrEndTxnRequest()
	req.TransactionalID, req.ProducerID, req.ProducerEpoch = id, -1, -1
	res, err := ask[*kmsg.EndTxnResponse](to, req, 0, 3)
	switch {
	case err != nil:
		k.fail(what, fmt.Sprintf("transactional id %s: %v", id, err), "see the broker's log")
	case res.ErrorCode == int16(kafkago.TransactionalIDAuthorizationFailed):
		k.fail(what, fmt.Sprintf("transactional id %s: this user lacks WRITE", id), "add an ACL for it")
	default: // 49, invalid producer id mapping: it may write, and nothing was changed
		k.ok(what, "transactional id %s", id)
	}
}

const groupAdvice = "the daemon works without, but lag tools do not see it: add an ACL for READ on the group"

// group tells whether offsets may be committed.
func (k *kafkaCheck) group(ctx context.Context, w *wire) {
	const what = "group"
	to, err := k.coordinator(ctx, w, 0, k.with.Group)
	if err != nil {
		k.note(what, fmt.Sprintf("%s: %v", k.with.Group, err), groupAdvice)
		return
	}
	defer to.Close()
	req := kmsg.NewPtrDescribeGroupsRequest()
	req.Groups, req.IncludeAuthorizedOperations = []string{k.with.Group}, true
	res, err := ask[*kmsg.DescribeGroupsResponse](to, req, 3, 5)
	switch {
	case err != nil:
		k.note(what, fmt.Sprintf("%s: %v", k.with.Group, err), "see the broker's log")
	case len(res.Groups) == 1 && lacks(res.Groups[0].AuthorizedOperations, mayRead) != "":
		k.note(what, fmt.Sprintf("%s: this user lacks READ", k.with.Group), groupAdvice)
	default:
		k.ok(what, "%s", k.with.Group)
	}
}
