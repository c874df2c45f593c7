package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// broker starts a cluster in this process and returns its address. Tests on a real one make a streamtest.Setup.
func broker(t *testing.T, opts ...kfake.Opt) string {
	t.Helper()
	if streamtest.Real() {
		t.Skip("on kfake only: not run with " + streamtest.EnvBrokers)
	}
	c, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(1)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c.ListenAddrs()[0]
}

// values reads n records of a partition.
func values(t *testing.T, address, topic string, partition, n int) []string {
	t.Helper()
	r := kafkago.NewReader(kafkago.ReaderConfig{Brokers: []string{address}, Topic: topic, Partition: partition,
		MaxWait: 50 * time.Millisecond})
	defer func() { _ = r.Close() }() // it was only read
	var all []string
	for len(all) < n {
		m, err := r.ReadMessage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Value) > 0 && m.Value[0] != 0 { // kafka-go's Reader shows the fence's markers as messages
			all = append(all, string(m.Value))
		}
	}
	return all
}

// length is the number of records in a partition that was only ever written.
func length(t *testing.T, address, topic string, partition int) int64 {
	t.Helper()
	c, err := kafkago.DialLeader(t.Context(), "tcp", address, topic, partition)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // it was only read
	n, err := c.ReadLastOffset()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func exists(t *testing.T, address, topic string) bool {
	t.Helper()
	c, err := kafkago.DialLeader(t.Context(), "tcp", address, topic, 0)
	if err == nil {
		_ = c.Close() // nothing was asked for
	}
	return err == nil
}

// TestTour: produce, run, read the predictions, inspect.
func TestTour(t *testing.T) {
	t.Parallel()
	k := broker(t)
	state := t.TempDir()
	call(t, "", "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane", "--count", "2000",
		"--create-topic").
		want(t, cli.ExitDone, "2000 events in events", "")
	run := []string{"run", "--brokers", k, "--input", "events", "--state", state, "--until-end", "--http", "off"}
	call(t, "", run...).want(t, cli.ExitFailed, "", "topic events.predictions does not exist")
	summary := allJSON(t, call(t, "", append(run, "--create-topics", "--log-format", "json")...), "starting",
		"model events: 2000 predictions, 2000 of them labelled, ")
	call(t, "", run...).want(t, cli.ExitDone, summary+"\n", `"message":"starting"`)

	predictions := values(t, k, "events.predictions", 0, 2000)
	for i, text := range predictions {
		var a struct {
			ID     string
			Offset int
			Seq    int
			Model  string
		}
		if err := json.Unmarshal([]byte(text), &a); err != nil || a.ID != fmt.Sprint("e", i) || a.Offset != i ||
			a.Seq != i+1 || a.Model != "events@1" {
			t.Fatalf("prediction %d: %s, %v", i, text, err)
		}
	}
	inspectTour(t, filepath.Join(state, "events"), summary)
}

// allJSON wants nothing but JSON in the log of a run, and messages that begin with these. It returns the last one.
func allJSON(t *testing.T, o outcome, messages ...string) (last string) {
	t.Helper()
	if o.code != cli.ExitDone || o.stdout != "" {
		t.Errorf("exit %d, stdout %q", o.code, o.stdout)
	}
	for line := range strings.Lines(o.stderr) {
		var l struct{ Message string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if len(messages) > 0 && strings.HasPrefix(l.Message, messages[0]) {
			messages = messages[1:]
		}
		last = l.Message
	}
	if len(messages) > 0 {
		t.Errorf("no message begins with %q in %s", messages[0], o.stderr)
	}
	return last
}

// TestFailsAsLogged: with --log-format json an error, too, is a line of the log; its exit code stays.
func TestFailsAsLogged(t *testing.T) {
	t.Parallel()
	k := broker(t)
	for _, args := range [][]string{{"--bits", "99"}, {"--http", k}, {"--http", "off"}} {
		got, code := call(t, "", append([]string{"run", "--brokers", k, "--input", "none", "--state", t.TempDir(),
			"--log-format", "json"}, args...)...), cli.ExitFailed
		if args[0] == "--bits" {
			code = cli.ExitUsage
		}
		for line := range strings.Lines(got.stderr) {
			if !json.Valid([]byte(line)) || got.code != code || got.stdout != "" {
				t.Errorf("%v: exit %d, want %d: %q", args, got.code, code, line)
			}
		}
		if !strings.Contains(got.stderr, `"level":"error"`) {
			t.Errorf("%v: exit %d: %s", args, got.code, got.stderr)
		}
	}
}

// inspectTour compares what inspect shows with what the run said.
func inspectTour(t *testing.T, folder, summary string) {
	t.Helper()
	got := call(t, "", "inspect", folder, "--json", "--top", "3")
	got.want(t, cli.ExitDone, "", "")
	var i struct {
		Model      string
		Seq        int64
		Positions  []int64
		Score      struct{ Examples, Mistakes int64 }
		Top        []struct{ Name string }
		Collisions *int
	}
	if err := json.Unmarshal([]byte(got.stdout), &i); err != nil {
		t.Fatal(err)
	}
	if i.Model != "events" || i.Seq != 2000 || len(i.Positions) != 1 || i.Positions[0] != 2000 || len(i.Top) != 3 ||
		i.Collisions == nil {
		t.Errorf("%+v", i)
	}
	if want := fmt.Sprintf("%d mistakes", i.Score.Mistakes); i.Score.Mistakes == 0 || !strings.Contains(summary, want) {
		t.Errorf("%s by inspect, the run said %s", want, summary)
	}
	text := call(t, "", "inspect", folder)
	for _, want := range []string{"events, seq 2000, epoch 2", "2000: 2000 predictions, 0 rejected",
		want(i.Score.Mistakes), "\n0          2000      0\n", "bias ", "collisions  0 of 262144"} {
		text.want(t, cli.ExitDone, want, "")
	}
	for f := range 10 {
		if !strings.Contains(text.stdout, fmt.Sprintf("\nf%d ", f)) {
			t.Errorf("no weight of f%d in\n%s", f, text.stdout)
		}
	}
}

func want(mistakes int64) string { return fmt.Sprintf("2000 labelled, %d mistakes", mistakes) }

// TestExport: a checkpoint that builds on others becomes one file, which is the same model anywhere.
func TestExport(t *testing.T) {
	t.Parallel()
	k := broker(t)
	state := t.TempDir()
	folder := filepath.Join(state, "events")
	for range 2 {
		call(t, "", "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane", "--count", "20",
			"--create-topic").want(t, cli.ExitDone, "20", "")
		call(t, "", "run", "--brokers", k, "--input", "events", "--state", state, "--until-end", "--http", "off",
			"--create-topics").want(t, cli.ExitDone, "", "")
	}
	newest := filepath.Join(folder, "checkpoint-40")
	call(t, "", "inspect", folder).want(t, cli.ExitDone, "builds on", "")
	for _, name := range []string{"backup", "checkpoint-40"} {
		file := filepath.Join(t.TempDir(), name)
		call(t, "", "inspect", folder, "--export", file).want(t, cli.ExitDone, "wrote "+file+", ", "")
		was, is := call(t, "", "inspect", folder), call(t, "", "inspect", file)
		was.want(t, cli.ExitDone, "seq 40,", "")
		_, figures, _ := strings.Cut(was.stdout, "\nwritten by")
		if is.code != cli.ExitDone || !strings.HasSuffix(is.stdout, figures) ||
			strings.Contains(is.stdout, "builds on") {
			t.Errorf("the exported file shows\n%s%s\nthe checkpoint\n%s", is.stdout, is.stderr, was.stdout)
		}
		call(t, "", "inspect", folder, "--export", file).want(t, cli.ExitFailed, "", "exists: want the name of a new")
	}
	for path, want := range map[string]string{
		newest: "exists", filepath.Join(folder, "checkpoint-41"): "want checkpoint-40",
		filepath.Join(state, "no", "such"): "no such file",
	} {
		call(t, "", "inspect", newest, "--export", path).want(t, cli.ExitFailed, "", want)
	}
	alone := filepath.Join(t.TempDir(), "checkpoint-40")
	data, err := os.ReadFile(newest)
	if err == nil {
		err = os.WriteFile(alone, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	call(t, "", "inspect", alone).want(t, cli.ExitFailed, "", "which is not in its folder")
}

// TestInspectChangesNothing: an invalid checkpoint is named, the one before is shown, and the folder stays as it was.
func TestInspectChangesNothing(t *testing.T) {
	t.Parallel()
	k := broker(t)
	state := t.TempDir()
	folder := filepath.Join(state, "events")
	for _, n := range []string{"10", "20"} {
		call(t, "", "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane", "--count", n,
			"--create-topic").want(t, cli.ExitDone, n, "")
		call(t, "", "run", "--brokers", k, "--input", "events", "--state", state, "--until-end", "--http", "off",
			"--create-topics", "--bits", "8").want(t, cli.ExitDone, "", "")
	}
	newest := filepath.Join(folder, "checkpoint-30")
	if err := os.Truncate(newest, 100); err != nil {
		t.Fatal(err)
	}
	before := listing(t, folder)
	call(t, "", "inspect", folder).want(t, cli.ExitDone, "seq 10,", "checkpoint-30 is not a valid checkpoint")
	call(t, "", "inspect", newest).want(t, cli.ExitFailed, "", "not a valid checkpoint")
	call(t, "", "inspect", state).want(t, cli.ExitFailed, "", "want one of its models, "+folder)
	call(t, "", "inspect", t.TempDir()).want(t, cli.ExitFailed, "", "holds no checkpoint")
	call(t, "", "inspect", filepath.Join(state, "nobody")).want(t, cli.ExitFailed, "", "no such file")
	if after := listing(t, folder); after != before {
		t.Errorf("the folder held %s and holds %s", before, after)
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}
