package daemon

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/kafka"
)

// Cluster checks the settings and reads the files that they name. The error is cli.Faults.
func (c *Connection) Cluster() (kafka.ClusterOptions, error) {
	var f cli.Faults
	c.checkBrokers(&f)
	o := kafka.ClusterOptions{Brokers: c.Brokers, ClientID: c.ClientID, Version: Build().Version, Rack: c.Rack,
		TLS: c.tls(&f), SASL: c.sasl(&f)}
	return o, f.Err()
}

func (c *Connection) checkBrokers(f *cli.Faults) {
	f.AddIf(len(c.Brokers) == 0, "brokers: missing: want HOST:PORT of at least one broker")
	for _, b := range c.Brokers {
		host, port, err := net.SplitHostPort(b)
		if n, bad := strconv.Atoi(port); err != nil || host == "" || bad != nil || n < 1 || n > 65535 {
			f.Addf("brokers: %q: want HOST:PORT", b)
		}
	}
}

func (c *Connection) usesTLS() bool {
	return c.TLS || c.TLSCA != "" || c.TLSCert != "" || c.TLSKey != "" || c.TLSServerName != ""
}

func (c *Connection) tls(f *cli.Faults) *tls.Config {
	if !c.usesTLS() {
		return nil
	}
	conf := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: c.TLSServerName}
	if c.TLSCA != "" {
		pool, err := certificates(c.TLSCA)
		f.Check("tls-ca", err)
		conf.RootCAs = pool
	}
	switch {
	case c.TLSCert == "" && c.TLSKey == "":
	case c.TLSCert == "":
		f.Addf("tls-cert: missing: --tls-key needs the certificate of that key")
	case c.TLSKey == "":
		f.Addf("tls-key: missing: --tls-cert needs the key of that certificate")
	default:
		own := func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
			return &pair, err
		}
		_, err := own(nil)
		f.Check("tls-cert", err)
		//mutation:certificate-again
		conf.GetClientCertificate = own // for each connection: the files may be exchanged
	}
	return conf
}

func certificates(path string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s: holds no certificate in PEM form", path)
	}
	return pool, nil
}

// ReadSecret reads a file that holds one line, a password or a token.
func ReadSecret(path string) (string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	secret := strings.TrimRight(string(raw), "\r\n")
	switch {
	case secret == "":
		return "", fmt.Errorf("%s is empty", path)
	case strings.ContainsAny(secret, "\r\n"):
		return "", fmt.Errorf("%s holds several lines: want one", path)
	}
	return secret, nil
}
