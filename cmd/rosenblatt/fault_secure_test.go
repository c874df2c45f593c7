package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// reauthenticate is how long the broker keeps a connection of SCRAM-SHA-512, or of OAUTHBEARER without TLS: nobody logs
// in again on it, so another one is made in its last tenth.
const reauthenticate = 3 * time.Second

// Ports of kafka-up -s, above the first.
const (
	portTLS     = 3
	portSASL    = 4
	portSASLTLS = 5
)

// listener returns the address of one of the node's other listeners.
func (n *nodes) listener(t *testing.T, offset int) string {
	t.Helper()
	host, port, err := net.SplitHostPort(n.brokers[0])
	if err != nil {
		t.Fatal(err)
	}
	base, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	return net.JoinHostPort(host, strconv.Itoa(base+offset))
}

func (n *nodes) admin(t *testing.T) *kadm.Client {
	t.Helper()
	cl, err := kgo.NewClient(kgo.SeedBrokers(n.brokers...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return kadm.NewClient(cl)
}

// scramUser gives a user a password for both mechanisms, or takes both away when it is empty.
func (n *nodes) scramUser(t *testing.T, user, password string) {
	t.Helper()
	for _, m := range []kadm.ScramMechanism{kadm.ScramSha256, kadm.ScramSha512} {
		up, del := []kadm.UpsertSCRAM{{User: user, Mechanism: m, Iterations: 4096, Password: password}},
			[]kadm.DeleteSCRAM(nil)
		if password == "" {
			up, del = nil, []kadm.DeleteSCRAM{{User: user, Mechanism: m}}
		}
		res, err := n.admin(t).AlterUserSCRAMs(context.Background(), del, up)
		if err == nil {
			err = res.Error()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// credentials are the flags of a login. The password is in a file, and a second flag of the same name wins.
func credentials(t *testing.T, mechanism, user, password string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte(password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"--sasl", mechanism, "--sasl-user", user, "--sasl-password-file", file}
}

// through is the setup with other ways to its brokers.
func through(s *streamtest.Setup, brokers ...string) *streamtest.Setup {
	way := *s
	way.Cluster = &streamtest.Cluster{Brokers: brokers}
	return &way
}

// secure runs the program on its own topics through one of the listeners.
func secure(t *testing.T, n *nodes, port int, flags ...string) (*streamtest.Setup, *process, *proxytest.Proxy) {
	t.Helper()
	s := n.setup(t, 1)
	supply(t, s, 200, 1)
	proxy := proxytest.StartRaw(t, n.listener(t, port))
	return s, start(t, through(s, proxy.Brokers()...), s.Dir, append(flags, "--until-end")...), proxy
}

// TestFaultSecureListeners: TLS, client certificates and every mechanism, encrypted and not, work on a real broker,
// exactly.
func TestFaultSecureListeners(t *testing.T) {
	n := oneNode(t)
	files, err := makeSecrets()
	if err != nil {
		t.Fatal(err)
	}
	n.scramUser(t, "bob", "secret")
	ca := []string{"--tls-ca", files.file("ca.pem")}
	for _, test := range []struct {
		name  string
		port  int
		flags []string
	}{
		{"tls", portTLS, ca},
		{"client certificate", portTLS, append(ca, "--tls-cert", files.file("ann.pem"), "--tls-key",
			files.file("ann.key"))},
		{"plain over tls", portSASLTLS, append(ca, credentials(t, "plain", "ann", "right")...)},
		{"scram-sha-256 over tls", portSASLTLS, append(ca, credentials(t, "scram-sha-256", "bob", "secret")...)},
		{"scram-sha-512 over tls", portSASLTLS, append(ca, credentials(t, "scram-sha-512", "bob", "secret")...)},
		{"plain", portSASL, credentials(t, "plain", "ann", "right")},
		{"scram-sha-256", portSASL, credentials(t, "scram-sha-256", "bob", "secret")},
		{"scram-sha-512", portSASL, credentials(t, "scram-sha-512", "bob", "secret")},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, p, _ := secure(t, n, test.port, test.flags...)
			p.ended(t)
			if o := exact(t, s, s.Dir); len(o.Predictions) != 196 || len(o.DeadLetters) != 4 {
				t.Errorf("%d predictions, %d dead letters", len(o.Predictions), len(o.DeadLetters))
			}
		})
	}
}

// TestFaultCredentialsRefused: whatever is wrong with a login or a certificate ends the start within half a minute,
// says where to look, and does not flood the broker meanwhile (row 23).
func TestFaultCredentialsRefused(t *testing.T) {
	n := oneNode(t)
	files, err := makeSecrets()
	if err != nil {
		t.Fatal(err)
	}
	n.scramUser(t, "eve", "secret")
	ca := []string{"--tls-ca", files.file("ca.pem")}
	right := credentials(t, "plain", "ann", "right")
	for _, test := range []struct {
		name  string
		stop  string
		port  int
		flags []string
	}{
		{"plain password", stops.NotAllowed, portSASLTLS, append(ca, credentials(t, "plain", "ann", "wrong")...)},
		{"plain password without tls", stops.NotAllowed, portSASL, credentials(t, "plain", "ann", "wrong")},
		{"scram-sha-256 password", stops.NotAllowed, portSASLTLS,
			append(ca, credentials(t, "scram-sha-256", "eve", "wrong")...)},
		{"scram-sha-512 password", stops.NotAllowed, portSASL, credentials(t, "scram-sha-512", "eve", "wrong")},
		{"unknown user", stops.NotAllowed, portSASL, credentials(t, "scram-sha-256", "nobody", "secret")},
		{"no login", stops.Unreachable, portSASL, nil},
		{"no login over tls", stops.Unreachable, portSASLTLS, ca},
		{"no tls", stops.Unreachable, portTLS, nil},
		{"no tls but a login", stops.Unreachable, portSASLTLS, right},
		{"tls where there is none", stops.Unreachable, portSASL, append(ca, right...)},
		{"unknown authority", stops.NotAllowed, portTLS, []string{"--tls-ca", files.file("stranger.pem")}},
		{"another host name", stops.NotAllowed, portTLS, append(ca, "--tls-server-name", "kafka.example.org")},
		{"expired client certificate", stops.NotAllowed, portTLS,
			append(ca, "--tls-cert", files.file("late.pem"), "--tls-key", files.file("late.key"))},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			began, late := time.Now(), streamtest.Timeout(t, 30*time.Second)
			_, p, proxy := secure(t, n, test.port, test.flags...)
			p.stopped(t, test.stop, "TLS and SASL settings")
			took := time.Since(began)
			t.Logf("%v, %d connections: %s", took.Round(time.Millisecond), proxy.Connections(), lastLine(p))
			if most := 20 + int64(10*took.Seconds()); late.Err() != nil || proxy.Connections() > most {
				t.Errorf("%d connections in %v", proxy.Connections(), took)
			}
		})
	}
}

func lastLine(p *process) string {
	lines := strings.Split(strings.TrimSpace(p.log.String()), "\n")
	return lines[len(lines)-1]
}

// TestFaultCredentialsRevoked: the broker closes connections by age; the daemon logs in anew each time and loses
// nothing. Then its user is taken away: it stops and says why. With the user back, it goes on exactly where it was.
func TestFaultCredentialsRevoked(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	n.scramUser(t, "tom", "secret")
	s := n.setup(t, 1)
	proxy := proxytest.Start(t, n.listener(t, portSASL))
	way := through(s, proxy.Brokers()...)
	login := credentials(t, "scram-sha-512", "tom", "secret")
	p := start(t, way, s.Dir, login...)
	var fed int64
	for began := time.Now(); time.Since(began) < 2*reauthenticate+reauthenticate/2; fed += 500 {
		supply(t, s, 500, uint64(fed))
		p.caughtUp(t, fed+500)
	}
	made := proxy.Connections()
	n.scramUser(t, "tom", "")
	began := time.Now()
	p.stopped(t, stops.NotAllowed, "TLS and SASL settings")
	if again := proxy.Connections() - made; again > 20+int64(10*time.Since(began).Seconds()) {
		t.Errorf("%d connections within %v of the revocation", again, time.Since(began))
	}
	t.Logf("%d connections before, %d after, %v: %s", made, proxy.Connections()-made, time.Since(began), lastLine(p))
	n.scramUser(t, "tom", "secret")
	p = start(t, way, s.Dir, login...)
	supply(t, s, 500, uint64(fed))
	p.caughtUp(t, fed+500)
	p.exact(t, s)
}

// TestFaultCertificateExpired: the broker's certificate has expired between two starts: the second stops and says so,
// and with a new certificate the third goes on exactly.
func TestFaultCertificateExpired(t *testing.T) {
	n := oneNode(t)
	files, err := makeSecrets()
	if err != nil {
		t.Fatal(err)
	}
	keystore := func(name string) {
		value := files.file(name)
		res, err := n.admin(t).AlterBrokerConfigs(context.Background(),
			[]kadm.AlterConfig{{Name: "listener.name.ssl.ssl.keystore.location", Value: &value}}, 1)
		if err != nil || len(res) != 1 || res[0].Err != nil {
			t.Fatalf("%v %+v", err, res)
		}
		text, err := os.ReadFile(value)
		if err != nil {
			t.Fatal(err)
		}
		shows := func() bool {
			conn, err := tls.Dial("tcp", n.listener(t, portTLS), &tls.Config{InsecureSkipVerify: true})
			if err != nil {
				return false
			}
			defer conn.Close()
			shown := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE",
				Bytes: conn.ConnectionState().PeerCertificates[0].Raw})
			return bytes.Contains(text, shown)
		}
		streamtest.Await(t, "the broker to show "+name, func() bool { // it says yes before it does so
			for range 12 { // each of its network threads, which take connections in turn, does so by itself
				if !shows() {
					return false
				}
			}
			return true
		})
	}
	s, p, _ := secure(t, n, portTLS, "--tls-ca", files.file("ca.pem"))
	p.ended(t)
	keystore("expired.pem")
	t.Cleanup(func() { keystore("broker.pem") })
	p = start(t, through(s, n.listener(t, portTLS)), s.Dir, "--tls-ca", files.file("ca.pem"))
	p.stopped(t, stops.NotAllowed, "TLS and SASL settings", "expired")
	keystore("broker.pem")
	supply(t, s, 100, 2)
	start(t, through(s, n.listener(t, portTLS)), s.Dir, "--tls-ca", files.file("ca.pem"), "--until-end").ended(t)
	exact(t, s, s.Dir)
}
