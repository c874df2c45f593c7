package main

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// keySet is the broker's jwks.json (RFC 7517).
func keySet(key *rsa.PublicKey) []byte {
	number := func(n *big.Int) string { return base64.RawURLEncoding.EncodeToString(n.Bytes()) }
	return fmt.Appendf(nil, `{"keys":[{"kty":"RSA","kid":"tests","use":"sig","alg":"RS256","n":"%s","e":"%s"}]}`,
		number(key.N), number(big.NewInt(int64(key.E))))
}

// token is a signed one (RFC 7519) that ends after so long.
func (s *secrets) token(t testing.TB, user, audience string, life time.Duration) string {
	now := time.Now()
	claims, err := json.Marshal(map[string]any{"sub": user, "aud": audience, "iss": "tests", "scope": "kafka",
		"iat": now.Unix(), "exp": now.Add(life).Unix()})
	if err != nil {
		t.Error(err)
	}
	part := base64.RawURLEncoding.EncodeToString
	text := part([]byte(`{"alg":"RS256","typ":"JWT","kid":"tests"}`)) + "." + part(claims)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, s.tokens, crypto.SHA256, sum[:])
	if err != nil {
		t.Error(err)
	}
	return text + "." + part(signature)
}

// tokenLife is longer than a session, so that either ends while a daemon runs.
const tokenLife = 6 * time.Second

// sidecar keeps a valid token in a file until its stop.
func sidecar(t *testing.T, files *secrets) (flags []string, stop func()) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "token")
	write := func() {
		err := os.WriteFile(path+".new", []byte(files.token(t, "rosenblatt", "kafka", tokenLife)), 0o600)
		if err == nil {
			err = os.Rename(path+".new", path)
		}
		if err != nil {
			t.Error(err)
		}
	}
	write()
	ended, end := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for tick := time.NewTicker(tokenLife / 3); ; {
			select {
			case <-tick.C:
				write()
			case <-end:
				tick.Stop()
				return
			}
		}
	}()
	stop = sync.OnceFunc(func() { close(end); <-ended })
	t.Cleanup(stop)
	return []string{"--sasl", "oauthbearer", "--sasl-token-file", path}, stop
}

// unanswered counts the requests of these kinds that a broker has not responded to.
func unanswered(keys ...kmsg.Key) (proxytest.Rule, *atomic.Int64) {
	var count atomic.Int64
	return func(m *proxytest.Message) proxytest.Verdict {
		for _, k := range keys {
			switch {
			case m.Key != int16(k):
			case m.Response:
				count.Add(-1)
			default:
				count.Add(1)
			}
		}
		return proxytest.Pass
	}, &count
}

// TestFaultTokenFile: sessions and tokens end while the daemon runs, and no request is cut. When the file is not
// renewed any more, the daemon stops as the broker refuses the token; with a new one it goes on exactly where it was.
func TestFaultTokenFile(t *testing.T) {
	n := oneNode(t)
	files, err := makeSecrets()
	if err != nil {
		t.Fatal(err)
	}
	t.Parallel()
	s := n.setup(t, 1)
	proxy := proxytest.Start(t, n.listener(t, portSASL))
	rule, open := unanswered(kmsg.Produce, kmsg.Metadata, kmsg.ListOffsets)
	proxy.Set(rule)
	way := through(s, proxy.Brokers()...)
	login, stop := sidecar(t, files)
	p := start(t, way, s.Dir, login...)
	var fed int64
	for began := time.Now(); time.Since(began) < 2*tokenLife+tokenLife/4; fed += 100 {
		supply(t, s, 100, uint64(fed))
		p.caughtUp(t, fed+100)
	}
	streamtest.Await(t, "each request has its response", func() bool { p.alive(t); return open.Load() == 0 })
	if made := proxy.Connections(); made < 8 {
		t.Errorf("only %d connections", made)
	}
	stop()
	p.stopped(t, stops.NotAllowed, "TLS and SASL settings", "SASL_AUTHENTICATION_FAILED")
	t.Log(lastLine(p))
	login, _ = sidecar(t, files)
	p = start(t, way, s.Dir, login...)
	supply(t, s, 100, uint64(fed))
	p.caughtUp(t, fed+100)
	p.exact(t, s)
}

