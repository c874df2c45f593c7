package daemon

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// splitCluster is topicOf, and its settings have a model for each partition.
func splitCluster(t *testing.T, partitions, events int) (*streamtest.Cluster, Settings) {
	t.Helper()
	c, s := topicOf(t, partitions, events)
	s.ModelPer = perPartition
	return c, s
}

func seqs(d *Daemon) (all []int64) {
	for _, s := range d.Statuses() {
		all = append(all, s.Seq)
	}
	return all
}

// TestModelForEachPartition: a run to the end, twice, makes as many models as there are partitions, each with a folder.
func TestModelForEachPartition(t *testing.T) {
	t.Parallel()
	_, s := splitCluster(t, 4, 25)
	for epoch := int64(1); epoch <= 2; epoch++ {
		d := run(t, s)
		if got := seqs(d); !slices.Equal(got, []int64{25, 25, 25, 25}) {
			t.Errorf("seqs %v", got)
		}
		for p, st := range d.Statuses() {
			if st.Model != fmt.Sprintf("%s.%d", s.Input, p) || st.Epoch != epoch {
				t.Errorf("task %d: model %s, epoch %d, want %d", p, st.Model, st.Epoch, epoch)
			}
			if found, _ := filepath.Glob(filepath.Join(s.State, st.Model, "checkpoint-*")); len(found) == 0 {
				t.Errorf("task %d has no checkpoint", p)
			}
		}
	}
	s.ModelPer = perAll
	wantRefused(t, s, stops.ConfigDiffers, "--model-per partition")
}

// TestOneModelStays: what was begun with one model for all partitions is not continued with one for each.
func TestOneModelStays(t *testing.T) {
	t.Parallel()
	_, s := splitCluster(t, 2, 5)
	s.ModelPer = perAll
	run(t, s)
	s.ModelPer = perPartition
	wantRefused(t, s, stops.ConfigDiffers, "--model-per all")
	s.State = t.TempDir()
	wantRefused(t, s, stops.OtherWriter, "--model-per all")
}

// TestAddedPartitionBecomesATask: while the daemon runs, a partition of the input is added, and read from its start,
// whatever --start says, as after a restart.
func TestAddedPartitionBecomesATask(t *testing.T) {
	t.Parallel()
	c, s := splitCluster(t, 2, 10)
	s.Start = latest
	d, _, stop, _ := serve(t, s)
	streamtest.Await(t, "two live tasks", func() bool { return live(d) == 2 })
	c.AddPartitions(t, s.Input, 3)
	produceSome(t, c, s.Input, 2, 10)
	streamtest.Await(t, "the third task", func() bool { return slices.Equal(seqs(d), []int64{0, 0, 10}) })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	c.AddPartitions(t, s.Input, 4)
	produceSome(t, c, s.Input, 3, 10)
	if got := seqs(run(t, s)); !slices.Equal(got, []int64{0, 0, 10, 10}) {
		t.Errorf("after a restart: seqs %v", got)
	}
}

func live(d *Daemon) (n int) {
	for _, s := range d.Statuses() {
		if s.State == board.Live {
			n++
		}
	}
	return n
}

// TestLabelsNeedAsManyPartitions: a label has to be in the partition of its event.
func TestLabelsNeedAsManyPartitions(t *testing.T) {
	t.Parallel()
	c, s := splitCluster(t, 3, 10)
	s.Labels = s.Input + ".labels"
	c.Topic(t, s.Labels, 2)
	wantRefused(t, s, stops.PartitionsDiffer, "have 2")
	c.AddPartitions(t, s.Labels, 3)
	if got := seqs(run(t, s)); !slices.Equal(got, []int64{10, 10, 10}) {
		t.Errorf("seqs %v", got)
	}
}

// TestLabelsGetPartitionsLater: partitions that are added to the input get a task when the labels have them too, and
// the others go on meanwhile, also through a takeover.
func TestLabelsGetPartitionsLater(t *testing.T) {
	t.Parallel()
	c, s := splitCluster(t, 2, 10)
	s.Labels = s.Input + ".labels"
	c.Topic(t, s.Labels, 2)
	d, _, stop, _ := serve(t, s)
	streamtest.Await(t, "predictions", func() bool { return slices.Equal(seqs(d), []int64{10, 10}) })
	c.AddPartitions(t, s.Input, 3)
	produceSome(t, c, s.Input, 2, 10)
	if err := d.ensure(t.Context()); err != nil {
		t.Errorf("a takeover meanwhile: %v", err)
	}
	produceSome(t, c, s.Input, 1, 10)
	streamtest.Await(t, "more predictions", func() bool { return slices.Equal(seqs(d), []int64{10, 20}) })
	c.AddPartitions(t, s.Labels, 3)
	streamtest.Await(t, "the third task", func() bool { return slices.Equal(seqs(d), []int64{10, 20, 10}) })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

// TestTasksOverHTTP: the page lists the tasks, and each has paths of its own; what is about all says which is meant.
func TestTasksOverHTTP(t *testing.T) {
	t.Parallel()
	_, s := splitCluster(t, 3, 20)
	d, url, stop, _ := serve(t, s)
	streamtest.Await(t, "predictions, and a look at the keys, which the test has placed", func() bool {
		return slices.Equal(seqs(d), []int64{20, 20, 20}) && len(d.keyNotices()) == 1
	})
	last := s.Input + ".2"
	for path, want := range map[string]string{
		"/":          `<a href="2/"><bdi>` + last + `</bdi></a></td><td>live</td><td>20</td>`,
		"/2/":        "<title>" + last,
		"/status":    `"model":"` + last + `","state":"live","seq":20`,
		"/2/status":  `"partitions":[{"partition":2,"position":20`,
		"/readyz":    "ready\n",
		"/2/readyz":  "ready\n",
		"/metrics":   `rosenblatt_predictions_total{model="` + last + `"} 20`,
		"/2/metrics": "rosenblatt_predictions_total 20",
		"/2/healthz": "ok",
	} {
		if got := get(t, url+path); !strings.Contains(got, want) {
			t.Errorf("%s: %.2000s: want %s", path, got, want)
		}
	}
	for query, want := range map[string]string{"?partition=1": `"seq":20`, "?key=abc": "unknown-partition",
		"": "no-partition", "?partition=3": "want 0 to 2",
		"?partition=01": "want 0 to 2", "?partition=1&key=a": "no-partition"} {
		res, err := http.Post(url+"/predict"+query, "application/json", strings.NewReader(`{"x":1}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := body(t, res); !strings.Contains(got, want) {
			t.Errorf("/predict%s: %s: want %s", query, got, want)
		}
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}
