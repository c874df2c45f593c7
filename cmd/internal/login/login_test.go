package login

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/segmentio/kafka-go/sasl"

	"rosenblatt/stream/kafka/broker"
)

func start(t *testing.T, m sasl.Mechanism) (sasl.StateMachine, string, error) {
	t.Helper()
	at := &sasl.Metadata{Host: "b-1.cluster.abc.c2.kafka.eu-central-1.amazonaws.com", Port: 9098}
	s, first, err := m.Start(sasl.WithMetadata(t.Context(), at))
	return s, string(first), err
}

// TestPasswordAgain: each login has the password that is set then.
func TestPasswordAgain(t *testing.T) {
	t.Parallel()
	password := "old"
	for _, mechanism := range []string{"plain", "scram-sha-256", "scram-sha-512"} {
		m := Password{Mechanism: mechanism, User: "ann", Read: func() (string, error) { return password, nil }}
		if want := strings.ToUpper(mechanism); m.Name() != want {
			t.Errorf("%s, want %s", m.Name(), want)
		}
		for range 2 {
			_, first, err := start(t, m)
			if err != nil || !strings.Contains(first, "ann") {
				t.Errorf("%s: %q, %v", mechanism, first, err)
			}
			if mechanism == "plain" && first != "\x00ann\x00"+password {
				t.Errorf("%q, want the password %s", first, password)
			}
			password = "new"
		}
	}
	gone := Password{Mechanism: "plain", User: "ann", Read: func() (string, error) { return "", os.ErrNotExist }}
	if _, _, err := start(t, gone); err == nil || !strings.Contains(err.Error(), "no password") {
		t.Error(err)
	}
}

// tokens are given one after the other.
type tokens struct {
	given   int
	refused int
}

func (f *tokens) Token(context.Context) (string, error) {
	f.given++
	return fmt.Sprint("token", f.given), nil
}

func (f *tokens) Refused() { f.refused++ }

// TestBearer: the message of RFC 7628, a token for each login, and the acknowledgement of a refusal, after which the
// broker responds with its code.
func TestBearer(t *testing.T) {
	t.Parallel()
	f := &tokens{}
	b := Bearer{Tokens: f, Extensions: map[string]string{"logicalCluster": "lkc-1", "identityPoolId": "pool-2"}}
	for i := range 2 {
		s, first, err := start(t, b)
		want := fmt.Sprintf("n,,\x01auth=Bearer token%d\x01identityPoolId=pool-2\x01logicalCluster=lkc-1\x01\x01", i+1)
		if err != nil || first != want {
			t.Fatalf("%q, %v; want %q", first, err, want)
		}
		if done, _, err := s.Next(t.Context(), nil); !done || err != nil {
			t.Error(done, err)
		}
	}
	s, _, _ := start(t, b)
	done, more, err := s.Next(t.Context(), []byte(`{"status":"invalid_token"}`))
	if done || string(more) != "\x01" || err != nil || f.refused != 1 {
		t.Errorf("%v %q %v, %d refused", done, more, err, f.refused)
	}
}

// authorizer is an authorization server that knows one client.
type authorizer struct {
	secret    string
	life      int // seconds
	asked     int
	status    int // in the place of a token
	scope     string
	inTheBody bool // it takes the secret there only
}

func (a *authorizer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.asked++
	id, secret, _ := r.BasicAuth()
	if a.inTheBody {
		id, secret = r.FormValue("client_id"), r.FormValue("client_secret")
	}
	a.scope = r.FormValue("scope")
	w.Header().Set("Content-Type", "application/json")
	switch {
	case a.status != 0:
		w.WriteHeader(a.status)
		fmt.Fprint(w, `{"error":"odd","error_description":"as it is"}`)
	case id != "ann" || secret != a.secret || r.FormValue("grant_type") != "client_credentials":
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":"invalid_client"}`)
	default:
		fmt.Fprintf(w, `{"access_token":"token%d","token_type":"Bearer","expires_in":%d}`, a.asked, a.life)
	}
}

// TestIssuer: one token serves many logins until shortly before its end or until the broker refuses it, the secret is
// read again for each, and a refusal is told from trouble.
func TestIssuer(t *testing.T) {
	t.Parallel()
	a := &authorizer{secret: "old", life: 3600}
	server := httptest.NewServer(a)
	defer server.Close()
	secret := "old"
	i := &Issuer{URL: server.URL + "/token", Client: "ann", Scopes: []string{"kafka", "write"},
		Secret: func() (string, error) { return secret, nil }, HTTP: server.Client()}
	token := func() (string, error) { return i.Token(t.Context()) }
	for range 3 {
		if got, err := token(); got != "token1" || err != nil || a.scope != "kafka write" {
			t.Fatalf("%s, %v, scope %q", got, err, a.scope)
		}
	}
	i.Refused()
	a.secret, secret, a.life = "new", "new", 5
	for n := 2; n < 4; n++ { // of five seconds too little is left for another login
		if got, err := token(); got != fmt.Sprint("token", n) || err != nil {
			t.Fatalf("%s, %v, want token%d", got, err, n)
		}
	}
	for _, c := range []struct {
		status int
		secret string
		final  bool
		want   string
	}{
		{0, "wrong", true, `401 Unauthorized ("invalid_client")`},
		{400, "new", true, `400 Bad Request ("odd: as it is")`},
		{429, "new", false, "429"}, {500, "new", false, "500"}, {503, "new", false, "503"},
	} {
		a.status, secret = c.status, c.secret
		_, err := token()
		var none *broker.NoCredentials
		if !errors.As(err, &none) || none.Final != c.final || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), c.secret+"\x00") {
			t.Errorf("%d: %v, want final %v, %s", c.status, err, c.final, c.want)
		}
	}
	server.Close()
	var none *broker.NoCredentials
	if _, err := token(); !errors.As(err, &none) || none.Final {
		t.Errorf("away: %v", err)
	}
}

