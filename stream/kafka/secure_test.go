package kafka

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"
	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/stream/topics"
)

// certificate makes a server's certificate for loopback and the pool that trusts it.
func certificate(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0,
			1)},
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, pool
}

// secured makes a kfake with TLS and SASL, and returns what its clients need.
func secured(t *testing.T) (b *bed, pool *x509.CertPool) {
	if real() {
		t.Skip("the real Kafka of ROSENBLATT_TEST_BROKERS has no TLS; on kfake only")
	}
	server, pool := certificate(t)
	b = &bed{t: t, name: "s"}
	b.fakeCluster(kfake.NumBrokers(1), kfake.TLS(server), kfake.EnableSASL(), kfake.SeedTopics(1, "s-in", "s-out",
		"s-dlq"),
		kfake.Superuser("PLAIN", "ann", "right"), kfake.Superuser("SCRAM-SHA-256", "bob", "right"),
		kfake.Superuser("SCRAM-SHA-512", "eve", "right"))
	return b, pool
}

func mechanism(t *testing.T, name, password string) sasl.Mechanism {
	t.Helper()
	m := map[string]func() (sasl.Mechanism, error){
		"plain":  func() (sasl.Mechanism, error) { return plain.Mechanism{Username: "ann", Password: password}, nil },
		"sha256": func() (sasl.Mechanism, error) { return scram.Mechanism(scram.SHA256, "bob", password) },
		"sha512": func() (sasl.Mechanism, error) { return scram.Mechanism(scram.SHA512, "eve", password) },
	}
	x, err := m[name]()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestTLSAndSASL(t *testing.T) {
	t.Parallel()
	b, pool := secured(t)
	for _, name := range []string{"plain", "sha256", "sha512"} {
		t.Run(name, func(t *testing.T) {
			c := b.client(func(o *Options) {
				o.TLS, o.SASL = &tls.Config{RootCAs: pool}, mechanism(t, name, "right")
			})
			j := c.Journal()
			f := takeover(t, j, topics.NoProducer)
			end := appendAll(t, j, topics.Output, 0, "x")
			if values, _ := read(t, c.Open(topics.Output, 0, f.Output[0]), end); !slices.Equal(values, []string{"x"}) {
				t.Fatal(values)
			}
		})
	}
}

func TestBadCredentialsAreNamed(t *testing.T) {
	t.Parallel()
	b, pool := secured(t)
	for _, test := range []struct {
		name   string
		change func(*Options)
	}{
		{"plain", func(o *Options) {
			o.TLS, o.SASL = &tls.Config{RootCAs: pool}, mechanism(t, "plain", "wrong")
		}},
		{"sha256", func(o *Options) {
			o.TLS, o.SASL = &tls.Config{RootCAs: pool}, mechanism(t, "sha256", "wrong")
		}},
		{"sha512", func(o *Options) {
			o.TLS, o.SASL = &tls.Config{RootCAs: pool}, mechanism(t, "sha512", "wrong")
		}},
		{"no password", func(o *Options) { o.TLS = &tls.Config{RootCAs: pool} }},
		{"unknown authority", func(o *Options) {
			o.TLS, o.SASL = &tls.Config{}, mechanism(t, "plain", "right")
		}},
		{"no TLS", func(o *Options) { o.SASL = mechanism(t, "plain", "right") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := b.client(func(o *Options) { test.change(o); o.Patience = 2 * time.Second })
			began, late := time.Now(), timeout(t, 15*time.Second)
			_, err := c.Topology(late)
			if err == nil || late.Err() != nil {
				t.Fatalf("%v after %v", err, time.Since(began))
			}
			t.Log(time.Since(began).Round(time.Millisecond), err)
			if !strings.Contains(err.Error(), "TLS and SASL settings") {
				t.Error("the error does not name the settings")
			}
		})
	}
}

// TestDamagedTLS: a byte that changes on an established connection is a lost connection, whichever side finds it; it
// says nothing about certificates or rights.
func TestDamagedTLS(t *testing.T) {
	t.Parallel()
	b, pool := secured(t)
	for name, received := range map[string]bool{"received": true, "sent": false} {
		t.Run(name, func(t *testing.T) {
			var armed, hits atomic.Int64
			flip := func(c *tapped, p []byte) error {
				if armed.Load() > 0 && len(p) > 40 && c.marked.CompareAndSwap(false, true) {
					armed.Add(-1)
					hits.Add(1)
					p[len(p)-1] ^= 1
				}
				return nil
			}
			x := &tap{}
			if received {
				x.onRead = flip
			} else {
				x.onWrite = flip
			}
			c := b.client(func(o *Options) {
				o.TLS, o.SASL, o.Dial = &tls.Config{RootCAs: pool}, mechanism(t, "plain", "right"), x.dial
			})
			j := c.Journal()
			f := takeover(t, j, topics.NoProducer)
			want := numbered(name, 6)
			var end int64
			for _, v := range want {
				armed.Store(1)
				end = appendAll(t, j, topics.Output, 0, v)
			}
			armed.Store(2)
			if got, _ := read(t, c.Open(topics.Output, 0, f.Output[0]), end); !slices.Equal(got, want) {
				t.Fatal(got)
			}
			if hits.Load() < 5 {
				t.Errorf("only %d bytes were changed", hits.Load())
			}
		})
	}
}

// TestDamagedHandshake: so it is in a handshake, where it may make one side refuse the other, unless it comes again.
func TestDamagedHandshake(t *testing.T) {
	t.Parallel()
	b, pool := secured(t)
	for at := range 100 {
		var writes, reads atomic.Int64
		flip := func(count *atomic.Int64) func(*tapped, []byte) error {
			return func(_ *tapped, p []byte) error {
				if count.Add(1) == 1 {
					p[min(at, len(p)-1)] ^= 1 << (at % 8)
				}
				return nil
			}
		}
		x := &tap{onWrite: flip(&writes)}
		if at%2 == 0 {
			x = &tap{onRead: flip(&reads)}
		}
		c := b.client(func(o *Options) {
			o.TLS, o.SASL, o.Dial = &tls.Config{RootCAs: pool}, mechanism(t, "plain", "right"), x.dial
			o.ResponseTimeout = 2 * time.Second
		})
		if _, err := c.Topology(timeout(t, 20*time.Second)); err != nil {
			t.Errorf("byte %d changed: %v", at, err)
		}
		c.Close()
	}
}
