package speed

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rosenblatt/cmd/internal/generate"
)

// predictFor is how long requests are made; those of the first quarter do not count.
const predictFor = 4 * time.Second

// asker asks for the predictions of some events, and returns when it has all of them. One goroutine uses it.
type asker interface{ ask(events int) error }

// BenchmarkPredict: how many requests for predictions a second are served, and how long one takes, by how many
// clients ask at once, each on a connection of its own, and how many events a request has. The daemon has learned
// 20,000 events of 30 features, and is idle but for the requests. Beside it Vowpal Wabbit's daemon on one connection,
// where ROSENBLATT_SPEED_VW is a Python with the package vowpalwabbit. Client and server share the processors.
func BenchmarkPredict(b *testing.B) {
	w, program := open(b), daemon(b)
	input := w.topic("events")
	w.fill(input, 20_000)
	addr := freeAddr(b)
	p := begin(b, w.run(program, input, w.topic("predictions"), "--http", addr))
	awaitReady(b, p, "http://"+addr)
	for _, clients := range []int{1, 8, 64} {
		for _, events := range []int{1, 100} {
			b.Run(fmt.Sprintf("rosenblatt/clients-%d/events-%d", clients, events), func(b *testing.B) {
				measurePredict(b, p, clients, events, func() asker { return newHTTPAsker(addr) })
			})
		}
	}
	python := os.Getenv("ROSENBLATT_SPEED_VW")
	if python == "" {
		return
	}
	addr = freeAddr(b)
	begin(b, exec.Command(python, "vw_daemon.py", addr[strings.LastIndexByte(addr, ':')+1:]))
	for _, events := range []int{1, 100} {
		b.Run(fmt.Sprintf("vw/clients-1/events-%d", events), func(b *testing.B) {
			measurePredict(b, nil, 1, events, func() asker { return newVWAsker(b, addr) })
		})
	}
}

// freeAddr is an address that nobody listens at.
func freeAddr(b *testing.B) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = l.Close() }() // nothing was written
	return l.Addr().String()
}

// awaitReady waits until the daemon has learned all events.
func awaitReady(b *testing.B, p *process, url string) {
	b.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		p.alive(b)
		response, err := http.Get(url + "/status")
		if err != nil {
			continue
		}
		text, err := io.ReadAll(response.Body)
		if err == nil && bytes.Contains(text, []byte(`"seq":20000,`)) {
			return
		}
		_ = response.Body.Close()
	}
	b.Fatal("it has not learned the events within a minute")
}

// measurePredict has clients ask for a while. Nil is a process whose processor time is not known: it forks.
func measurePredict(b *testing.B, p *process, clients, events int, connect func() asker) {
	var all []time.Duration
	var spent, measured time.Duration
	for range b.N {
		var mu sync.Mutex
		var group sync.WaitGroup
		begun := time.Now()
		from := begun.Add(predictFor / 4)
		spent -= p.spentBy(b)
		for range clients {
			group.Go(func() {
				a := connect()
				var took []time.Duration
				for at := time.Now(); at.Sub(begun) < predictFor; at = time.Now() {
					if err := a.ask(events); err != nil {
						b.Error(err)
						return
					}
					if at.After(from) {
						took = append(took, time.Since(at))
					}
				}
				mu.Lock()
				all = append(all, took...)
				mu.Unlock()
			})
		}
		group.Wait()
		spent, measured = spent+p.spentBy(b), measured+predictFor-predictFor/4
	}
	if b.Failed() || len(all) == 0 {
		b.Fatal("no request was served")
	}
	slices.Sort(all)
	rate := float64(len(all)) / measured.Seconds()
	b.ReportMetric(rate, "requests/s")
	b.ReportMetric(rate*float64(events), "events/s")
	b.ReportMetric(milliseconds(all[len(all)/2]), "p50-ms")
	b.ReportMetric(milliseconds(all[len(all)*99/100]), "p99-ms")
	if p != nil {
		answered := rate * predictFor.Seconds() * float64(b.N*events)
		b.ReportMetric(spent.Seconds()*1e6/answered, "CPU-s/M")
	}
	b.ReportMetric(0, "ns/op")
}

// spentBy is spent of a process that is known.
func (p *process) spentBy(b *testing.B) time.Duration {
	if p == nil {
		return 0
	}
	return p.spent(b)
}

// httpAsker is a client of /predict.
type httpAsker struct {
	client *http.Client
	url    string
	g      *generate.Hyperplane
	body   []byte
}

func newHTTPAsker(addr string) *httpAsker {
	g := generate.New(2)
	g.Features = 30
	return &httpAsker{client: &http.Client{Transport: &http.Transport{}}, url: "http://" + addr + "/predict", g: g}
}

func (a *httpAsker) ask(events int) error {
	a.body = a.body[:0]
	for range events {
		a.body = append(a.g.AppendJSON(a.body), '\n')
	}
	url := a.url
	if events > 1 {
		url += "?lines=1"
	}
	response, err := a.client.Post(url, "application/json", bytes.NewReader(a.body))
	if err != nil {
		return err
	}
	text, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // it was read
	if n := bytes.Count(text, []byte(`"prediction":`)); err == nil && n != events {
		err = fmt.Errorf("%s: %d predictions of %d: %s", response.Status, n, events, text[:min(len(text), 200)])
	}
	return err
}

// vwAsker is a client of Vowpal Wabbit's daemon: a line for each event, and a line for each prediction.
type vwAsker struct {
	conn net.Conn
	in   *bufio.Reader
	g    *generate.Hyperplane
	text []byte
}

func newVWAsker(b *testing.B, addr string) *vwAsker {
	g := generate.New(2)
	g.Features = 30
	a := &vwAsker{g: g}
	for end := time.Now().Add(time.Minute); a.conn == nil; time.Sleep(50 * time.Millisecond) {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			a.conn, a.in = conn, bufio.NewReader(conn)
		} else if time.Now().After(end) {
			b.Error(err)
			break
		}
	}
	return a
}

func (a *vwAsker) ask(events int) error {
	a.text = a.text[:0]
	for range events {
		a.text = append(a.text, '|')
		for i, v := range a.g.Next().Features {
			a.text = fmt.Appendf(a.text, " f%d:%.4f", i, v)
		}
		a.text = append(a.text, '\n')
	}
	if _, err := a.conn.Write(a.text); err != nil {
		return err
	}
	for range events {
		if _, err := a.in.ReadSlice('\n'); err != nil {
			return err
		}
	}
	return nil
}
