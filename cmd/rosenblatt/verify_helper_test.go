package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"

	"rosenblatt/cmd/internal/audit"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/event"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

var errKilled = errors.New("killed by the test")

// mortal is a journal that dies after so many batches, the last of which stands in the topic.
type mortal struct {
	topics.Journal
	left int
}

func (m *mortal) Append(ctx context.Context, batches []topics.Batch) error {
	err := m.Journal.Append(ctx, batches)
	if m.left--; err == nil && m.left < 0 {
		return errKilled
	}
	return err
}

// history is a model with some crashes behind it: four partitions, of which the second half was predicted after mid was
// saved.
type history struct {
	*streamtest.Setup
	mid         string // a checkpoint from halfway
	midSeq      int64
	outcome     *streamtest.Outcome // by the tests' own audit
	predictions [][]topics.Record
	deadLetters []topics.Record
	copies      int
}

const (
	slicesPerHalf = 3 // of each half, between which the partitions take turns
	perSlice      = 40
	perPartition  = slicesPerHalf * perSlice // events of each half
)

func newHistory(t *testing.T, classes bool) *history {
	t.Helper()
	h := &history{Setup: streamtest.New(t, streamtest.Start(t), 4)}
	if classes {
		f := &h.Config.ModelConfig
		f.Decode.Task, f.Multiclass, f.Scores, f.MaxClasses = event.Multiclass, learner.OVA, true, 3
	}
	h.Config.BatchRecords, h.Config.CheckpointInterval, h.Config.CheckpointEvery = 16, time.Millisecond, 50
	crashes := 0
	for slice := range 2 * slicesPerHalf {
		for p := range 4 {
			h.Cluster.Produce(t, h.Name, p, verifyEvents(uint64(slice*4+p), classes)...)
		}
		crashes += h.crash(t)
		if slice == slicesPerHalf-1 {
			h.keepMid(t)
		}
	}
	if crashes < 6 {
		t.Errorf("only %d crashes", crashes)
	}
	h.Adjust = nil
	h.outcome = h.Audit(t)
	c := h.Client(t)
	top, err := c.Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for p, b := range top.Output.Partitions {
		h.predictions = append(h.predictions, streamtest.Read(t, c, topics.Output, int32(p), b))
	}
	h.deadLetters = streamtest.Read(t, c, topics.DeadLetters, 0, top.DeadLetters.Partitions[0])
	return h
}

// crash runs the task until one run comes through, and counts those that did not.
func (h *history) crash(t *testing.T) (crashes int) {
	t.Helper()
	for left := 0; ; left += 4 {
		h.Adjust = func(task *stream.Task) { task.Journal = &mortal{task.Journal, left} }
		_, err := h.Run(t)
		if err == nil {
			return crashes
		}
		if !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		crashes++
	}
}

func verifyEvents(seed uint64, classes bool) (out []string) {
	r := rand.New(rand.NewPCG(seed, 11))
	for i := range perSlice {
		x, y := r.NormFloat64(), r.NormFloat64()
		label := []string{"-1", "1"}[r.IntN(2)]
		if classes {
			label = []string{`"ham"`, `7`, `"7"`}[min(2, r.IntN(3))]
		}
		switch i % 28 {
		case 5:
			label = "null"
		case 11:
			out = append(out, "no json")
			continue
		case 19:
			label = `"neither"`
		}
		out = append(out, fmt.Sprintf(`{"id":"e%d-%d","label":%s,"features":{"x":%g,"y":%g}}`, seed, i, label, x, y))
	}
	return out
}

// keepMid copies the newest checkpoint out of the folder.
func (h *history) keepMid(t *testing.T) {
	t.Helper()
	folder := filepath.Join(h.Dir, h.Name)
	h.midSeq, _ = newestSeq(t, h.Setup)
	name := fmt.Sprintf("checkpoint-%d", h.midSeq)
	h.mid = filepath.Join(t.TempDir(), name)
	exportCheckpoint(t, filepath.Join(folder, name), h.mid)
}

