// Package remote asks a running daemon over HTTP, for commands that show or change something of it.
package remote

import (
	"context"
	"encoding/json"
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
timeout: How long the response may take; promote waits 10s longer (default: ${default}).
`
}

// maxResponse bounds the bytes of a response.
const maxResponse = 64 << 20

// Do sends a request without a body and returns the response. One other than 2xx is an error that has its text.
func (s *Settings) Do(ctx context.Context, method, path string) ([]byte, error) {
	base, err := s.url()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	return Request(ctx, method, base+path, s.HTTPTokenFile, maxResponse)
}

// Request sends a request without a body, with the token of a file if one is given, and returns the first bytes of the
// response, so many at most. A response other than 2xx is an error that has its text.
func Request(ctx context.Context, method, target, tokenFile string, most int64) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, target, nil)
	if err != nil {
		return nil, err
	}
	if tokenFile != "" {
		token, err := daemon.ReadSecret(tokenFile)
		if err != nil {
			return nil, fmt.Errorf("http-token-file: %w", err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("no daemon responds: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // only read
	text, err := io.ReadAll(io.LimitReader(res.Body, most))
	if err != nil {
		return nil, err
	}
	if res.StatusCode/100 != 2 {
		return nil, fmt.Errorf("%s: %s: %s", target, res.Status, refusal(text))
	}
	return text, nil
}

// refusal is what a response says of what went wrong.
func refusal(text []byte) string {
	var body struct {
		Error string `json:"error"`
	}
	if err := json.Unmarshal(text, &body); err == nil && body.Error != "" {
		return body.Error
	}
	return strings.TrimSpace(string(text))
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