func issuerAt(server *httptest.Server) *Issuer {
	secret := func() (string, error) { return "s", nil }
	return &Issuer{URL: server.URL, Client: "ann", Secret: secret, HTTP: server.Client()}
}

// TestIssuerOfBodies: some servers take a client's secret in the body only.
func TestIssuerOfBodies(t *testing.T) {
	t.Parallel()
	a := &authorizer{secret: "s", life: 3600, inTheBody: true}
	server := httptest.NewServer(a)
	defer server.Close()
	i := issuerAt(server)
	if got, err := i.Token(t.Context()); !strings.HasPrefix(got, "token") || err != nil {
		t.Error(got, err)
	}
}

// TestSilentIssuer: a server that does not respond is named, within the time of a connection.
func TestSilentIssuer(t *testing.T) {
	t.Parallel()
	end := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-end }))
	defer server.Close()
	defer close(end)
	i := issuerAt(server)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := i.Token(ctx); err == nil || !strings.Contains(err.Error(), server.URL) || ctx.Err() != nil {
		t.Error(err, ctx.Err())
	}
}

// TestMSK: keys come from the environment, else from the files of AWS's tools, which are read again at each login. What
// is sent is what AWS's own library signs.
func TestMSK(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "credentials")
	for name, value := range map[string]string{"AWS_SHARED_CREDENTIALS_FILE": file, "AWS_PROFILE": "work",
		"AWS_CONFIG_FILE": filepath.Join(dir, "config"), "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "",
		"AWS_SESSION_TOKEN": "", "AWS_EC2_METADATA_DISABLED": "true", "AWS_REGION": ""} {
		t.Setenv(name, value)
	}
	m := &MSK{}
	var none *broker.NoCredentials
	_, _, err := start(t, m)
	if !errors.As(err, &none) || none.Final || !strings.Contains(err.Error(), "no keys of AWS") {
		t.Errorf("without keys: %v", err)
	}
	for _, key := range []string{"AKIDOLD", "AKIDNEW"} {
		text := "[default]\naws_access_key_id = no\naws_secret_access_key = no\n\n[work]\naws_access_key_id = " + key +
			"\naws_secret_access_key = secret+/of" + key + "\naws_session_token = session/" + key + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		signed(t, m, aws.Credentials{AccessKeyID: key, SecretAccessKey: "secret+/of" + key,
			SessionToken: "session/" + key})
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDENV")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "of the environment")
	signed(t, m, aws.Credentials{AccessKeyID: "AKIDENV", SecretAccessKey: "of the environment"})
	elsewhere := sasl.WithMetadata(t.Context(), &sasl.Metadata{Host: "kafka.example.org", Port: 9098})
	if _, _, err := m.Start(elsewhere); !errors.As(err, &none) || !none.Final ||
		!strings.Contains(err.Error(), "AWS_REGION") {
		t.Errorf("without a region: %v", err)
	}
}

// signed logs in and compares the message with what AWS's library signs.
func signed(t *testing.T, m *MSK, keys aws.Credentials) {
	t.Helper()
	s, first, err := start(t, m)
	if err != nil {
		t.Fatal(err)
	}
	sent := map[string]string{}
	if err := json.Unmarshal([]byte(first), &sent); err != nil {
		t.Fatal(err)
	}
	at, err := time.Parse("20060102T150405Z", sent["x-amz-date"])
	if err != nil || time.Since(at) > time.Minute {
		t.Fatalf("%v: %s", err, first)
	}
	q := url.Values{"Action": {sent["action"]}, "X-Amz-Expires": {sent["x-amz-expires"]}}
	req, err := http.NewRequest("GET", "https://"+sent["host"]+"/?"+q.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	empty := sha256.Sum256(nil)
	uri, _, err := v4.NewSigner().PresignHTTP(t.Context(), keys, req, hex.EncodeToString(empty[:]), "kafka-cluster",
		"eu-central-1", at)
	if err != nil {
		t.Fatal(err)
	}
	want, err := url.Parse(uri)
	if err != nil {
		t.Fatal(err)
	}
	for name := range want.Query() {
		if got := sent[strings.ToLower(name)]; got != want.Query().Get(name) {
			t.Errorf("%s is %q, AWS's library has %q", name, got, want.Query().Get(name))
		}
	}
	if sent["version"] != "2020_10_22" || sent["action"] != "kafka-cluster:Connect" ||
		sent["user-agent"] != "rosenblatt" {
		t.Error(first)
	}
	if done, _, err := s.Next(t.Context(), []byte(`{"version":"2020_10_22"}`)); !done || err != nil {
		t.Error(done, err)
	}
}