// verify calls the command; more flags win.
func (h *history) verify(t *testing.T, more ...string) (audit.Report, outcome) {
	t.Helper()
	return verifyJSON(t, append([]string{"--brokers", strings.Join(h.Cluster.Brokers, ","), "--input", h.Name},
		more...)...)
}

func verifyJSON(t *testing.T, args ...string) (audit.Report, outcome) {
	t.Helper()
	got := call(t, "", append([]string{"verify", "--json"}, args...)...)
	var v audit.Report
	if got.code != cli.ExitUsage {
		if err := json.Unmarshal([]byte(got.stdout), &v); err != nil {
			t.Fatalf("%v in %s; %s", err, got.stdout, got.stderr)
		}
	}
	if v.Result == nil {
		v.Result = &verify.Result{}
	}
	return v, got
}

// soundExit is the exit code of an audit that finds nothing wrong: whether it is of all predictions.
func soundExit(v audit.Report) int {
	if v.After > 0 || len(v.NotAudited) > 0 {
		return cli.ExitPartial
	}
	return cli.ExitDone
}

// from are the two ways to begin.
func (h *history) from() map[string][]string {
	return map[string][]string{
		"nothing":    {"--state", h.Dir},
		"checkpoint": {"--from-checkpoint", h.mid, "--state", h.Dir},
	}
}

func (h *history) copyNames() (out, dead string) {
	h.copies++
	return fmt.Sprintf("%s.copy%d", h.Name, h.copies), fmt.Sprintf("%s.dlq%d", h.Name, h.copies)
}

// damaged writes copies of the topics and returns the flags that name them.
func (h *history) damaged(t *testing.T, out, dead string, predictions [][]topics.Record,
	deadLetters []topics.Record) []string {
	t.Helper()
	h.Cluster.Topic(t, out, 4)
	h.Cluster.Topic(t, dead, 1)
	for p := range predictions {
		h.send(t, out, p, predictions[p])
	}
	h.send(t, dead, 0, deadLetters)
	return []string{"--output", out, "--dead-letter", dead}
}

// send writes records to a topic as they are: dead letters keep the name of the output that they belong to.
func (h *history) send(t *testing.T, topic string, partition int, records []topics.Record) {
	t.Helper()
	var out []kafkago.Record
	for i := range records {
		r := kafkago.Record{Key: kafkago.NewBytes(records[i].Key), Value: kafkago.NewBytes(records[i].Value)}
		headers, err := recordbatch.ParseHeaders(records[i].Headers)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range headers {
			r.Headers = append(r.Headers, kafkago.Header{Key: string(x.Key), Value: x.Value})
		}
		out = append(out, r)
	}
	if len(out) > 0 {
		h.Cluster.ProduceRecords(t, topic, partition, out...)
	}
}

// clean is what an audit of this history must say.
func (h *history) clean(t *testing.T, flags ...string) {
	t.Helper()
	v, got := h.verify(t, flags...)
	want := int64(len(h.outcome.Predictions)) - v.After
	if got.code != soundExit(v) || !v.OK || v.Predictions != want || v.Seq != int64(len(h.outcome.Predictions)) ||
		v.Pending != 0 || len(v.Findings) != 0 {
		t.Errorf("%v: exit %d, want %d predictions and nothing found: %s", flags, got.code, want, got.stdout)
	}
	if v.After == 0 && (v.DeadLetters+v.Predictions != 2*4*perPartition || v.Offsets != 2*4*perPartition) {
		t.Errorf("%v: %d dead letters and %d predictions of %d", flags, v.DeadLetters, v.Predictions, v.Offsets)
	}
}

// rawHeaders encodes headers as a record has them.
func rawHeaders(headers []recordbatch.Header) []byte {
	var b []byte
	varint := func(n int) {
		for u := uint64(n) << 1; ; u >>= 7 {
			if u < 0x80 {
				b = append(b, byte(u))
				return
			}
			b = append(b, byte(u)|0x80)
		}
	}
	varint(len(headers))
	for _, h := range headers {
		varint(len(h.Key))
		b = append(b, h.Key...)
		varint(len(h.Value))
		b = append(b, h.Value...)
	}
	return b
}
