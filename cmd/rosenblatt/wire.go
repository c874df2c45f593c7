package main

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/segmentio/kafka-go/sasl"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// wire is one connection to one broker, made step by step so that check can say which step fails. The daemon's own
// connections are kafka-go's.
type wire struct {
	net.Conn
	clientID string
	timeout  time.Duration // of each step
	sent     int32
	versions map[int16][2]int16 // of requests, lowest and highest
}

const maxProbe = 16 << 20 // bytes of an answer

func connect(ctx context.Context, c *checkCommand, address string) (*wire, error) {
	d := net.Dialer{Timeout: c.Timeout}
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return &wire{Conn: conn, clientID: c.ClientID, timeout: c.Timeout}, nil
}

// encrypt does the TLS handshake and describes what came of it.
func (w *wire) encrypt(ctx context.Context, config *tls.Config, address string) (string, error) {
	config = config.Clone()
	if config.ServerName == "" {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return "", err
		}
		config.ServerName = host
	}
	ctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	secure := tls.Client(w.Conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		return "", err
	}
	w.Conn = secure
	state := secure.ConnectionState()
	cert := state.PeerCertificates[0] // without one the handshake fails
	return fmt.Sprintf("%s, certificate of %s, valid until %s", tls.VersionName(state.Version), cert.Subject.CommonName, cert.NotAfter.Format(time.DateOnly)), nil
}

// login does the SASL exchange.
func (w *wire) login(ctx context.Context, m sasl.Mechanism, address string) error {
	handshake := kmsg.NewPtrSASLHandshakeRequest()
	handshake.Mechanism = m.Name()
	res, err := ask[*kmsg.SASLHandshakeResponse](w, handshake, 1, 1)
	if err != nil {
		return err
	}
	if res.ErrorCode != 0 {
		return fmt.Errorf("%w, the broker offers %s", brokerError(res.ErrorCode), strings.Join(res.SupportedMechanisms, ", "))
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	state, say, err := m.Start(sasl.WithMetadata(ctx, &sasl.Metadata{Host: host}))
	for done := false; err == nil && !done; {
		req := kmsg.NewPtrSASLAuthenticateRequest()
		req.SASLAuthBytes = say
		var got *kmsg.SASLAuthenticateResponse
		if got, err = ask[*kmsg.SASLAuthenticateResponse](w, req, 0, 1); err != nil {
			return err
		}
		if got.ErrorCode != 0 {
			return brokerError(got.ErrorCode)
		}
		done, say, err = state.Next(ctx, got.SASLAuthBytes)
	}
	return err
}

// negotiate learns which versions the broker speaks.
func (w *wire) negotiate() error {
	res, err := exchange(w, kmsg.NewPtrApiVersionsRequest(), 0)
	if err != nil {
		return err
	}
	w.versions = map[int16][2]int16{}
	for _, k := range res.(*kmsg.ApiVersionsResponse).ApiKeys {
		w.versions[k.ApiKey] = [2]int16{k.MinVersion, k.MaxVersion}
	}
	return nil
}

// notKafka is an answer that no broker gives.
type notKafka struct{ head [8]byte }

func (n *notKafka) Error() string { return fmt.Sprintf("no Kafka broker answers like %q", n.head[:]) }

// tls tells whether it begins as a TLS alert or handshake does (RFC 8446, section 5.1).
func (n *notKafka) tls() bool { return (n.head[0] == 21 || n.head[0] == 22) && n.head[1] == 3 }

var errTooOld = errors.New("the broker is too old: Apache Kafka 2.8 or later is needed")

// ask sends a request in the highest version, from low to high, that both sides speak.
func ask[R kmsg.Response](w *wire, req kmsg.Request, low, high int16) (R, error) {
	var none R
	span, ok := w.versions[req.Key()]
	version := min(high, span[1])
	if !ok || version < max(low, span[0]) {
		return none, fmt.Errorf("%w (%s)", errTooOld, kmsg.NameForKey(req.Key()))
	}
	res, err := exchange(w, req, version)
	if err != nil {
		return none, err
	}
	return res.(R), nil
}

func exchange(w *wire, req kmsg.Request, version int16) (kmsg.Response, error) {
	req.SetVersion(version)
	if err := w.SetDeadline(time.Now().Add(w.timeout)); err != nil {
		return nil, err
	}
	w.sent++
	f := kmsg.NewRequestFormatter(kmsg.FormatterClientID(w.clientID))
	if _, err := w.Write(f.AppendRequest(nil, req, w.sent)); err != nil {
		return nil, err
	}
	var head [8]byte
	if n, err := io.ReadFull(w, head[:]); err != nil {
		if odd := (&notKafka{head}); n > 0 && odd.tls() {
			return nil, odd // an alert is seven bytes long
		}
		return nil, err
	}
	size := int64(int32(binary.BigEndian.Uint32(head[:]))) - 4
	if id := int32(binary.BigEndian.Uint32(head[4:])); id != w.sent || size < 0 || size > maxProbe {
		return nil, &notKafka{head}
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(w, body); err != nil {
		return nil, err
	}
	if req.IsFlexible() && req.Key() != int16(kmsg.ApiVersions) {
		if size == 0 || body[0] != 0 {
			return nil, errors.New("an answer with a header of unknown form")
		}
		body = body[1:] // no tagged fields (KIP-482)
	}
	res := req.ResponseKind()
	return res, res.ReadFrom(body)
}
