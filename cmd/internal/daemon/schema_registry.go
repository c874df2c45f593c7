package daemon

import (
	"cmp"
	"crypto/tls"
	"errors"
	"net/http"
	"os"
	"strings"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/registry"
)

// Registry says how to reach the schema registry of events that name their schemas.
type Registry struct {
	SchemaRegistry        []string      `placeholder:"URL"`
	SchemaRegistryUser    string        `placeholder:"NAME"`
	SchemaRegistryToken   string        `name:"schema-registry-token-file" placeholder:"FILE"`
	SchemaRegistryCA      string        `name:"schema-registry-ca" placeholder:"FILE"`
	SchemaRegistryCert    string        `placeholder:"FILE"`
	SchemaRegistryKey     string        `placeholder:"FILE"`
	SchemaRegistryTimeout time.Duration `default:"10s" placeholder:"DURATION"`

	SchemaRegistryPasswordFile string `placeholder:"FILE"`
}

// RegistryPasswordEnv is the environment variable of the registry's password, which has no flag.
const RegistryPasswordEnv = "ROSENBLATT_SCHEMA_REGISTRY_PASSWORD"

// FlagHelp implements cli.Documented.
func (Registry) FlagHelp() cli.Help {
	return `
schema-registry: Addresses of a schema registry with Confluent's API, as http://HOST:8081, with their path; they are
	asked in turn where one fails. It is asked what the ids mean that events of avro and protobuf begin with, or have in
	a header.
schema-registry-user: The user to log in to the registry, with a password.
schema-registry-password-file: A file with the password, one line, which is read again for each request; or put it into
	ROSENBLATT_SCHEMA_REGISTRY_PASSWORD.
schema-registry-token-file: A file with a token to log in with instead, one line, likewise.
schema-registry-ca: Certificates (PEM) of those who may sign the registry's (default: the system's).
schema-registry-cert: This client's certificate (PEM), where the registry asks for one; with --schema-registry-key.
schema-registry-key: The key (PEM) of --schema-registry-cert.
schema-registry-timeout: The longest that an answer may take before it is asked again (default: ${default}).
`
}

// RegistryFor is RegistryOptions where events or label records name their schemas (named) or have that of a subject
// (unasked), and only there. All that is wrong with events and labels has been found.
func (s *Registry) RegistryFor(named, unasked bool, f *cli.Faults) *registry.Options {
	o := s.RegistryOptions(f)
	f.AddIf(named && len(s.SchemaRegistry) == 0, "%s", NoSchemas)
	f.AddIf(unasked && len(s.SchemaRegistry) == 0, "%s", NoSubject)
	f.AddIf(!named && !unasked && o != nil && len(*f) == 0, "schema-registry: only avro and protobuf without a schema "+
		"of their own ask it: leave it out, or want --format avro or --labels-format avro")
	return o
}

// NoSchemas is what is wrong where nothing says what events in avro or protobuf are.
const NoSchemas = "format avro or protobuf: it needs --schema-registry URL, or --schema FILE for values that are bare"

// NoSubject is what is wrong where a schema is no file.
const NoSubject = "schema: there is no such file, and the name of a subject needs --schema-registry URL"

// RegistryOptions checks the settings and reads the files that they name; nil without an address.
func (s *Registry) RegistryOptions(f *cli.Faults) *registry.Options {
	if len(s.SchemaRegistry) == 0 {
		f.AddIf(s.SchemaRegistryUser+s.SchemaRegistryToken+s.SchemaRegistryCA+s.SchemaRegistryCert+s.SchemaRegistryKey+
			s.SchemaRegistryPasswordFile != "", "schema-registry: missing: what is said of it needs its address")
		return nil
	}
	for _, u := range s.SchemaRegistry {
		f.Check("schema-registry", registry.CheckURL(u))
	}
	f.AddIf(s.SchemaRegistryTimeout <= 0, "schema-registry-timeout: %s: want a duration over 0, as 10s",
		s.SchemaRegistryTimeout)
	login, err := s.login()
	f.Check("schema-registry-user", err)
	return &registry.Options{URLs: s.SchemaRegistry, HTTP: s.transport(f),
		Timeout: s.SchemaRegistryTimeout, Login: login}
}

// login returns what logs a request in; nil for nothing. Files are read now, too.
func (s *Registry) login() (func(*http.Request) error, error) {
	user, token, file := s.SchemaRegistryUser, s.SchemaRegistryToken, s.SchemaRegistryPasswordFile
	switch {
	case user != "" && token != "":
		return nil, errors.New("give it or schema-registry-token-file, not both")
	case token != "":
		_, err := ReadSecret(token)
		return func(r *http.Request) error {
			secret, err := ReadSecret(token)
			r.Header.Set("Authorization", "Bearer "+secret)
			return err
		}, err
	case user == "" && file != "":
		return nil, errors.New("missing: --schema-registry-password-file needs it")
	case user == "":
		return nil, nil
	}
	password := func() (string, error) {
		if file != "" {
			return ReadSecret(file)
		}
		return os.Getenv(RegistryPasswordEnv), nil
	}
	if now, err := password(); err != nil || now == "" {
		return nil, cmp.Or(err, errors.New("it needs --schema-registry-password-file, or "+RegistryPasswordEnv))
	}
	return func(r *http.Request) error {
		secret, err := password()
		r.SetBasicAuth(user, secret)
		return err
	}, nil
}

// transport has the certificates.
func (s *Registry) transport(f *cli.Faults) http.RoundTripper {
	with := http.DefaultTransport.(*http.Transport).Clone()
	with.MaxIdleConnsPerHost = 16
	with.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	if s.SchemaRegistryCA != "" {
		pool, err := certificates(s.SchemaRegistryCA)
		f.Check("schema-registry-ca", err)
		with.TLSClientConfig.RootCAs = pool
	}
	switch cert, key := s.SchemaRegistryCert, s.SchemaRegistryKey; {
	case cert == "" && key == "":
	case cert == "" || key == "":
		f.Addf("schema-registry-cert: it and schema-registry-key need each other")
	default:
		pair, err := tls.LoadX509KeyPair(cert, key)
		f.Check("schema-registry-cert", err)
		with.TLSClientConfig.Certificates = []tls.Certificate{pair}
	}
	return with
}

// sendsPassword reports whether a login goes over a connection that is not encrypted.
func (s *Registry) sendsPassword() bool {
	plain := func(u string) bool { return strings.HasPrefix(u, "http://") }
	for _, u := range s.SchemaRegistry {
		if plain(u) && s.SchemaRegistryUser+s.SchemaRegistryToken != "" {
			return true
		}
	}
	return false
}
