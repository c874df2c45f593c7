package preflight

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/remote"
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
	began := time.Now()
	if _, err := remote.Request(ctx, http.MethodGet, target.String(), s.HTTPTokenFile, maxHealth); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "ok    %s in %s\n", target, time.Since(began).Round(time.Millisecond))
	return err
}
