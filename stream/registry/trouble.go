package registry

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/schema"
)

// NoAnswer says why a registry gave no answer.
type NoAnswer struct {
	URL string
	Err error
}

// Error implements error.
func (e *NoAnswer) Error() string {
	err := e.Err
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the address once more
	}
	return e.URL + ": " + err.Error()
}

// Unwrap gives the cause.
func (e *NoAnswer) Unwrap() error { return e.Err }

// strange is an answer that does not count.
type strange struct {
	text   string
	status int
	code   int // of the registry; 0 without one
}

// Error implements error.
func (s *strange) Error() string {
	text := fmt.Sprintf("status %d %s", s.status, http.StatusText(s.status))
	if s.code != 0 {
		text += fmt.Sprintf(", code %d", s.code)
	}
	if s.text != "" {
		text += ": " + s.text
	}
	return text
}

// Advice is that of a NoAnswer or a NoSuch; of another error it is empty.
func Advice(err error) string {
	if no, ok := errors.AsType[*NoAnswer](err); ok {
		return no.Advice()
	}
	if no, ok := errors.AsType[*NoSuch](err); ok {
		return no.Advice()
	}
	return ""
}

// Advice is what most likely mends a registry that gives no answer.
func (e *NoAnswer) Advice() string {
	if s, ok := errors.AsType[*strange](e.Err); ok {
		switch {
		case s.status == http.StatusUnauthorized:
			return "--schema-registry-user with a password, or --schema-registry-token-file, logs in"
		case s.status == http.StatusForbidden:
			return "give this user the right to read schemas"
		case s.status == http.StatusTooManyRequests || s.status >= http.StatusInternalServerError:
			return "look at the registry's log"
		}
		return "this is no registry: is the path right?"
	}
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verification *tls.CertificateVerificationError
	switch {
	case errors.As(e.Err, &unknown), errors.As(e.Err, &host), errors.As(e.Err, &invalid),
		errors.As(e.Err, &verification):
		return "--schema-registry-ca names the authority of its certificate, which has to be for this host"
	case strings.Contains(e.Err.Error(), "server gave HTTP response to HTTPS client"):
		return "it speaks no TLS: begin the address with http://"
	case errors.As(e.Err, new(*tls.AlertError)):
		return "--schema-registry-cert and --schema-registry-key name the certificate that it wants"
	case errors.As(e.Err, new(*net.DNSError)):
		return "is the host's name right?"
	case errors.Is(e.Err, context.DeadlineExceeded) || isTimeout(e.Err):
		return "is it reachable from here? --schema-registry-timeout gives it more time"
	}
	return "is it running, and the address right?"
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// Trouble is a registry that gives no answer about an id.
type Trouble struct {
	Since time.Time
	ID    schema.ID
	Err   error
}

// logged is how often trouble is logged.
const logged = time.Minute

// trouble notes it, and logs it at once and every minute.
type trouble struct {
	logger zerolog.Logger
	mu     sync.Mutex
	ids    map[schema.ID]Trouble
	began  time.Time
	told   time.Time
}

func (t *trouble) failed(id schema.ID, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.ids) == 0 {
		t.ids, t.began, t.told = map[schema.ID]Trouble{}, time.Now(), time.Time{}
	}
	since := time.Now()
	if before, ok := t.ids[id]; ok {
		since = before.Since
	}
	t.ids[id] = Trouble{Since: since, ID: id, Err: err}
	if time.Since(t.told) < logged {
		return
	}
	t.told = time.Now()
	t.logger.Warn().Err(err).Stringer("schema", id).Str("do", Advice(err)).
		Msg("the schema registry gives no answer: what needs this schema waits")
}

// ended follows what failed when there is a response about the id, or else nobody waits for it.
func (t *trouble) ended(id schema.ID, responded bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.ids[id]; !ok {
		return
	}
	//mutation:registry-responds-again
	if delete(t.ids, id); len(t.ids) == 0 && responded {
		t.logger.Info().Str("after", time.Since(t.began).Round(time.Millisecond).String()).
			Msg("the schema registry responds again")
	}
}

// oldest is the one that began first.
func (t *trouble) oldest() *Trouble {
	t.mu.Lock()
	defer t.mu.Unlock()
	var first *Trouble
	for _, one := range t.ids {
		if first == nil || one.Since.Before(first.Since) {
			first = &one
		}
	}
	return first
}
