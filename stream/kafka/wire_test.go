package kafka

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// listen returns the address of a server that does this with each connection.
func listen(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serve(c)
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String()
}

func closed(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func oneRead(c net.Conn) { _, _ = c.Read(make([]byte, 1)) }

// wireTrouble is what can go wrong with a connection, each brought about for real: how it is met by one request, its
// class, and the stop that a start ends with when it lasts.
var wireTrouble = []struct {
	name  string
	class class
	stop  string
	setup func(t *testing.T, o *Options)
}{
	{"refused", retriable, stops.Unreachable, func(t *testing.T, o *Options) { o.Brokers = []string{closed(t)} }},
	{"reset", retriable, stops.Unreachable, func(t *testing.T, o *Options) {
		o.Brokers = []string{listen(t, func(c net.Conn) { oneRead(c); _ = c.(*net.TCPConn).SetLinger(0); c.Close() })}
	}},
	{"closed", retriable, stops.Unreachable, func(t *testing.T, o *Options) {
		o.Brokers = []string{listen(t, func(c net.Conn) {
			_ = c.(*net.TCPConn).CloseWrite()
			_, _ = io.Copy(io.Discard, c)
			c.Close()
		})}
	}},
	{"silent", retriable, stops.Unreachable, func(t *testing.T, o *Options) {
		o.ResponseTimeout = 200 * time.Millisecond
		o.Brokers = []string{listen(t, func(c net.Conn) { t.Cleanup(func() { c.Close() }) })}
	}},
	{"unknown name", retriable, stops.Unreachable, func(t *testing.T, o *Options) {
		o.Brokers = []string{"broker.invalid:9092"} // RFC 6761: never resolves
		o.Dial = func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host",
				Name:       "broker.invalid",
				IsNotFound: true}}
		}
	}},
	{"plain text where TLS is due", fatal, stops.NotAllowed, func(t *testing.T, o *Options) {
		o.TLS = &tls.Config{}
		o.Brokers = []string{listen(t, func(c net.Conn) {
			oneRead(c)
			_, _ = io.WriteString(c,
				"HTTP/1.1 400 Bad Request\r\n\r\n")
			c.Close()
		})}
	}},
	{"unknown authority", fatal, stops.NotAllowed, func(t *testing.T, o *Options) {
		server, _ := certificate(t)
		o.TLS, o.Brokers = &tls.Config{}, []string{listen(t, tlsServer(server))}
	}},
	{"certificate of another name", fatal, stops.NotAllowed, func(t *testing.T, o *Options) {
		server, pool := certificate(t)
		o.TLS = &tls.Config{RootCAs: pool, ServerName: "kafka.example.org"}
		o.Brokers = []string{listen(t, tlsServer(server))}
	}},
	{"expired certificate", fatal, stops.NotAllowed, func(t *testing.T, o *Options) {
		server, pool := certificate(t)
		o.TLS = &tls.Config{RootCAs: pool, Time: func() time.Time { return time.Now().Add(24 * time.Hour) }}
		o.Brokers = []string{listen(t, tlsServer(server))}
	}},
	{"no certificate of ours", fatal, stops.NotAllowed, func(t *testing.T, o *Options) {
		server, pool := certificate(t)
		server.ClientAuth = tls.RequireAnyClientCert
		o.TLS, o.Brokers = &tls.Config{RootCAs: pool}, []string{listen(t, tlsServer(server))}
	}},
	{"wrong password", fatal, stops.NotAllowed, func(t *testing.T, o *Options) {
		o.SASL, o.Brokers = plain.Mechanism{Username: "ann", Password: "wrong"}, []string{listen(t, refuseLogin)}
	}},
	{"wrong password, without a word", retriable, stops.Unreachable, func(t *testing.T, o *Options) {
		fake, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.EnableSASL(), kfake.Superuser("PLAIN", "ann", "right"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(fake.Close)
		o.Brokers, o.SASL = fake.ListenAddrs(), plain.Mechanism{Username: "ann", Password: "wrong"}
	}},
}

