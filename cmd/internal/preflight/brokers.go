package preflight

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"crypto/tls"

	"github.com/dustin/go-humanize/english"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka"
	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/verdict"
)

type clusterCheck struct {
	*checklist
	settings *Settings
	dialer   broker.Dialer
	meta     *kmsg.MetadataResponse
	apart    bool // ids of events and labels are of two kinds, which is told
	absent   int  // topics of the daemon's own that are not there, each of which has failed
}

func newClusterCheck(l *checklist, s *Settings, cluster kafka.ClusterOptions) *clusterCheck {
	cluster.Dial = (&net.Dialer{Timeout: s.Timeout}).DialContext
	return &clusterCheck{checklist: l, settings: s, dialer: cluster.Dialer()}
}

func (k *clusterCheck) run(ctx context.Context) {
	var first *broker.Conn
	for _, address := range k.settings.Brokers {
		c := k.broker(ctx, address)
		switch {
		case c == nil:
		case first == nil:
			first = c
			defer disconnect(first)
		default:
			disconnect(c)
		}
	}
	if first == nil {
		k.note("topics", "not checked", "first a broker must be reachable")
		return
	}
	if err := k.metadata(ctx, first); err != nil {
		if k.dialer.SASL == nil && closed(err) {
			k.fail("SASL", "the broker closes connections without a login",
				"add --sasl, --sasl-user and --sasl-password-file, or use a port without login")
		} else {
			k.fail("cluster", err.Error(), seeLog)
		}
		return
	}
	k.cluster(ctx)
	k.rack()
	k.clock(ctx, first)
	k.quotas(ctx, first)
	k.topics(ctx, first)
	k.transactions(ctx, first)
	k.groups(ctx, first)
}

func request[R kmsg.Response](
	ctx context.Context, k *clusterCheck, c *broker.Conn, req kmsg.Request,
) (res R, err error) {
	if err = c.AwaitReading(ctx); err != nil { // a quota is used up, and no step takes longer for it
		return res, err
	}
	err = k.step(ctx, func(ctx context.Context) (err error) { res, err = broker.Request[R](ctx, c, req); return err })
	if err == nil {
		k.throttled(c, kmsg.Key(req.Key()).Name())
	}
	//mutation:check-goes-on
	if closed(err) {
		k.reconnect(ctx, c)
	}
	return res, err
}

// reconnect makes a connection anew that the broker closed: it cannot read a request, and may read the next one.
func (k *clusterCheck) reconnect(ctx context.Context, c *broker.Conn) {
	n, err := k.open(ctx, c.Address)
	if err != nil {
		return // the next step tells
	}
	if !k.prepare(ctx, n, c.Address, false) {
		disconnect(n)
		return
	}
	disconnect(c)
	*c = *n
}

// cannotTell is about a probe without a response: it says nothing about what it is for.
func (k *clusterCheck) cannotTell(what, of string, err error) {
	k.note(what, fmt.Sprintf("%s: cannot tell: %s", of, verdict.Words(err)), "run tries it, and stops where it may not")
}

func (k *clusterCheck) step(ctx context.Context, take func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, k.settings.Timeout)
	defer cancel()
	return take(ctx)
}

// seeLog is the default advice.
const seeLog = "see the broker's log"

func hostPort(host string, port int32) string { return net.JoinHostPort(host, strconv.Itoa(int(port))) }

func disconnect(c *broker.Conn) { _ = c.Close() } // nothing more is written

func (k *clusterCheck) open(ctx context.Context, address string) (c *broker.Conn, err error) {
	err = k.step(ctx, func(ctx context.Context) error { c, err = k.dialer.Open(ctx, "tcp", address); return err })
	return c, err
}

// broker connects to one broker, a line for each step; nil if one fails.
func (k *clusterCheck) broker(ctx context.Context, address string) (c *broker.Conn) {
	host, _, _ := net.SplitHostPort(address) // checked with the settings
	var addrs []string
	err := k.step(ctx, func(ctx context.Context) (err error) {
		addrs, err = net.DefaultResolver.LookupHost(ctx, host)
		return err
	})
	if err != nil {
		k.explain("name", host, nameAdvice, err)
		return nil
	}
	if net.ParseIP(host) == nil {
		k.ok("name", "%s is %s", host, strings.Join(addrs, " "))
	}
	began := time.Now()
	if c, err = k.open(ctx, address); err != nil {
		k.explain("TCP", address, connectAdvice, err)
		return nil
	}
	k.ok("TCP", "%s, connected in %s", address, time.Since(began).Round(100*time.Microsecond))
	if !k.prepare(ctx, c, address, true) {
		disconnect(c)
		return nil
	}
	return c
}

