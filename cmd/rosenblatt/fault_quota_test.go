package main

import (
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/proxytest"
)

// quota lets a client id write and read so many bytes a second, of each broker.
func (n *nodes) quota(t *testing.T, clientID string, rate float64) {
	t.Helper()
	_, err := n.admin(t).AlterClientQuotas(t.Context(), []kadm.AlterClientQuotaEntry{{
		Entity: kadm.ClientQuotaEntity{{Type: "client-id", Name: &clientID}},
		Ops: []kadm.AlterClientQuotaOp{{Key: "producer_byte_rate", Value: rate},
			{Key: "consumer_byte_rate", Value: rate}},
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// TestFaultQuota: a daemon whose client id may write and read 100 kB a second is made to wait for seconds again and
// again. It goes on, over the connections that it has, and is killed meanwhile.
func TestFaultQuota(t *testing.T) {
	node := oneNode(t)
	t.Parallel()
	s := node.setup(t, 2)
	const id, rate = "quota-test", 100_000
	node.quota(t, id, rate)
	proxy := proxytest.Start(t, node.brokers...)
	supply(t, s, 7000, 1)
	at := through(s, proxy.Brokers()...)
	call(t, "", "check", "--brokers", strings.Join(at.Cluster.Brokers, ","), "--input", s.Name, "--client-id", id,
		"--create-topics", "--state", s.Dir).want(t, cli.ExitDone,
		"note  quota        client id quota-test may read 100 kB/s, write 100 kB/s, on each broker: beyond that", "")
	p := start(t, at, s.Dir, "--client-id", id)
	throttled := func(request string) func(daemonStatus) bool {
		return func(st daemonStatus) bool {
			for _, x := range st.Throttles {
				if x.Request == request && x.Total > 3 {
					return true
				}
			}
			return false
		}
	}
	p.await(t, "it is made to wait before it may read more", throttled("Fetch"))
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-p.done
	before := proxy.Connections()
	p = start(t, at, s.Dir, "--client-id", id)
	p.await(t, "and before it may write more", throttled("Produce"))
	p.caughtUp(t, 14_000)
	p.await(t, "all is acknowledged and saved", func(st daemonStatus) bool { return st.Checkpoint.Seq == st.Seq })
	if st := p.status(t); st.Trouble != nil {
		t.Errorf("trouble: %+v", st.Trouble)
	}
	log := p.log.String()
	if strings.Contains(log, "trying again") || !strings.Contains(log, "Kafka: throttled") {
		t.Errorf("logged:\n%s", log)
	}
	if made := proxy.Connections() - before; made > 15 {
		t.Errorf("it has made %d connections", made)
	}
	p.exact(t, s)
	call(t, "", "verify", "--brokers", strings.Join(s.Cluster.Brokers, ","), "--input", s.Name,
		"--state", s.Dir).want(t, cli.ExitDone, "", "")
}
