package kafka

import (
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/group"
)

// TestGroupOutage: what the coordinator refuses for now, and what does not reach it, is an outage until it responds.
func TestGroupOutage(t *testing.T) {
	t.Parallel()
	needsFake(t)
	ms := newMembers(t, 1)
	c := ms.client(nil)
	m := c.Member(ms.group, "a", long)
	lead := func(all []group.Entry) [][]byte { return make([][]byte, len(all)) }
	ctx := timeout(t, 30*time.Second)
	join := func() error {
		_, _, err := m.Join(ctx, nil, lead)
		return err
	}
	for _, key := range []kmsg.Key{kmsg.FindCoordinator, kmsg.JoinGroup, kmsg.SyncGroup} {
		fault := ms.fake.Fault(kfake.Fault{Keys: []kmsg.Key{key}, Err: kerr.CoordinatorLoadInProgress, Count: -1})
		m.address = nil
		if err := join(); err == nil {
			t.Fatalf("%v: joined", key)
		}
		if text, _ := c.Outage(); !strings.Contains(text, "group "+ms.group) ||
			!strings.Contains(text, kerr.CoordinatorLoadInProgress.Message) {
			t.Errorf("%v: %q is in trouble", key, text)
		}
		fault.Remove()
		if err := join(); err != nil {
			t.Fatal(err)
		}
		if text, _ := c.Outage(); text != "" {
			t.Errorf("%v: %q is still in trouble", key, text)
		}
	}
}
