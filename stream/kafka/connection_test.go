package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/internal/check"
	"rosenblatt/stream/kafka/verdict"
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
	class verdict.Class
	stop  string
	setup func(t *testing.T, o *Options)
}{
	{"refused", verdict.Retriable, stops.Unreachable, func(t *testing.T, o *Options) {
		o.Brokers = []string{closed(t)}
	}},
	{"reset", verdict.Retriable, stops.Unreachable, func(t *testing.T, o *Options) {
		o.Brokers = []string{listen(t, func(c net.Conn) { oneRead(c); _ = c.(*net.TCPConn).SetLinger(0); c.Close() })}
	}},
	{"closed", verdict.Retriable, stops.Unreachable, func(t *testing.T, o *Options) {
		o.Brokers = []string{listen(t, func(c net.Conn) {
			_ = c.(*net.TCPConn).CloseWrite()
			_, _ = io.Copy(io.Discard, c)
			c.Close()
		})}
	}},
	{"silent", verdict.Retriable, stops.Unreachable, func(t *testing.T, o *Options) {
		o.ResponseTimeout = 200 * time.Millisecond
		o.Brokers = []string{listen(t, func(c net.Conn) { t.Cleanup(func() { c.Close() }) })}
	}},
	{"unknown name", verdict.Retriable, stops.Unreachable, func(t *testing.T, o *Options) {
		o.Brokers = []string{"broker.invalid:9092"} // RFC 6761: never resolves
		o.Dial = func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host",
				Name:       "broker.invalid",
				IsNotFound: true}}
		}
	}},
	{"plain text where TLS is due", verdict.Fatal, stops.NotAllowed, func(t *testing.T, o *Options) {
		o.TLS = &tls.Config{}
		o.Brokers = []string{listen(t, func(c net.Conn) {
			oneRead(c)
			_, _ = io.WriteString(c,
				"HTTP/1.1 400 Bad Request\r\n\r\n")
			c.Close()
		})}
	}},
	{"unknown authority", verdict.Fatal, stops.NotAllowed, func(t *testing.T, o *Options) {
		server, _ := certificate(t)
		o.TLS, o.Brokers = &tls.Config{}, []string{listen(t, tlsServer(server))}
	}},
	{"certificate of another name", verdict.Fatal, stops.NotAllowed, func(t *testing.T, o *Options) {
		server, pool := certificate(t)
		o.TLS = &tls.Config{RootCAs: pool, ServerName: "kafka.example.org"}
		o.Brokers = []string{listen(t, tlsServer(server))}
	}},
	{"expired certificate", verdict.Fatal, stops.NotAllowed, func(t *testing.T, o *Options) {
		server, pool := certificate(t)
		o.TLS = &tls.Config{RootCAs: pool, Time: func() time.Time { return time.Now().Add(24 * time.Hour) }}
		o.Brokers = []string{listen(t, tlsServer(server))}
	}},
	{"no certificate of ours", verdict.Fatal, stops.NotAllowed, func(t *testing.T, o *Options) {
		server, pool := certificate(t)
		server.ClientAuth = tls.RequireAnyClientCert
		o.TLS, o.Brokers = &tls.Config{RootCAs: pool}, []string{listen(t, tlsServer(server))}
	}},
	{"wrong password", verdict.Fatal, stops.NotAllowed, func(t *testing.T, o *Options) {
		o.SASL, o.Brokers = plain.Mechanism{Username: "ann", Password: "wrong"}, []string{listen(t, check.RefuseLogin)}
	}},
	{"wrong password, without a word", verdict.Retriable, stops.Unreachable, func(t *testing.T, o *Options) {
		fake, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.EnableSASL(), kfake.Superuser("PLAIN", "ann", "right"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(fake.Close)
		o.Brokers, o.SASL = fake.ListenAddrs(), plain.Mechanism{Username: "ann", Password: "wrong"}
	}},
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
			_, _, err := c.cluster.Describe(timeout(t, 20*time.Second), "w-in")
			if err == nil || verdict.Classify(err) != w.class {
				t.Fatalf("class %d of %v, want %d", verdict.Classify(err), err, w.class)
			}
			_, err = c.Topology(timeout(t, 20*time.Second))
			check.Stop(t, err, w.stop)
			t.Log(err)
		})
	}
}

// What else comes without a code.
func TestClassesOfGoErrors(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]verdict.Class{
		io.ErrUnexpectedEOF:                                    verdict.Retriable,
		errors.New("anything on the way"):                      verdict.Retriable,
		cluster.NoLeader{}:                                     verdict.Retriable,
		&broker.UnreadableResponse{Err: io.EOF}:                verdict.Retriable, // a produce: indeterminate
		topics.ErrIndeterminate:                                verdict.Indeterminate,
		fmt.Errorf("x: %w", &broker.UnsupportedVersion{}):      verdict.Fatal,
		fmt.Errorf("x: %w", &verdict.MissingTopic{Name: "in"}): verdict.Fatal,
		&stops.Error{Cause: verdict.Coded(47, "x")}:            verdict.Fatal,
		context.Canceled:                                       verdict.Fatal, // the caller checks its context first
	} {
		if got := verdict.Classify(err); got != want {
			t.Errorf("%v: class %d, want %d", err, got, want)
		}
	}
}

func TestStopsWithoutACodeAreComplete(t *testing.T) {
	t.Parallel()
	old := &broker.UnsupportedVersion{Key: 1, Broker: broker.Span{Low: 0, High: 10}}
	check.Stop(t, verdict.StopFor(old), stops.UnsupportedBroker)
	check.Stop(t, verdict.StopFor(fmt.Errorf("x: %w", &verdict.MissingTopic{Name: "events"})), stops.TopicMissing)
}
