// Package remote asks a running daemon over HTTP, for commands that show or change something of it.
package remote

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
)

// Settings say which daemon is asked. Tags: github.com/alecthomas/kong, as in daemon.Settings.
type Settings struct {
	HTTP          string        `name:"http" default:"127.0.0.1:8080" placeholder:"HOST:PORT|URL"`
	HTTPTokenFile string        `name:"http-token-file" placeholder:"FILE"`
	Timeout       time.Duration `cmdline:"" default:"10s" placeholder:"DURATION"`
}

// FlagHelp implements cli.Documented.
func (Settings) FlagHelp() cli.Help {
	return `
http: Where the daemon listens, as run has it; with a model for each partition with the number of one:
	http://127.0.0.1:8080/0 (default: ${default}).
http-token-file: A file with the token of the daemon, one line.
timeout: How long the answer may take (default: ${default}).
`
}

// maxAnswer bounds the bytes of an answer.
const maxAnswer = 64 << 20

// Do sends a request without a body and returns what is answered. An answer other than 200 is an error that has its
// text.
func (s *Settings) Do(ctx context.Context, method, path string) ([]byte, error) {
	base, err := s.url()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, base+path, nil)
	if err != nil {
		return nil, err
	}
	if s.HTTPTokenFile != "" {
		token, err := daemon.ReadSecret(s.HTTPTokenFile)
		if err != nil {
			return nil, fmt.Errorf("http-token-file: %w", err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("no daemon answers: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // only read
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s%s: %s: %s", base, path, res.Status, strings.TrimSpace(string(text)))
	}
	return text, nil
}

// url is where the daemon is, without a slash at the end.
func (s *Settings) url() (string, error) {
	text := s.HTTP
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || s.HTTP == "off" {
		return "", cli.Usagef("http: %q: want the address of a daemon, as 127.0.0.1:8080 or http://127.0.0.1:8080/0",
			s.HTTP)
	}
	if s.Timeout <= 0 {
		return "", cli.Usagef("timeout: %s: want a duration over 0, as 10s", s.Timeout)
	}
	return strings.TrimSuffix(u.String(), "/"), nil
}
