package main

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"rosenblatt/stream/kafka"

	"github.com/dustin/go-humanize/english"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// kafkaCheck looks at the cluster.
type kafkaCheck struct {
	*checklist
	with     *checkCommand
	security kafka.ClusterOptions
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
		k.note("topics", "not looked at", "first a broker must be reachable")
		return
	}
	if err := k.metadata(first); err != nil {
		if k.security.SASL == nil && closed(err) {
			k.fail("SASL", "the broker hangs up on whoever has not logged in", "add --sasl, --sasl-user and --sasl-password-file, or use a port without login")
		} else {
			k.fail("cluster", err.Error(), "see the broker's log")
		}
		return
	}
	k.cluster(ctx)
	k.clock(first)
	k.topics(first)
	k.transactions(ctx, first)
	k.group(ctx, first)
}

// broker connects to one broker, a line for each step; nil if one fails.
func (k *kafkaCheck) broker(ctx context.Context, address string) *wire {
	host, _, _ := net.SplitHostPort(address) // checked with the settings
	within, cancel := context.WithTimeout(ctx, k.with.Timeout)
	defer cancel()
	addrs, err := net.DefaultResolver.LookupHost(within, host)
	if err != nil {
		found, do := nameWords(err)
		k.fail("name", host+": "+found, do)
		return nil
	}
	if net.ParseIP(host) == nil {
		k.ok("name", "%s is %s", host, strings.Join(addrs, " "))
	}
	began := time.Now()
	w, err := connect(ctx, k.with, address)
	if err != nil {
		found, do := connectWords(err)
		k.fail("TCP", address+": "+found, do)
		return nil
	}
	k.ok("TCP", "%s, connected in %s", address, time.Since(began).Round(100*time.Microsecond))
	if !k.secure(ctx, w, address, true) {
		w.Close()
		return nil
	}
	return w
}

// secure does TLS and SASL as far as they are set.
func (k *kafkaCheck) secure(ctx context.Context, w *wire, address string, tell bool) bool {
	encrypted := k.security.TLS != nil
	if encrypted {
		text, err := w.encrypt(ctx, k.security.TLS, address)
		if err != nil {
			found, do := tlsWords(err)
			k.fail("TLS", address+": "+found, do)
			return false
		}
		if tell {
			k.ok("TLS", "%s: %s", address, text)
		}
	}
	if err := w.negotiate(); err != nil {
		found, do := speechWords(err, encrypted)
		k.fail("Kafka", address+": "+found, do)
		return false
	}
	if m := k.security.SASL; m != nil {
		if err := w.login(ctx, m, address); err != nil {
			found, do := loginWords(err, k.with.SASL, k.with.SASLUser)
			k.fail("SASL", address+": "+found, do)
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
			found, _ := connectWords(err)
			k.fail("cluster", fmt.Sprintf("broker %d says it is at %s, and there: %s", b.NodeID, address, found),
				"make that address reachable from here, or set the broker's advertised.listeners to one that is")
			continue
		}
		w.Close()
	}
	if good {
		k.ok("cluster", "%s, %d %s, all reachable", id, len(k.meta.Brokers), english.PluralWord(len(k.meta.Brokers), "broker", ""))
	}
}

func addressOf(host string, port int32) string {
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}
