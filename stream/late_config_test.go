package stream_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/checkpoint"
	"rosenblatt/stream"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// at makes records, a second apart.
func at(begin time.Time, values ...string) (out []kafka.Record) {
	for i, v := range values {
		out = append(out, kafka.Record{Time: begin.Add(time.Duration(i) * time.Second),
			Value: kafka.NewBytes([]byte(v))})
	}
	return out
}

// unlabelled are events e<from> to e<to-1>.
func unlabelled(from, to int) (out []string) {
	for i := from; i < to; i++ {
		out = append(out, fmt.Sprintf(`{"id":"e%d","features":{"x":%d,"y":%d}}`, i, i%7, i%3))
	}
	return out
}

func labelsOf(ids ...int) (out []string) {
	for _, i := range ids {
		out = append(out, fmt.Sprintf(`{"id":"e%d","label":%d}`, i, 1-2*(i%2)))
	}
	return out
}

func headerOf(t *testing.T, s *streamtest.Setup) (model.Header, *checkpoint.File) {
	t.Helper()
	f, _, err := (&checkpoint.Store{Dir: filepath.Join(s.Dir, s.Name)}).Newest()
	if err != nil {
		t.Fatal(err)
	}
	h, _, err := model.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return h, f
}

// kindsOf counts the outcomes in the journal.
func kindsOf(t *testing.T, s *streamtest.Setup) map[journal.Kind]int {
	t.Helper()
	entries, _ := entriesOf(t, s)
	kinds := map[journal.Kind]int{}
	for i := range entries {
		if entries[i].Seq != int64(i+1) {
			t.Fatalf("seq %d where %d is due", entries[i].Seq, i+1)
		}
		kinds[entries[i].Kind]++
	}
	return kinds
}

// TestLabelsGivenAndTakenAway: labels that a model is given later begin at their end, and what waits is evicted when
// they are taken away. Either is a difference of the configuration.
func TestLabelsGivenAndTakenAway(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 1, 1)
	late, config, topic := s.Config.ModelConfig.Late, s.Config.Labels, s.Kafka.Labels
	begin := time.Now().Add(-time.Hour)
	s.Config.ModelConfig.Late, s.Config.Labels, s.Kafka.Labels = nil, nil, ""
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 10)...)...)
	s.Cluster.ProduceRecords(t, topic, 0, at(begin, labelsOf(1, 2, 3)...)...)
	s.MustRun(t)
	if h, _ := headerOf(t, s); h.Late != nil || h.Counts.Labels != nil {
		t.Errorf("a checkpoint without later labels has %+v", h.Late)
	}

	s.Config.ModelConfig.Late, s.Config.Labels, s.Kafka.Labels = late, config, topic
	wantStop(t, s, stops.ConfigDiffers, "lateLabels")
	s.Config.Accept = []string{stops.ConfigDiffers}
	s.MustRun(t)
	s.Config.Accept = nil
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin.Add(time.Minute), unlabelled(10, 20)...)...)
	s.Cluster.ProduceRecords(t, topic, 0, at(begin.Add(time.Minute), labelsOf(11, 12, 13)...)...)
	s.MustRun(t)
	if h, _ := headerOf(t, s); h.Counts.Labels.Read != 3 ||
		h.Counts.Labels.Outcomes["labelled"] != 3 {
		t.Errorf("counts %+v", h.Counts.Labels)
	}

	s.Config.ModelConfig.Late, s.Config.Labels, s.Kafka.Labels = nil, nil, ""
	wantStop(t, s, stops.ConfigDiffers, "lateLabels")
	s.Config.Accept = []string{stops.ConfigDiffers}
	s.MustRun(t)
	s.Config.Accept = nil
	if kinds := kindsOf(t, s); kinds[journal.Labelled] != 3 || kinds[journal.Evicted] != 7 {
		t.Errorf("%v", kinds)
	}
	s.MustRun(t)
	if h, _ := headerOf(t, s); h.Late != nil {
		t.Errorf("when nothing waits any more, the checkpoint has %+v", h.Late)
	}
}

// TestSettledIDsBehindJournal: another number of remembered ids takes effect behind the journal, which was written
// under the one of the checkpoint.
func TestSettledIDsBehindJournal(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 1, 1)
	begin := time.Now().Add(-time.Hour)
	s.Config.CheckpointInterval = time.Hour
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 5)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(10*time.Second), labelsOf(0, 1, 2, 3, 4)...)...)
	s.MustRun(t)
	// e0 again: its id is settled, so it is a duplicate; then the process dies.
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin.Add(time.Minute), unlabelled(0, 1)...)...)
	s.Adjust = func(task *stream.Task) {
		task.Journal = &cutJournal{Journal: task.Journal, left: 1, any: true,
			keep: func(_ int, b *topics.Batch) int { return b.Records.Len() }}
	}
	if _, err := s.Run(t); !errors.Is(err, errPlug) {
		t.Fatal(err)
	}
	s.Adjust = nil
	s.Config.Labels.Settled = 2
	s.MustRun(t)
	if kinds := kindsOf(t, s); kinds[journal.DuplicateID] != 1 || kinds[journal.Labelled] != 5 {
		t.Errorf("%v", kinds)
	}
	// Now two ids are remembered: e0 is new.
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin.Add(2*time.Minute), unlabelled(0, 1)...)...)
	s.MustRun(t)
	if kinds := kindsOf(t, s); kinds[journal.DuplicateID] != 1 || kinds[journal.Predicted] != 7 {
		t.Errorf("%v", kinds)
	}
}

// TestNoDuplicateWhereOneIsDue: a journal that was written under a lower bound of settled ids than that of the loaded
// checkpoint is named, and not gone on with.
func TestNoDuplicateWhereOneIsDue(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 1, 1)
	begin := time.Now().Add(-time.Hour)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 5)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(10*time.Second), labelsOf(0, 1, 2, 3, 4)...)...)
	s.MustRun(t)
	before := copied(t, s.Dir)
	s.Config.Labels.Settled = 2
	again := append(unlabelled(0, 1), unlabelled(9, 12)...)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin.Add(time.Minute), again...)...)
	s.MustRun(t)
	s.Dir = before
	wantStop(t, s, stops.JournalDiffers, "seq 12 is no duplicate, and the id of seq 11")
}
