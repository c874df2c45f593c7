package daemon

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
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
	if s.TLS == nil || s.TLS.RootCAs == nil || len(s.TLS.Certificates) != 1 || s.TLS.ServerName != "broker" ||
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
