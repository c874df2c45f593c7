package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/generate"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// supply appends n generated events to each input partition, one in fifty of them cut in half. It goes on until brokers
// that are away are back; what it has sent is there once.
func supply(t *testing.T, s *streamtest.Setup, n int, seed uint64, opts ...kgo.Opt) {
	t.Helper()
	cl, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(s.Cluster.Brokers...),
		kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerBatchMaxBytes(100_000),
		kgo.RequiredAcks(kgo.AllISRAcks()), kgo.MetadataMinAge(100 * time.Millisecond)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	g := generate.New(seed)
	top, err := s.Client(t).Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var records []*kgo.Record
	for p := range top.Input.Partitions {
		for i := range n {
			value := g.AppendJSON(nil)
			if i%50 == 17 {
				value = value[:len(value)/2]
			}
			records = append(records, &kgo.Record{Topic: s.Name, Partition: int32(p), Key: fmt.Appendf(nil, "k%d", i),
				Value: value})
		}
	}
	if err := cl.ProduceSync(t.Context(), records...).FirstErr(); err != nil {
		t.Fatalf("supplying %s: %v", s.Name, err)
	}
}

// daemonStatus is the part of /status that these tests check.
type daemonStatus struct {
	State      string
	Seq        int64
	Epoch      int64
	Examples   int64
	Mistakes   int64
	Updates    int64
	Read       int64
	Rejected   map[string]int64
	Lag        int64
	Ready      bool
	Reasons    []string
	Partitions []struct{ Position, End, Lag int64 }
	Checkpoint struct {
		Seq    int64
		Age    *float64 `json:"age_s"`
		Saved  int64
		Failed int64
		Error  string
	}
	Trouble   *struct{ Text string }
	Throttles []struct {
		Request string
		Total   float64 `json:"total_s"`
	}
}

var listens = regexp.MustCompile(`"http":"(http://[^"]+/)"`)

// page requests a page of the running daemon of its HTTP server.
func (p *process) page(t *testing.T, name string) (body []byte, code int) {
	t.Helper()
	var at []string
	streamtest.Await(t, "the daemon listens", func() bool {
		p.alive(t)
		at = listens.FindStringSubmatch(p.log.String())
		return at != nil
	})
	client := http.Client{Timeout: time.Minute}
	res, err := client.Get(at[1] + name)
	if err != nil {
		t.Fatalf("%v:\n%s", err, p.tail())
	}
	defer res.Body.Close()
	body, err = io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return body, res.StatusCode
}

// status reads /status.
func (p *process) status(t *testing.T) (s daemonStatus) {
	t.Helper()
	body, _ := p.page(t, "status")
	if err := json.Unmarshal(body, &s); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return s
}

// alive fails the test when the daemon has ended.
func (p *process) alive(t *testing.T) {
	t.Helper()
	select {
	case <-p.done:
		t.Fatalf("ended by itself with %v:\n%s", p.ProcessState, p.tail())
	default:
	}
}

// await waits until the status is as wanted, two minutes at most: brokers are started meanwhile, on machines with other
// work.
func (p *process) await(t *testing.T, what string, cond func(daemonStatus) bool) (s daemonStatus) {
	t.Helper()
	for late := streamtest.Timeout(t, 2*time.Minute); ; time.Sleep(5 * time.Millisecond) {
		p.alive(t)
		if s = p.status(t); cond(s) {
			return s
		}
		if late.Err() != nil {
			t.Fatalf("waited for: %s; %+v\n%s", what, s, p.tail())
		}
	}
}

// caughtUp waits until nothing lies ahead of a daemon that has passed this many records.
func (p *process) caughtUp(t *testing.T, records int64) {
	t.Helper()
	p.await(t, fmt.Sprintf("%d records passed", records), func(s daemonStatus) bool {
		return s.State == board.Live &&
			s.Read >= records && s.Lag == 0
	})
}

// term sends SIGTERM, and the daemon exits with 0.
func (p *process) term(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := p.exit(t, 15*time.Second); code != 0 {
		t.Fatalf("SIGTERM: exit %d:\n%s", code, p.tail())
	}
}

// stopped waits for the daemon's end and checks that it failed with the named error, and the exit code that says
// whether to start it again, and says these words.
func (p *process) stopped(t *testing.T, name string, words ...string) {
	t.Helper()
	want := cli.ExitFailed
	if name != "" && !(&stops.Error{Name: name}).IsRetriable() {
		want = cli.ExitStopped
	}
	p.stoppedWith(t, want, name, words...)
}

func (p *process) stoppedWith(t *testing.T, want int, name string, words ...string) {
	t.Helper()
	code := p.exit(t, time.Minute)
	text := p.log.String()
	if name != "" {
		words = append(words, fmt.Sprintf(`"error":%q`, name), `"safe":`, `"do":`)
	}
	for _, w := range words {
		if code != want || !strings.Contains(text, w) {
			t.Fatalf("exit %d, want %d and %q:\n%s", code, want, w, p.tail())
		}
	}
}

// exact ends the daemon and audits everything: the topics, and the checkpoint it leaves against the model that the
// topics give.
func (p *process) exact(t *testing.T, s *streamtest.Setup) *streamtest.Outcome {
	t.Helper()
	p.term(t)
	return exact(t, s, s.Dir)
}

func exact(t *testing.T, s *streamtest.Setup, dir string) *streamtest.Outcome {
	t.Helper()
	o := s.Audit(t)
	store := &checkpoint.Store{Dir: filepath.Join(dir, s.Name)}
	file, _, err := store.Newest()
	if err != nil || file == nil {
		t.Fatalf("no checkpoint after the end: %v", err)
	}
	h, proc, err := model.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	var rejected int64
	for _, n := range h.Counts.Rejected {
		rejected += n
	}
	if predictions, deadLetters := int64(len(o.Predictions)), int64(len(o.DeadLetters)); h.Seq != predictions ||
		h.Counts.Predictions != predictions || rejected != deadLetters || h.Counts.Read != predictions+deadLetters {
		t.Errorf("%d predictions and %d dead letters; the checkpoint has seq %d, %d predictions, rejected %d, read %d",
			predictions, deadLetters, h.Seq, h.Counts.Predictions, rejected, h.Counts.Read)
	}
	if a, b := o.Proc.Score, proc.Score; a.Examples() != b.Examples() || a.Mistakes() != b.Mistakes() {
		t.Errorf("recomputed: %d examples, %d mistakes; the checkpoint: %d, %d", a.Examples(), a.Mistakes(),
			b.Examples(), b.Mistakes())
	}
	same(t, o.Proc, proc)
	return o
}

// same compares two models to the bit.
func same(t *testing.T, a, b *model.Processor) {
	t.Helper()
	if math.Float64bits(a.Binary().Bias()) != math.Float64bits(b.Binary().Bias()) {
		t.Errorf("bias %v recomputed, %v saved", a.Binary().Bias(), b.Binary().Bias())
	}
	bits := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
	saved := b.Binary().Columns()
	for i, c := range a.Binary().Columns() {
		if !slices.EqualFunc(c.Float64, saved[i].Float64, bits) || !slices.Equal(c.Uint16, saved[i].Uint16) {
			t.Errorf("column %s differs from what the topics give", c.Name)
		}
	}
}

// temps are the files that a save which failed has left.
func temps(t *testing.T, s *streamtest.Setup) (left []string) {
	t.Helper()
	all, err := os.ReadDir(filepath.Join(s.Dir, s.Name))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if strings.HasSuffix(e.Name(), ".tmp") {
			left = append(left, e.Name())
		}
	}
	return left
}
