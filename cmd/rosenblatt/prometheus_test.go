package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// scraper is Prometheus itself, with the project's configuration and rules, but a target of the test's, every second,
// and with other texts replaced in pairs.
type scraper struct {
	*process
	url string
}

func scrape(t *testing.T, prometheus, target string, replaced ...string) *scraper {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"prometheus.yml", "rules.yml"} {
		text, err := os.ReadFile(filepath.Join(monitoring, name))
		if err != nil {
			t.Fatal(err)
		}
		changes := append([]string{"rosenblatt:8080", target, "interval: 10s", "interval: 1s"}, replaced...)
		text = []byte(strings.NewReplacer(changes...).Replace(string(text)))
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	address := freePort(t)
	return &scraper{url: "http://" + address,
		process: launch(t, prometheus, "--config.file="+filepath.Join(dir, "prometheus.yml"),
			"--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address)}
}

// ask evaluates an expression: one value a series. There is none as long as Prometheus does not respond.
func (s *scraper) ask(t *testing.T, expr string) (found []float64) {
	t.Helper()
	s.alive(t)
	client := http.Client{Timeout: time.Minute}
	res, err := client.Get(s.url + "/api/v1/query?query=" + url.QueryEscape(expr))
	if err != nil || res.StatusCode == http.StatusServiceUnavailable {
		return nil // not listening yet, or starting
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	var body struct {
		Error string
		Data  struct{ Result []struct{ Value [2]any } }
	}
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %s, %v", expr, res.Status, body.Error, err)
	}
	for _, r := range body.Data.Result {
		v, err := strconv.ParseFloat(r.Value[1].(string), 64)
		if err != nil {
			t.Fatalf("%s: %v", expr, err)
		}
		found = append(found, v)
	}
	return found
}

// recovered runs a daemon with two partitions that has learned 500 predictions again, and returns it with its address.
func recovered(t *testing.T, program, k string) (p *process, address string) {
	t.Helper()
	call(t, "", "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane", "--count", "500").want(t,
		cli.ExitDone, "500 events", "")
	state := t.TempDir()
	address = freePort(t)
	for range 2 {
		p = launch(t, program, "run", "--brokers", k, "--input", "events", "--state", state, "--create-topics",
			"--bits", "8",
			"--learner", "logistic", "--http", address, "--checkpoint-interval", "1s")
		p.await(t, "it has predicted", func(s daemonStatus) bool { return s.Read >= 500 })
		if s := p.status(t); s.Epoch == 1 {
			p.tail() // it ends
			if err := os.Remove(filepath.Join(state, "events", "checkpoint-500")); err != nil &&
				!errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
	return p, address
}

// TestPrometheusScrapes a daemon at work: every query of the dashboard has a result, in the unit that it says, and the
// alerts see what happens.
func TestPrometheusScrapes(t *testing.T) {
	t.Parallel()
	wholeProgram(t)
	prometheus, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("there is no Prometheus here")
	}
	program, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	k := broker(t, kfake.SeedTopics(2, "events"))
	daemon, address := recovered(t, program, k)
	launch(t, program, "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane", "--rate", "100")
	s := scrape(t, prometheus, address)
	streamtest.Await(t, "the first scrape",
		func() bool { return slices.Equal(s.ask(t, "rosenblatt_ready"), []float64{1}) })
	call(t, strings.Repeat("broken\n", 200), "produce", "-", "--format", "json", "--brokers", k, "--topic",
		"events").want(t, cli.ExitDone, "200 events", "")
	panels, _ := dashboard(t)
	for _, p := range panels {
		for _, target := range p.Targets {
			expr := asGrafana(target.Expr)
			if ofLabels(expr) {
				continue
			}
			var found []float64
			streamtest.Await(t, "data for "+p.Title+": "+expr, func() bool {
				found = s.ask(t, expr)
				return len(found) > 0 && !slices.ContainsFunc(found, math.IsNaN)
			})
			for _, v := range found {
				if low, high := plausible(p.FieldConfig.Defaults.Unit); v < low || v > high {
					t.Errorf("%s: %s is %v, which is no %s", p.Title, expr, v, p.FieldConfig.Defaults.Unit)
				}
			}
		}
	}
	pending := func(alert string) func() bool {
		return func() bool { return len(s.ask(t, `ALERTS{alertname="`+alert+`",alertstate="pending"}`)) == 1 }
	}
	streamtest.Await(t, "rejects are noticed", pending("RosenblattRejectsRise"))
	if all := s.ask(t, "ALERTS"); len(all) != 1 {
		t.Errorf("%d alerts of a daemon that is well but for rejects", len(all))
	}
	daemon.tail() // it ends
	streamtest.Await(t, "the end is noticed", pending("RosenblattDown"))
}

// ofLabels reports whether an expression is about labels that come later: a daemon without them has no such metrics.
func ofLabels(expr string) bool {
	return strings.Contains(expr, "rosenblatt_labels_") || strings.Contains(expr, "rosenblatt_outcomes_")
}

// plausible are the values that can be for a panel's unit. The lead over guessing may be below 0.
func plausible(unit string) (low, high float64) {
	switch unit {
	case "percentunit":
		return -1, 1
	case "s":
		return 0, 100
	default:
		return 0, 100_000
	}
}

// asGrafana fills an expression in as Grafana does.
func asGrafana(expr string) string {
	return strings.NewReplacer("$job", "rosenblatt", "$instance", ".*", "$__rate_interval", "1m").Replace(expr)
}
