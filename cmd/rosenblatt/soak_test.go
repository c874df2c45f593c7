package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rosenblatt/cmd/internal/generate"
	"rosenblatt/stream/streamtest"
)

// envSoak is how long TestSoak lasts, as 10m; without it, a few seconds.
const envSoak = "ROSENBLATT_TEST_SOAK"

// gauges are what a process reports.
var gauges = []string{"go_goroutines", "process_open_fds", "process_resident_memory_bytes", "process_max_fds"}

// gauge reads /metrics.
func (p *process) gauges(t *testing.T) map[string]float64 {
	t.Helper()
	body, _ := p.page(t, "metrics")
	out := map[string]float64{}
	for lines := bufio.NewScanner(bytes.NewReader(body)); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		if slices.Contains(gauges, name) {
			out[name], _ = strconv.ParseFloat(value, 64) // 0 is found out below
		}
	}
	return out
}

// mean of one gauge over some samples.
func mean(samples []map[string]float64, name string) (sum float64) {
	for _, s := range samples {
		sum += s[name] / float64(len(samples))
	}
	return sum
}

// TestSoak (row 53): a daemon under a steady load, saving all the time, asked by HTTP all the time, by clients that
// leave as they like. What it holds at the end is what it held early on: descriptors, goroutines, memory.
func TestSoak(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	lasts := 8 * time.Second
	if text := os.Getenv(envSoak); text != "" {
		var err error
		if lasts, err = time.ParseDuration(text); err != nil {
			t.Fatalf("%s: %v", envSoak, err)
		}
	}
	s := streamtest.New(t, streamtest.Start(t), 2)
	p := start(t, s, s.Dir)
	g := generate.New(1)
	var samples []map[string]float64
	sent := 0
	for began := time.Now(); time.Since(began) < lasts; sent++ {
		values := make([]string, 50)
		for i := range values {
			values[i] = string(g.AppendJSON(nil))
		}
		values[7] = values[7][:9]
		s.Cluster.Produce(t, s.Name, sent%2, values...)
		p.visit(t, values[0])
		if sent%200 == 199 { // what was predicted is not needed any more: neither by us nor in a broker's memory
			at := p.status(t).Partitions
			for i := range at {
				s.Cluster.DeleteRecords(t, s.Name, int32(i), at[i].Position)
			}
		}
		samples = append(samples, p.gauges(t))
	}
	p.caughtUp(t, int64(sent*50))
	early, late := samples[len(samples)/4:len(samples)/2], samples[3*len(samples)/4:]
	for name, more := range map[string]float64{"go_goroutines": 4, "process_open_fds": 3,
		"process_resident_memory_bytes": 8 << 20} {
		was, is := mean(early, name), mean(late, name)
		t.Logf("%s: %.1f early, %.1f late, over %s and %d events", name, was, is, lasts, sent*50)
		if was == 0 || is > was+more {
			t.Errorf("%s: %.1f early, %.1f late: want at most %.0f more", name, was, is, more)
		}
	}
	p.term(t)
}

// visit asks for a prediction, and leaves another request without waiting for its response.
func (p *process) visit(t *testing.T, event string) {
	t.Helper()
	at := listens.FindStringSubmatch(p.log.String())
	if at == nil {
		return // it does not listen yet
	}
	res, err := http.Post(at[1]+"predict?explain=3", "application/json", strings.NewReader(event))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	short := http.Client{Timeout: time.Millisecond, Transport: &http.Transport{DisableKeepAlives: true}}
	if res, err := short.Get(at[1] + fmt.Sprintf("status?%d", len(event))); err == nil {
		res.Body.Close()
	}
}
