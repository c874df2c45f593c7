package daemon

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"
)

// certificate makes a certificate that signed itself, and its key, both as PEM.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotAfter: time.Now().Add(time.Hour), IsCA: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}))
}

func TestTLS(t *testing.T) {
	t.Parallel()
	cert, key := certificate(t)
	c := Connection{Brokers: []string{"k:1"}, TLSCA: write(t, "ca", cert), TLSCert: write(t, "cert", cert),
		TLSKey: write(t, "key", key), TLSServerName: "broker"}
	s, err := c.Cluster()
	if err != nil {
		t.Fatal(err)
	}
	if s.TLS == nil || s.TLS.RootCAs == nil || s.TLS.GetClientCertificate == nil || s.TLS.ServerName != "broker" ||
		s.TLS.InsecureSkipVerify {
		t.Errorf("%+v", s.TLS)
	}
	c = Connection{Brokers: []string{"k:1"}}
	if s, err := c.Cluster(); err != nil || s.TLS != nil || s.SASL != nil {
		t.Errorf("plain text: %+v, %v", s, err)
	}
	c.TLS = true
	if s, err := c.Cluster(); err != nil || s.TLS == nil || s.TLS.RootCAs != nil {
		t.Errorf("the system's certificates: %+v, %v", s, err)
	}
}

