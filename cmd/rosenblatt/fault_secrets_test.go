package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// secrets are the certificates and passwords of the broker that tests share. The folder holds, beside what kafka-up
// wants, expired.pem (a broker's that is no longer valid), stranger.pem (an authority that signed nothing), and of two
// clients ann.pem and late.pem, the latter no longer valid, each with its key in ann.key and late.key. The
// broker knows by jwks.json what tokens signs.
type secrets struct {
	dir    string
	ca     *authority // what the broker trusts
	tokens *rsa.PrivateKey
}

func (s *secrets) file(name string) string { return filepath.Join(s.dir, name) }

var makeSecrets = sync.OnceValues(func() (*secrets, error) {
	dir, err := os.MkdirTemp("", "rosenblatt-secrets")
	if err != nil {
		return nil, err
	}
	s := &secrets{dir: dir}
	started.Lock()
	started.folders = append(started.folders, dir)
	started.Unlock()
	ca, err := newAuthority("the tests' authority")
	if err != nil {
		return nil, err
	}
	s.ca = ca
	stranger, err := newAuthority("a stranger")
	if err != nil {
		return nil, err
	}
	hour := time.Hour
	files := map[string][]byte{"ca.pem": ca.pem(), "stranger.pem": stranger.pem(), "users": []byte("ann=right\n")}
	for _, leaf := range []struct {
		cert, key string // one file when they are the same
		until     time.Duration
	}{{"broker.pem", "broker.pem", hour}, {"expired.pem", "expired.pem", -hour}, {"ann.pem", "ann.key", hour},
		{"late.pem", "late.key", -hour}} {
		cert, key, err := ca.sign(leaf.until)
		if err != nil {
			return nil, err
		}
		files[leaf.key] = append(files[leaf.key], key...)
		files[leaf.cert] = append(files[leaf.cert], cert...)
	}
	if s.tokens, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
		return nil, err
	}
	files["jwks.json"] = keySet(&s.tokens.PublicKey)
	for name, text := range files {
		if err := os.WriteFile(s.file(name), text, 0o600); err != nil {
			return nil, err
		}
	}
	return s, nil
})

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(name string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	return &authority{cert, key}, err
}

func (a *authority) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
}

// sign makes a certificate for a broker or client on loopback, and its key, as PEM. It ends after so long, which may be
// past.
func (a *authority) sign(until time.Duration) (cert, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:   pkix.Name{CommonName: "loopback"},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: time.Now().Add(until),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &private.PublicKey, a.key)
	if err != nil {
		return nil, nil, err
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}), nil
}
