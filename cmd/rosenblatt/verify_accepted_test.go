package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/audit"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/verify"
)

// more runs the task on more events, again and again: each run saves several checkpoints, so old ones are removed.
func (h *history) more(t *testing.T, runs int) {
	t.Helper()
	for i := range runs {
		h.Cluster.Produce(t, h.Name, 0, generated(uint64(100+i), 10)...)
		h.MustRun(t)
	}
}

// acceptConfig changes the configuration of a model.
func (h *history) acceptConfig(t *testing.T, rate float64) {
	t.Helper()
	h.Config.ModelConfig.Learner.Rate = rate
	h.Config.Accept = []string{stops.ConfigDiffers}
	h.MustRun(t)
	h.Config.Accept = nil
}

// partial wants an audit of what follows a seq, and of no more, that says so.
func (h *history) partial(t *testing.T, after, predictions int64, state string) audit.Report {
	t.Helper()
	v, got := h.verify(t, "--state", state)
	want := verify.Range{From: 1, To: after}
	if got.code != cli.ExitPartial || !v.OK || v.After != after || v.Predictions != predictions ||
		len(v.NotAudited) != 1 || v.NotAudited[0] != want {
		t.Errorf("exit %d, want %d predictions after seq %d: %s%s", got.code, predictions, after, got.stdout,
			got.stderr)
	}
	text := call(t, "", "verify", "--brokers", h.Cluster.Brokers[0], "--input", h.Name, "--state", state)
	line := fmt.Sprintf("\nverified in part: seq 1 to %d were NOT audited; %d predictions (seq %d to ", after,
		predictions, after+1)
	text.want(t, cli.ExitPartial, line, "")
	return v
}

// TestVerifyAcceptedChange: an accepted change is audited from its seq on, however many checkpoints follow; what comes
// before is named, and the exit code says that it was not audited. A later acceptance takes its place.
func TestVerifyAcceptedChange(t *testing.T) {
	t.Parallel()
	h := small(t, 1, 40)
	h.acceptConfig(t, 0.5)
	n := h.outgrow(t, 40)
	h.partial(t, 40, n-40, h.Dir)
	h.acceptConfig(t, 0.25)
	h.more(t, 6)
	h.partial(t, n, 60, h.Dir)
	h.goes(t, 40)
}

// outgrow runs the task until no other checkpoint in the folder builds on that of a seq: what removes old ones would
// remove it, too. It returns how many predictions there are.
func (h *history) outgrow(t *testing.T, seq int64) (predictions int64) {
	t.Helper()
	for range 200 {
		h.more(t, 1)
		files, err := (&checkpoint.Store{Dir: filepath.Join(h.Dir, h.Name)}).Files()
		if err != nil {
			t.Fatal(err)
		}
		builds := 0
		for _, path := range files {
			f, err := checkpoint.Open(nil, path)
			if err != nil {
				t.Fatal(err)
			}
			if predictions = max(predictions, int64(f.Seq)); int64(f.Seq) > seq && len(f.BuildsOn) > 0 &&
				filepath.Base(f.BuildsOn[len(f.BuildsOn)-1]) == fmt.Sprintf("checkpoint-%d", seq) {
				builds++
			}
		}
		if builds == 0 && len(files) > 3 {
			return predictions
		}
	}
	t.Fatalf("others build on checkpoint-%d for ever", seq)
	return 0
}

// goes wants a checkpoint to be removed when nothing builds on it any more.
func (h *history) goes(t *testing.T, seq int64) {
	t.Helper()
	for range 100 {
		h.more(t, 1)
		_, err := os.Stat(filepath.Join(h.Dir, h.Name, fmt.Sprintf("checkpoint-%d", seq)))
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
	t.Errorf("checkpoint-%d is kept for ever", seq)
}

// TestVerifyAfterAcceptanceElsewhere: a machine without a folder audits the accepted change from its seq on, too: the
// checkpoint topic has where to begin.
func TestVerifyAfterAcceptanceElsewhere(t *testing.T) {
	t.Parallel()
	h := &history{Setup: streamtest.New(t, streamtest.Start(t), 1)}
	h.State = h.Name + ".checkpoints"
	h.Cluster.Topic(t, h.State, 1, "cleanup.policy", "compact")
	h.Cluster.Produce(t, h.Name, 0, generated(1, 40)...)
	h.MustRun(t)
	h.acceptConfig(t, 0.5)
	n := h.outgrow(t, 40)
	for range 3 {
		h.Dir = t.TempDir()
		h.more(t, 2)
		n += 20
		h.partial(t, 40, n-40, h.Dir)
	}
}

// TestVerifyAfterAcceptanceRetention: where the output does not hold any more what follows the accepted change, its
// checkpoint goes, and the audit begins with the oldest that will do.
func TestVerifyAfterAcceptanceRetention(t *testing.T) {
	t.Parallel()
	h := small(t, 1, 40)
	h.acceptConfig(t, 0.5)
	h.more(t, 6)
	top, err := h.Client(t).Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h.Cluster.DeleteRecords(t, h.Output(), 0, top.Output.Partitions[0].End)
	h.partialFrom(t, 0)
	h.goes(t, 40)
	h.partialFrom(t, 10)
}

// partialFrom wants an audit of at least so many predictions, from a checkpoint that is not that of the acceptance.
func (h *history) partialFrom(t *testing.T, predictions int64) {
	t.Helper()
	v, got := h.verify(t, "--state", h.Dir)
	if got.code != cli.ExitPartial || !v.OK || v.After <= 40 || v.Predictions < predictions ||
		len(v.NotAudited) != 1 || v.NotAudited[0].To != v.After ||
		!strings.Contains(strings.Join(v.Notes, "\n"), "the checkpoint of seq 40, which recorded that, is not in ") {
		t.Errorf("exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
}

// TestVerifyEarlierLife: predictions of before an accepted start from nothing were not audited.
func TestVerifyEarlierLife(t *testing.T) {
	t.Parallel()
	h := small(t, 2, 40)
	if err := os.RemoveAll(filepath.Join(h.Dir, h.Name)); err != nil {
		t.Fatal(err)
	}
	h.Config.Accept = []string{stops.StateMissing}
	h.MustRun(t)
	h.Config.Accept = nil
	h.more(t, 5)
	v, got := h.verify(t, "--state", h.Dir)
	want := verify.Range{From: 1, Earlier: true}
	if got.code != cli.ExitPartial || !v.OK || v.Predictions != 130 || len(v.NotAudited) != 1 ||
		v.NotAudited[0] != want {
		t.Errorf("exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	call(t, "", "verify", "--brokers", h.Cluster.Brokers[0], "--input", h.Name, "--state", h.Dir).want(t,
		cli.ExitPartial, "predictions of an earlier life of the model, from its seq 1 on, were NOT audited; 130 ", "")
}

// TestVerifyAfterAcceptanceAtOnce: with nothing before it, an accepted change leaves nothing out.
func TestVerifyAfterAcceptanceAtOnce(t *testing.T) {
	t.Parallel()
	h := &history{Setup: streamtest.New(t, streamtest.Start(t), 1)}
	h.MustRun(t)
	h.acceptConfig(t, 0.5)
	h.more(t, 5)
	if v := h.sound(t, 50, "--state", h.Dir); len(v.NotAudited) != 0 {
		t.Errorf("%+v: nothing precedes", v.NotAudited)
	}
}
