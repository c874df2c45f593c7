package daemon

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/segmentio/kafka-go/sasl"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/login"
)

const (
	saslBearer = "oauthbearer"
	saslMSK    = "aws-msk-iam"
)

// sasl makes the mechanism, which reads its secrets again at each login. They are read once here to find faults.
func (c *Connection) sasl(f *cli.Faults) sasl.Mechanism {
	if c.SASL != "" {
		before := len(*f)
		f.OneOf("sasl", c.SASL, "plain", "scram-sha-256", "scram-sha-512", saslBearer, saslMSK)
		if len(*f) > before {
			return nil
		}
	}
	c.misplaced(f)
	switch c.SASL {
	case "":
		return nil
	case saslBearer:
		return c.bearer(f)
	case saslMSK:
		return &login.MSK{}
	}
	f.AddIf(c.SASLUser == "", "sasl-user: missing: --sasl %s needs it", c.SASL)
	m := login.Password{Mechanism: c.SASL, User: c.SASLUser, Read: c.password}
	f.Check("sasl-password-file", m.Check())
	return m
}

// misplaced finds settings of another login than the chosen one.
func (c *Connection) misplaced(f *cli.Faults) {
	password := c.SASLUser != "" || c.SASLPasswordFile != ""
	client := c.SASLTokenURL != "" || c.SASLClientID != "" || c.SASLClientSecretFile != "" || len(c.SASLScope) > 0
	bearer := client || c.SASLTokenFile != "" || len(c.SASLExtension) > 0
	f.AddIf(c.SASL == "" && password, "sasl: missing: --sasl-user and --sasl-password-file need it: want plain, "+
		"scram-sha-256 or scram-sha-512")
	f.AddIf((c.SASL == saslBearer || c.SASL == saslMSK) && password,
		"sasl: %s takes no user and no password: leave --sasl-user and --sasl-password-file away", c.SASL)
	f.AddIf(c.SASL != saslBearer && bearer, "sasl: --sasl-token..., --sasl-client..., --sasl-scope and "+
		"--sasl-extension need --sasl oauthbearer")
	f.AddIf(c.SASL == saslBearer && !client && c.SASLTokenFile == "",
		"sasl-token-file: missing: --sasl oauthbearer needs it, or --sasl-token-url")
	f.AddIf(client && c.SASLTokenFile != "", "sasl-token-file: give it or --sasl-token-url and the client, not both")
	f.AddIf(client && c.SASLTokenURL == "", "sasl-token-url: missing: the client and its scopes need it")
}

func (c *Connection) bearer(f *cli.Faults) sasl.Mechanism {
	m := login.Bearer{Extensions: map[string]string{}}
	for _, text := range c.SASLExtension {
		name, value, ok := strings.Cut(text, "=")
		f.AddIf(!ok || name == "" || name == "auth", "sasl-extension: %q: want NAME=VALUE", text)
		m.Extensions[name] = value
	}
	if c.SASLTokenFile != "" {
		m.Tokens = login.TokenFile{Path: c.SASLTokenFile, Read: ReadSecret}
		_, err := ReadSecret(c.SASLTokenFile)
		f.Check("sasl-token-file", err)
		return m
	}
	if c.SASLTokenURL != "" {
		m.Tokens = c.issuer(f)
	}
	return m
}

func (c *Connection) issuer(f *cli.Faults) *login.Issuer {
	u, err := url.Parse(c.SASLTokenURL)
	f.AddIf(err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http",
		"sasl-token-url: %q: want https://HOST/PATH", c.SASLTokenURL)
	f.AddIf(c.SASLClientID == "", "sasl-client-id: missing: --sasl-token-url needs it")
	f.AddIf(c.SASLClientSecretFile == "", "sasl-client-secret-file: missing: --sasl-token-url needs it")
	secret := func() (string, error) { return ReadSecret(c.SASLClientSecretFile) }
	if c.SASLClientSecretFile != "" {
		_, err = secret()
		f.Check("sasl-client-secret-file", err)
	}
	return &login.Issuer{URL: c.SASLTokenURL, Client: c.SASLClientID, Secret: secret, Scopes: c.SASLScope,
		HTTP: &http.Client{Transport: c.toIssuer()}}
}

// toIssuer trusts whom this machine trusts and, beside them, the authority of the brokers: it is often the same.
func (c *Connection) toIssuer() http.RoundTripper {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	if c.TLSCA == "" {
		return transport
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if pem, err := os.ReadFile(c.TLSCA); err == nil { // else it is a fault of --tls-ca
		pool.AppendCertsFromPEM(pem)
	}
	transport.TLSClientConfig.RootCAs = pool
	return transport
}

func (c *Connection) password() (string, error) {
	if c.SASLPasswordFile == "" {
		password := cmp.Or(c.SASLPassword, os.Getenv(PasswordEnv))
		if password == "" {
			return "", errors.New("missing: --sasl needs it, or " + PasswordEnv)
		}
		return password, nil
	}
	//mutation:password-again
	return ReadSecret(c.SASLPasswordFile)
}

// inTheClear names secrets that others on the way can read.
func (c *Connection) inTheClear() (texts []string) {
	switch {
	case c.usesTLS():
	case c.SASL == "plain":
		texts = append(texts, "--sasl plain without --tls sends the password in the clear")
	case c.SASL == saslBearer:
		texts = append(texts, "--sasl oauthbearer without --tls sends the token in the clear")
	}
	if strings.HasPrefix(c.SASLTokenURL, "http:") {
		texts = append(texts, "--sasl-token-url over http:// sends the client's secret and its tokens in the clear")
	}
	return texts
}