// TestFaultTokenRefused: a token that the broker does not accept ends a start at once.
func TestFaultTokenRefused(t *testing.T) {
	n := oneNode(t)
	files, err := makeSecrets()
	if err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{
		"ended":            files.token(t, "rosenblatt", "kafka", -time.Hour),
		"of another":       files.token(t, "rosenblatt", "elsewhere", time.Hour),
		"changed":          files.token(t, "rosenblatt", "kafka", time.Hour) + "x",
		"not even a token": "rubbish",
		"unsigned":         "eyJhbGciOiJub25lIn0.eyJzdWIiOiJub2JvZHkiLCJhdWQiOiJrYWZrYSIsImV4cCI6OTk5OTk5OTk5OX0.",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "token")
			if err := os.WriteFile(path, []byte(token+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			flags := []string{"--sasl", "oauthbearer", "--sasl-token-file", path}
			_, p, proxy := secure(t, n, portSASLTLS, append(flags, "--tls-ca", files.file("ca.pem"))...)
			p.stopped(t, stops.NotAllowed, "TLS and SASL settings", "SASL_AUTHENTICATION_FAILED")
			if strings.Contains(p.log.String(), token) || proxy.Connections() > 3 {
				t.Errorf("%d connections: %s", proxy.Connections(), p.log.String())
			}
			got := call(t, "", append([]string{"check", "--brokers", n.listener(t, portSASL), "--input", "events",
				"--state", t.TempDir()}, flags...)...)
			if !strings.Contains(got.stdout, "FAIL  SASL") || !strings.Contains(got.stdout, "refuses the token") {
				t.Error(got.stdout, got.stderr)
			}
		})
	}
}

// TestFaultTokenIssuer: a server gives tokens for a client whose secret changes, is away for a while, and then refuses
// the client for good. All commands log in alike.
func TestFaultTokenIssuer(t *testing.T) {
	n := oneNode(t)
	files, err := makeSecrets()
	if err != nil {
		t.Fatal(err)
	}
	t.Parallel()
	var secret, before atomic.Value // the server takes both while the file changes
	var away atomic.Int64           // an HTTP status
	var given atomic.Int64
	secret.Store("")
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		id, got, _ := r.BasicAuth()
		switch {
		case away.Load() != 0:
			w.WriteHeader(int(away.Load()))
		case id != "rosenblatt" || got != secret.Load() && got != before.Load():
			w.WriteHeader(http.StatusUnauthorized)
		default:
			given.Add(1)
			fmt.Fprintf(w, `{"access_token":"%s","token_type":"Bearer","expires_in":%d}`,
				files.token(t, "rosenblatt", r.FormValue("scope"), tokenLife), int(tokenLife.Seconds()))
		}
	}))
	t.Cleanup(issuer.Close)
	path := filepath.Join(t.TempDir(), "secret")
	change := func(text string) {
		before.Store(secret.Swap(text))
		if err := errors.Join(os.WriteFile(path+".new", []byte(text+"\n"), 0o600),
			os.Rename(path+".new", path)); err != nil {
			t.Fatal(err)
		}
	}
	change("first")
	s := n.setup(t, 1)
	way := through(s, n.listener(t, portSASL))
	login := []string{"--sasl", "oauthbearer", "--sasl-token-url", issuer.URL, "--sasl-client-id", "rosenblatt",
		"--sasl-client-secret-file", path, "--sasl-scope", "kafka"}
	p := start(t, way, s.Dir, login...)
	var fed int64
	feed := func(until func() bool) {
		for !until() {
			supply(t, s, 100, uint64(fed))
			fed += 100
			p.caughtUp(t, fed)
		}
	}
	more := func() func() bool { want := given.Load() + 2; return func() bool { return given.Load() >= want } }
	feed(more())
	change("second")
	feed(more())
	away.Store(http.StatusServiceUnavailable)
	streamtest.Await(t, "the issuer's outage is told", func() bool {
		p.alive(t)
		return strings.Contains(p.log.String(), "it responds 503")
	})
	away.Store(0)
	feed(more())
	common := append([]string{"--brokers", n.listener(t, portSASL)}, login...)
	for command, more := range map[string][]string{
		"check": {"--input", s.Name, "--output", s.Output(), "--dead-letter", s.DeadLetters(), "--state", s.Dir,
			"--bits", "12"},
		"verify":  {"--input", s.Name, "--state", s.Dir},
		"tail":    {"--input", s.Name, "--lines", "3"},
		"produce": {"--topic", s.Name + "-more", "--create-topic", "--generate", "hyperplane", "--count", "5"},
		"replay":  {"--topic", s.Name},
	} {
		if got := call(t, "", append(append([]string{command}, common...), more...)...); got.code != 0 {
			t.Errorf("%s: exit %d: %s%s", command, got.code, got.stdout, got.stderr)
		}
	}
	secret.Store("another") // and not in the file
	before.Store("another")
	p.stopped(t, stops.NotAllowed, "it responds 401")
	change("third")
	p = start(t, way, s.Dir, login...)
	feed(more())
	p.exact(t, s)
	if bytes.Contains([]byte(p.log.String()), []byte("third")) {
		t.Error("the secret is in the log")
	}
}
