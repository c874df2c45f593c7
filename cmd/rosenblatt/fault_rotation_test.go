package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/streamtest"
)

// replaceFile gives a file another content, as those that keep secrets do.
func replaceFile(t *testing.T, path string, text []byte) {
	t.Helper()
	err := os.WriteFile(path+".new", text, 0o600)
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFaultSecretsRotate: a daemon whose broker ends logins every three seconds runs on while its password changes, at
// the broker first, and while its client certificate expires and another one takes its place. Nothing is lost.
func TestFaultSecretsRotate(t *testing.T) {
	n := oneNode(t)
	files, err := makeSecrets()
	if err != nil {
		t.Fatal(err)
	}
	t.Parallel()
	n.scramUser(t, "rob", "first")
	s := n.setup(t, 1)
	dir := t.TempDir()
	password, cert, key := filepath.Join(dir, "password"), filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certificate := func(life time.Duration) {
		c, k, err := files.ca.sign(life)
		if err != nil {
			t.Fatal(err)
		}
		// A login between the two finds a pair that does not fit, and is repeated.
		replaceFile(t, key, k)
		replaceFile(t, cert, c)
	}
	const settled = time.Minute + 5*time.Second // a refusal is final for a minute
	const life = settled + 10*time.Second
	replaceFile(t, password, []byte("first\n"))
	certificate(life)
	expires := time.Now().Add(life)
	p := start(t, through(s, n.listener(t, portSASLTLS)), s.Dir, "--tls-ca", files.file("ca.pem"), "--tls-cert", cert,
		"--tls-key", key, "--sasl", "scram-sha-512", "--sasl-user", "rob", "--sasl-password-file", password)
	var fed int64
	feed := func(until time.Time) {
		for more := true; more; more = time.Now().Before(until) {
			supply(t, s, 100, uint64(fed))
			fed += 100
			p.caughtUp(t, fed)
		}
	}
	feed(time.Now())
	certificate(time.Hour)
	feed(time.Now().Add(settled))
	feed(expires.Add(2 * reauthenticate))
	for _, next := range []string{"second", "third"} {
		before := strings.Count(p.log.String(), "refuses what it accepted before")
		n.scramUser(t, "rob", next)
		streamtest.Await(t, "the password of before is refused", func() bool {
			p.alive(t)
			return strings.Count(p.log.String(), "refuses what it accepted before") > before
		})
		replaceFile(t, password, []byte(next+"\n"))
		feed(time.Now().Add(2 * reauthenticate))
	}
	p.exact(t, s)
}

// TestFaultSessionCut: a batch arrives when the broker has ended the login of its connection, which it closes. The
// batch goes out under its sequence on another connection, and is there once.
func TestFaultSessionCut(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	n.scramUser(t, "sue", "secret")
	s := n.setup(t, 1)
	proxy := proxytest.Start(t, n.listener(t, portSASL))
	var armed atomic.Bool
	count, open := unanswered(kmsg.Produce)
	proxy.Set(func(m *proxytest.Message) proxytest.Verdict {
		if m.Key == int16(kmsg.Produce) && !m.Response && armed.Swap(false) {
			time.Sleep(reauthenticate + time.Second)
		}
		return count(m)
	})
	p := start(t, through(s, proxy.Brokers()...), s.Dir, credentials(t, "scram-sha-512", "sue", "secret")...)
	var fed int64
	for cut := range int64(3) {
		supply(t, s, 100, uint64(fed))
		p.caughtUp(t, fed+100)
		armed.Store(true)
		supply(t, s, 100, uint64(fed+100))
		fed += 200
		streamtest.Await(t, "the batch has no response", func() bool { p.alive(t); return open.Load() == cut+1 })
		p.caughtUp(t, fed)
	}
	p.exact(t, s)
}
