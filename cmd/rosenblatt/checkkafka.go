package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/daemon"
)

// kafkaCheck looks at the cluster.
type kafkaCheck struct {
	*checklist
	with     *checkCommand
	security daemon.Security
	meta     *kmsg.MetadataResponse
}

func (k *kafkaCheck) run(ctx context.Context) {
	var first *wire
	for _, address := range k.with.Brokers {
		w := k.broker(ctx, address)
		switch {
		case w == nil:
		case first == nil:
			first = w
			defer w.Close()
		default:
			w.Close()
		}
	}
	if first == nil {
		k.fail("topics", "not looked at", "first a broker must be reachable")
		return
	}
	if err := k.metadata(first); err != nil {
		k.fail("cluster", err.Error(), "see the broker's log")
		return
	}
	k.cluster(ctx)
	k.topics()
	k.transactions(ctx, first)
	k.group(ctx, first)
}

// broker connects to one broker, a line for each step; nil if one fails.
func (k *kafkaCheck) broker(ctx context.Context, address string) *wire {
	host, _, _ := net.SplitHostPort(address) // checked with the settings
	addrs, err := net.DefaultResolver.LookupHost(ctx, host)
	if err != nil {
		k.fail("broker", fmt.Sprintf("%s: the name is not known (%v)", address, err), "check the spelling of --brokers and the DNS of this machine")
		return nil
	}
	began := time.Now()
	w, err := connect(ctx, k.with, address)
	if err != nil {
		k.fail("broker", fmt.Sprintf("%s: no connection (%v)", address, err), "is the broker running, the port right, a firewall between?")
		return nil
	}
	k.ok("broker", "%s is %s, connected in %s", address, strings.Join(addrs, " "), time.Since(began).Round(100*time.Microsecond))
	if !k.secure(ctx, w, address, true) {
		w.Close()
		return nil
	}
	return w
}

// secure does TLS and SASL as far as they are set.
func (k *kafkaCheck) secure(ctx context.Context, w *wire, address string, tell bool) bool {
	if k.security.TLS != nil {
		text, err := w.encrypt(ctx, k.security.TLS, address)
		if err != nil {
			k.fail("TLS", fmt.Sprintf("%s: %v", address, err), "does this port speak TLS; are --tls-ca, --tls-cert and --tls-server-name those of this cluster?")
			return false
		}
		if tell {
			k.ok("TLS", "%s: %s", address, text)
		}
	}
	if err := w.negotiate(); err != nil {
		k.fail("broker", fmt.Sprintf("%s: no answer (%v)", address, err), "does this port want TLS (--tls), or is it no Kafka broker's?")
		return false
	}
	if m := k.security.SASL; m != nil {
		if err := w.login(ctx, m, address); err != nil {
			k.fail("SASL", fmt.Sprintf("%s: %s as %s: %v", address, k.with.SASL, k.with.SASLUser, err), "check mechanism, user and password")
			return false
		}
		if tell {
			k.ok("SASL", "%s: %s as %s", address, k.with.SASL, k.with.SASLUser)
		}
	}
	return true
}

func (k *kafkaCheck) metadata(w *wire) (err error) {
	req := kmsg.NewPtrMetadataRequest()
	req.IncludeTopicAuthorizedOperations = true
	for _, name := range []string{k.with.Input, k.with.Output, k.with.DeadLetter} {
		t := kmsg.NewMetadataRequestTopic()
		t.Topic = kmsg.StringPtr(name)
		req.Topics = append(req.Topics, t)
	}
	k.meta, err = ask[*kmsg.MetadataResponse](w, req, 8, 12)
	if errors.Is(err, net.ErrClosed) || err != nil && k.security.SASL == nil {
		return fmt.Errorf("no answer to a question about topics (%w); does the cluster want --sasl?", err)
	}
	return err
}

// cluster looks at the addresses that the brokers give of themselves: the daemon will use those.
func (k *kafkaCheck) cluster(ctx context.Context) {
	id := "?"
	if k.meta.ClusterID != nil {
		id = *k.meta.ClusterID
	}
	good := true
	for _, b := range k.meta.Brokers {
		address := addressOf(b.Host, b.Port)
		w, err := connect(ctx, k.with, address)
		if err != nil {
			good = false
			k.fail("cluster", fmt.Sprintf("broker %d says it is at %s: no connection (%v)", b.NodeID, address, err),
				"make that address reachable from here, or set the broker's advertised.listeners to one that is")
			continue
		}
		w.Close()
	}
	if good {
		k.ok("cluster", "%s, %d %s, all reachable", id, len(k.meta.Brokers), plural(len(k.meta.Brokers), "broker"))
	}
}

func addressOf(host string, port int32) string {
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}