func (k *clusterCheck) explain(what, at string, advice func(error) (found, do string), err error) {
	found, do := advice(err)
	k.fail(what, at+": "+found, do)
}

// prepare takes the remaining steps of a connection. Successful ones are printed on request only.
func (k *clusterCheck) prepare(ctx context.Context, c *broker.Conn, address string, print bool) bool {
	if k.dialer.TLS != nil {
		var state tls.ConnectionState
		err := k.step(ctx, func(ctx context.Context) (err error) { state, err = c.Encrypt(ctx); return err })
		if err != nil {
			k.explain("TLS", address, tlsAdvice, err)
			return false
		}
		if print {
			cert := state.PeerCertificates[0] // without one the handshake fails
			k.ok("TLS", "%s: %s, certificate of %s, valid until %s", address, tls.VersionName(state.Version),
				cert.Subject.CommonName, cert.NotAfter.Format(time.DateOnly))
			k.ownCertificate()
		}
	}
	if err := k.step(ctx, c.Negotiate); err != nil {
		found, do := protocolAdvice(err, k.dialer.TLS != nil)
		k.fail("Kafka", address+": "+found, do)
		return false
	}
	if k.dialer.SASL == nil {
		return true
	}
	if err := k.step(ctx, c.Login); err != nil {
		found, do := loginAdvice(err, &k.settings.Connection)
		k.fail("SASL", address+": "+found, do)
		return false
	}
	if print {
		k.ok("SASL", "%s: %s%s%s", address, k.settings.SASL, as(k.settings.SASLUser), forSoLong(c.Session))
	}
	return true
}

func as(user string) string {
	if user == "" {
		return ""
	}
	return " as " + user
}

// forSoLong says how long the broker lets a login last, if it does so.
func forSoLong(s broker.Session) string {
	if s.Length <= 0 {
		return ""
	}
	return fmt.Sprintf(", logged in for %v, then anew", s.Length.Round(time.Second))
}

// ownCertificate shows what brokers get that want a certificate. Those that want none do not ask for it.
func (k *clusterCheck) ownCertificate() {
	if k.dialer.TLS.GetClientCertificate == nil {
		return
	}
	own, err := k.dialer.TLS.GetClientCertificate(nil)
	const again = "renew it: the file is read again at each connection"
	switch {
	case err != nil:
		k.fail("TLS", "--tls-cert: "+err.Error(), "is it whole, and does --tls-key belong to it?")
	case time.Until(own.Leaf.NotAfter) < 0:
		k.fail("TLS", "the certificate of --tls-cert ("+own.Leaf.Subject.CommonName+") was valid until "+
			own.Leaf.NotAfter.Format(time.DateOnly), again)
	case time.Until(own.Leaf.NotAfter) < own.Leaf.NotAfter.Sub(own.Leaf.NotBefore)/10:
		k.warn("TLS", "the certificate of --tls-cert ("+own.Leaf.Subject.CommonName+") is valid until "+
			own.Leaf.NotAfter.Format(time.DateTime), again)
	default:
		k.ok("TLS", "own certificate of %s, valid until %s", own.Leaf.Subject.CommonName,
			own.Leaf.NotAfter.Format(time.DateOnly))
	}
}

func (k *clusterCheck) metadata(ctx context.Context, c *broker.Conn) (err error) {
	s := k.settings
	names := []string{s.Input, s.Output, s.DeadLetter, s.Labels, s.Outcomes, s.CheckpointTopic}
	req := broker.MetadataRequest(slices.DeleteFunc(names, func(name string) bool { return name == "" })...)
	req.IncludeTopicAuthorizedOperations = true
	k.meta, err = request[*kmsg.MetadataResponse](ctx, k, c, req)
	return err
}

// cluster checks the brokers' advertised addresses, which the daemon will use.
func (k *clusterCheck) cluster(ctx context.Context) {
	id := "?"
	if k.meta.ClusterID != nil {
		id = *k.meta.ClusterID
	}
	reachable := true
	for _, b := range k.meta.Brokers {
		address := hostPort(b.Host, b.Port)
		c, err := k.open(ctx, address)
		if err != nil {
			reachable = false
			found, _ := connectAdvice(err)
			k.fail("cluster", fmt.Sprintf("broker %d says it is at %s, and there: %s", b.NodeID, address, found),
				"make that address reachable from here, or set the broker's advertised.listeners to one that is")
			continue
		}
		disconnect(c)
	}
	if reachable {
		k.ok("cluster", "%s, %s, all reachable", id, english.Plural(len(k.meta.Brokers), "broker", ""))
	}
}