// refuseLogin responds as Kafka does up to the refusal of a login, code 58; kfake closes the connection instead.
func refuseLogin(c net.Conn) {
	defer c.Close()
	apis := &kmsg.ApiVersionsResponse{}
	for _, k := range []kmsg.Key{kmsg.SASLHandshake, kmsg.ApiVersions, kmsg.SASLAuthenticate} {
		key := kmsg.NewApiVersionsResponseApiKey()
		key.ApiKey, key.MaxVersion = int16(k), 1
		apis.ApiKeys = append(apis.ApiKeys, key)
	}
	for {
		var head [12]byte // size, key, version, correlation
		if _, err := io.ReadFull(c, head[:]); err != nil {
			return
		}
		if _, err := io.CopyN(io.Discard, c, int64(binary.BigEndian.Uint32(head[:4]))-8); err != nil {
			return
		}
		var res kmsg.Response = apis
		switch kmsg.Key(binary.BigEndian.Uint16(head[4:])) {
		case kmsg.SASLHandshake:
			res = &kmsg.SASLHandshakeResponse{SupportedMechanisms: []string{"PLAIN"}}
		case kmsg.SASLAuthenticate:
			res = &kmsg.SASLAuthenticateResponse{ErrorCode: kerr.SaslAuthenticationFailed.Code}
		}
		res.SetVersion(int16(binary.BigEndian.Uint16(head[6:])))
		body := res.AppendTo(append([]byte{0, 0, 0, 0}, head[8:]...))
		binary.BigEndian.PutUint32(body, uint32(len(body)-4))
		if _, err := c.Write(body); err != nil {
			return
		}
	}
}

func tlsServer(conf *tls.Config) func(net.Conn) {
	return func(c net.Conn) {
		s := tls.Server(c, conf)
		if s.Handshake() == nil {
			oneRead(s)
		}
		s.Close()
	}
}

func TestEveryConnectionErrorHasItsClass(t *testing.T) {
	t.Parallel()
	for _, w := range wireTrouble {
		t.Run(w.name, func(t *testing.T) {
			b := &bed{t: t, name: "w"}
			c := b.client(func(o *Options) { o.Patience = 100 * time.Millisecond; w.setup(t, o) })
			_, _, err := c.describe(timeout(t, 20*time.Second), "w-in")
			if err == nil || classify(err) != w.class {
				t.Fatalf("class %d of %v, want %d", classify(err), err, w.class)
			}
			_, err = c.Topology(timeout(t, 20*time.Second))
			complete(t, err, w.stop)
			t.Log(err)
		})
	}
}

// What else comes without a code.
func TestClassesOfGoErrors(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]class{
		io.ErrUnexpectedEOF:                               retriable,
		errors.New("anything on the way"):                 retriable,
		noLeader{}:                                        retriable,
		&broker.UnreadableResponse{Err: io.EOF}:           retriable, // but a produce is indeterminate then
		topics.ErrIndeterminate:                           indeterminate,
		fmt.Errorf("x: %w", &broker.UnsupportedVersion{}): fatal,
		fmt.Errorf("x: %w", &MissingTopic{"in"}):          fatal,
		&stops.Error{Cause: coded(47, "x")}:               fatal,
		context.Canceled:                                  fatal, // the caller checks its context first
	} {
		if got := classify(err); got != want {
			t.Errorf("%v: class %d, want %d", err, got, want)
		}
	}
}

func TestStopsWithoutACodeAreComplete(t *testing.T) {
	t.Parallel()
	complete(t, stopFor(&broker.UnsupportedVersion{Key: 1, Broker: broker.Span{Low: 0, High: 10}}), stops.KafkaError)
	complete(t, stopFor(fmt.Errorf("x: %w", &MissingTopic{"events"})), stops.TopicMissing)
}
