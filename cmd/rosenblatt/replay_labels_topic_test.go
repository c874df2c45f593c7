package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// TestReplayLabelsTopic: events over four partitions and labels over three give what files of both give, joined by ids
// in the values or by the records' keys.
func TestReplayLabelsTopic(t *testing.T) {
	t.Parallel()
	k := broker(t)
	cluster := streamtest.Connect(t, k)
	for _, join := range []string{"id", "key"} {
		t.Run(join, func(t *testing.T) {
			w := lateWorld{t: t, cluster: cluster, r: rand.New(rand.NewPCG(3, 3)), keyed: join == "key"}
			w.topics = [2]string{"events-" + join, "labels-" + join}
			w.produce()
			w.compare([]string{"--brokers", k, "--topic", w.topics[0], "--labels", w.topics[1], "--join", join})
		})
	}
	call(t, "", "replay", "--brokers", k, "--topic", "events-id", "--labels", "labels-id", "--time-field", "t").want(t,
		cli.ExitUsage, "", "records of a topic have timestamps")
}

// lateWorld is events and labels, in topics and in files.
type lateWorld struct {
	t       *testing.T
	cluster *streamtest.Cluster
	r       *rand.Rand
	keyed   bool
	topics  [2]string
	text    [2]strings.Builder
}

type lateLabel struct {
	id    string
	label int
	at    int64
}

// send produces a record to any partition, and writes its line. Keyed, the record of a label is the label alone.
func (w *lateWorld) send(kind, partitions int, id, fields, alone string, at int64) {
	r := kafka.Record{Time: time.UnixMilli(at), Value: kafka.NewBytes(fmt.Appendf(nil, `{"id":%q,%s}`, id, fields))}
	if w.keyed {
		r.Key, r.Value = kafka.NewBytes([]byte(id)), kafka.NewBytes([]byte(alone))
	}
	w.cluster.ProduceRecords(w.t, w.topics[kind], w.r.IntN(partitions), r)
	fmt.Fprintf(&w.text[kind], "{\"t\":%d,\"id\":%q,%s}\n", at, id, fields)
}

func (w *lateWorld) produce() {
	w.cluster.Topic(w.t, w.topics[0], 4)
	w.cluster.Topic(w.t, w.topics[1], 3)
	var labels []lateLabel
	began := time.Now().UnixMilli() - 10_000_000
	for i := range 400 {
		id, at, x := fmt.Sprintf("e%d", i), began+int64(i)*1000, w.r.NormFloat64()
		fields := fmt.Sprintf(`"x":%g,"y":%g`, x, w.r.NormFloat64())
		w.send(0, 4, id, fields, "{"+fields+"}", at)
		if i%20 > 0 {
			label := map[bool]int{true: 1, false: -1}[x+w.r.NormFloat64() > 0]
			later := 1000*(w.r.Int64N(100)-2) + int64(i) // no two labels at the same time
			labels = append(labels, lateLabel{id, label, at + later})
		}
	}
	slices.SortFunc(labels, func(a, b lateLabel) int { return cmp.Compare(a.at, b.at) })
	for _, l := range labels {
		w.send(1, 3, l.id, fmt.Sprintf(`"label":%d`, l.label), strconv.Itoa(l.label), l.at)
	}
}

func (w *lateWorld) compare(topics []string) {
	t, dir := w.t, w.t.TempDir()
	files := [2]string{filepath.Join(dir, "e.jsonl"), filepath.Join(dir, "l.jsonl")}
	for i, path := range files {
		if err := os.WriteFile(path, []byte(w.text[i].String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	common := []string{"--learner", "perceptron pa1:C=1", "--label-slack", "3s"}
	fromFiles, want := replayLater(t, append(common, files[0], "--labels", files[1], "--time-field", "t")...)
	fromTopics, got := replayLater(t, append(common, topics...)...)
	for i := range want.Learners {
		if got.Learners[i] != want.Learners[i] {
			t.Errorf("topics give %+v, files %+v", got.Learners[i], want.Learners[i])
		}
	}
	if !reflect.DeepEqual(fromTopics, fromFiles) || fromTopics.Labels.Outcomes["labelled"] != 380 ||
		fromTopics.Labels.Waiting != 20 {
		t.Errorf("topics give %+v, files %+v", fromTopics, fromFiles)
	}
}
