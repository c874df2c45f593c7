package tasklist

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// TestListWithoutEpochs: brokers before Kafka 3.0 do not tell epochs.
func TestListWithoutEpochs(t *testing.T) {
	t.Parallel()
	if streamtest.Real() {
		t.Skip("this broker is old; not run with " + streamtest.EnvBrokers)
	}
	c := streamtest.Start(t, kfake.MaxVersions(kversion.V2_8_0()))
	s := &Settings{Topics: daemon.Topics{}, Timeout: time.Minute}
	s.Brokers, s.Input, s.ModelPer, s.State = c.Brokers, streamtest.Name(t), "all", "./state"
	if err := s.Topics.Check(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{s.Input, s.Output, s.DeadLetter} {
		c.Topic(t, name, 1)
	}
	l, err := Load(t.Context(), s)
	if err != nil || len(l.Tasks) != 1 || l.Tasks[0].Epoch != -1 {
		t.Errorf("%+v, %v", l, err)
	}
}

// TestListFromSilentBroker: the command ends when its time is over, and names the broker.
func TestListFromSilentBroker(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // nothing was written
	for _, modelPer := range []string{"all", "partition"} {
		s := &Settings{Timeout: time.Second}
		s.Brokers, s.Input, s.ModelPer, s.State = []string{l.Addr().String()}, "in", modelPer, "./state"
		late := streamtest.Timeout(t, 6*time.Second)
		_, err := Load(t.Context(), s)
		for _, want := range []string{"no response", l.Addr().String(), "--timeout"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v: want %s", modelPer, err, want)
			}
		}
		if late.Err() != nil {
			t.Errorf("%s: after more than 6 s", modelPer)
		}
	}
}

// TestListOfNoTopic: the stop is that of a command that only reads.
func TestListOfNoTopic(t *testing.T) {
	t.Parallel()
	s := &Settings{Timeout: time.Minute}
	s.Brokers, s.Input, s.ModelPer, s.State = streamtest.Start(t).Brokers, streamtest.Name(t), "all", "./state"
	_, err := Load(t.Context(), s)
	if !stops.Is(err, stops.TopicMissing) || !strings.Contains(err.Error(), "Safe: everything: nothing was changed") {
		t.Error(err)
	}
}

// answer makes a broker answer requests of a key.
func answer(c *streamtest.Cluster, key kmsg.Key, with func(q kmsg.Request) kmsg.Response) {
	c.Fake.ControlKey(int16(key), func(q kmsg.Request) (kmsg.Response, error, bool) {
		c.Fake.KeepControl()
		return with(q), nil, true
	})
}

// TestListWithoutRight: a user without the right to the transactional id sees the members. Those that cannot be read
// are listed with the reason, and those that join are left out.
func TestListWithoutRight(t *testing.T) {
	t.Parallel()
	if streamtest.Real() {
		t.Skip("these responses are made; not run with " + streamtest.EnvBrokers)
	}
	c, s, _ := settings(t)
	answer(c, kmsg.DescribeTransactions, func(q kmsg.Request) kmsg.Response {
		res := q.ResponseKind().(*kmsg.DescribeTransactionsResponse)
		for _, id := range q.(*kmsg.DescribeTransactionsRequest).TransactionalIDs {
			res.TransactionStates = append(res.TransactionStates, kmsg.DescribeTransactionsResponseTransactionState{
				TransactionalID: id, ErrorCode: kerr.TransactionalIDAuthorizationFailed.Code})
		}
		return res
	})
	answer(c, kmsg.DescribeGroups, func(q kmsg.Request) kmsg.Response {
		res := q.ResponseKind().(*kmsg.DescribeGroupsResponse)
		member := func(id, metadata, assignment string) kmsg.DescribeGroupsResponseGroupMember {
			return kmsg.DescribeGroupsResponseGroupMember{MemberID: id, ProtocolMetadata: []byte(metadata),
				MemberAssignment: []byte(assignment)}
		}
		res.Groups = []kmsg.DescribeGroupsResponseGroup{{State: "PreparingRebalance",
			Members: []kmsg.DescribeGroupsResponseGroupMember{
				member("a", "", "{}"), member("b", "{", "{}"),
				member("c", `{"version":1,"tasks":3}`, `{"active":[1]}`)}}}
		return res
	})
	l, err := Load(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Refused) != 1 || l.Refused[0].Instance != "b" || l.Refused[0].Reason == "" || l.Tasks[1].Active != "c" {
		t.Errorf("%+v", l)
	}
}