func TestTLSFaults(t *testing.T) {
	t.Parallel()
	cert, _ := certificate(t)
	for want, c := range map[string]Connection{
		"tls-ca: open":                          {TLSCA: "no such file"},
		"holds no certificate":                  {TLSCA: write(t, "ca", "rubbish")},
		"tls-key: missing":                      {TLSCert: "x"},
		"tls-cert: missing":                     {TLSKey: "x"},
		"tls-cert: tls: failed to find any PEM": {TLSCert: write(t, "c", cert), TLSKey: write(t, "k", "rubbish")},
	} {
		c.Brokers = []string{"k:1"}
		if _, err := c.Cluster(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestSASL(t *testing.T) {
	t.Parallel()
	for mechanism, want := range map[string]string{"plain": "PLAIN", "scram-sha-256": "SCRAM-SHA-256",
		"scram-sha-512": "SCRAM-SHA-512"} {
		c := Connection{Brokers: []string{"k:1"}, SASL: mechanism, SASLUser: "me", SASLPassword: "from the environment"}
		s, err := c.Cluster()
		if err != nil || s.SASL.Name() != want {
			t.Errorf("%s: %v, %v", mechanism, s.SASL, err)
		}
	}
}

func TestPasswordFile(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"secret", "secret\n", "secret\r\n"} {
		c := Connection{SASLPasswordFile: write(t, "p", text), SASLPassword: "the file wins"}
		if p, err := c.password(); err != nil || p != "secret" {
			t.Errorf("%q: %q, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "\n", "two\nlines\n"} {
		c := Connection{SASLPasswordFile: write(t, "p", text)}
		if p, err := c.password(); err == nil {
			t.Errorf("%q was taken as %q", text, p)
		}
	}
}

// TestCertificateAgain: each connection shows the certificate that is in the files then.
func TestCertificateAgain(t *testing.T) {
	t.Parallel()
	server, serverKey := certificate(t)
	pair, err := tls.X509KeyPair([]byte(server), []byte(serverKey))
	if err != nil {
		t.Fatal(err)
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair},
		ClientAuth: tls.RequireAnyClientCert})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cert, key := certificate(t)
	c := Connection{Brokers: []string{"k:1"}, TLSCA: write(t, "ca", server), TLSCert: write(t, "cert", cert),
		TLSKey: write(t, "key", key)}
	o, err := c.Cluster()
	if err != nil {
		t.Fatal(err)
	}
	o.TLS.InsecureSkipVerify = true // the server's certificate has no name
	shown := func() string {
		got := make(chan []byte, 1)
		go func() {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			_ = conn.(*tls.Conn).Handshake()
			for _, own := range conn.(*tls.Conn).ConnectionState().PeerCertificates {
				got <- own.Raw
			}
			close(got)
		}()
		conn, err := tls.Dial("tcp", l.Addr().String(), o.TLS)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: <-got}))
	}
	for range 2 {
		if shown() != cert {
			t.Fatal("another certificate than the one in the file")
		}
		cert, key = certificate(t)
		for path, text := range map[string]string{c.TLSCert: cert, c.TLSKey: key} {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestPasswordFileAgain: each login has the password that is in the file then.
func TestPasswordFileAgain(t *testing.T) {
	t.Parallel()
	c := Connection{Brokers: []string{"k:1"}, SASL: "plain", SASLUser: "me", SASLPasswordFile: write(t, "p", "old")}
	o, err := c.Cluster()
	if err != nil {
		t.Fatal(err)
	}
	for _, password := range []string{"old", "new"} {
		if err := os.WriteFile(c.SASLPasswordFile, []byte(password+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, first, err := o.SASL.Start(t.Context()); err != nil || string(first) != "\x00me\x00"+password {
			t.Errorf("%q, %v: want %s", first, err, password)
		}
	}
}

func TestLoginFaults(t *testing.T) {
	t.Parallel()
	token, secret := write(t, "token", "t"), write(t, "secret", "s")
	for _, test := range []struct {
		c    Connection
		want string // empty for no fault
	}{
		{Connection{SASL: "oauthbearer", SASLTokenFile: token, SASLExtension: []string{"logicalCluster=lkc-1"}}, ""},
		{Connection{SASL: "oauthbearer", SASLTokenURL: "https://h/token", SASLClientID: "me",
			SASLClientSecretFile: secret, SASLScope: []string{"a", "b"}}, ""},
		{Connection{SASL: "aws-msk-iam"}, ""},
		{Connection{SASL: "oauthbearer"}, "sasl-token-file: missing"},
		{Connection{SASL: "oauthbearer", SASLTokenFile: "no such file"}, "sasl-token-file: open"},
		{Connection{SASL: "oauthbearer", SASLTokenFile: write(t, "two", "a\nb\n")}, "several lines"},
		{Connection{SASL: "oauthbearer", SASLTokenFile: token, SASLTokenURL: "https://h"}, "not both"},
		{Connection{SASL: "oauthbearer", SASLTokenFile: token, SASLExtension: []string{"x"}}, "want NAME=VALUE"},
		{Connection{SASL: "oauthbearer", SASLTokenFile: token, SASLUser: "me"}, "takes no user"},
		{Connection{SASL: "aws-msk-iam", SASLPasswordFile: "x"}, "takes no user"},
		{Connection{SASL: "oauthbearer", SASLTokenURL: "h/token", SASLClientID: "me", SASLClientSecretFile: secret},
			"want https://HOST/PATH"},
		{Connection{SASL: "oauthbearer", SASLTokenURL: "https://h", SASLClientSecretFile: secret},
			"sasl-client-id: missing"},
		{Connection{SASL: "oauthbearer", SASLTokenURL: "https://h", SASLClientID: "me"},
			"sasl-client-secret-file: missing"},
		{Connection{SASL: "oauthbearer", SASLTokenURL: "https://h", SASLClientID: "me",
			SASLClientSecretFile: "no such file"}, "sasl-client-secret-file: open"},
		{Connection{SASL: "oauthbearer", SASLClientID: "me"}, "sasl-token-url: missing"},
		{Connection{SASLTokenFile: token}, "need --sasl oauthbearer"},
		{Connection{SASL: "plain", SASLUser: "me", SASLPassword: "p", SASLScope: []string{"x"}},
			"need --sasl oauthbearer"},
		{Connection{SASL: "kerberos"}, "want plain, scram-sha-256"},
	} {
		test.c.Brokers = []string{"k:1"}
		o, err := test.c.Cluster()
		if test.want == "" && (err != nil || o.SASL == nil) ||
			test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%+v: %v, want %q", test.c, err, test.want)
		}
	}
}

func TestInTheClear(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		c    Connection
		want int
	}{
		{Connection{SASL: "plain"}, 1}, {Connection{SASL: "plain", TLSCA: "ca"}, 0},
		{Connection{SASL: "plain", TLS: true}, 0},
		{Connection{SASL: "scram-sha-256"}, 0}, {Connection{SASL: "oauthbearer"}, 1},
		{Connection{SASL: "aws-msk-iam"}, 0},
		{Connection{SASL: "oauthbearer", TLS: true, SASLTokenURL: "http://h"}, 1},
		{Connection{SASL: "oauthbearer", TLS: true, SASLTokenURL: "https://h"}, 0},
	} {
		if got := test.c.inTheClear(); len(got) != test.want {
			t.Errorf("%+v: %q", test.c, got)
		}
	}
}
