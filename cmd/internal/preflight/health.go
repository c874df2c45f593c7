package preflight

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

// maxHealth limits the bytes read of a response to --health.
const maxHealth = 4 << 10

func (s *Settings) health(ctx context.Context, out io.Writer) error {
	target, err := url.Parse(s.Health)
	if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" {
		return cli.Usagef("--health %q: want a URL, as http://127.0.0.1:8080", s.Health)
	}
	if target.Path == "" || target.Path == "/" {
		target.Path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return err
	}
	if s.HTTPTokenFile != "" {
		token, err := daemon.ReadSecret(s.HTTPTokenFile)
		if err != nil {
			return fmt.Errorf("http-token-file: %w", err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
	}
	began := time.Now()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // only read
	text, err := io.ReadAll(io.LimitReader(res.Body, maxHealth))
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", target, res.Status, strings.TrimSpace(string(text)))
	}
	_, err = fmt.Fprintf(out, "ok    %s in %s\n", target, time.Since(began).Round(time.Millisecond))
	return err
}
