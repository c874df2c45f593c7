package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"
)

// The whole demo on a stream that ends: the rows it promises, a score that beats both baselines, and nothing left
// behind.
func TestDemo(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	printed := whole(t, Options{}, 5000)
	rows := rowsOf(printed)
	for i := range 13 {
		if want := humanize.Comma(1 << i); i >= len(rows) || rows[i][0] != want {
			t.Fatalf("row %d is not that of %s examples:\n%s", i, want, printed)
		}
	}
	for _, want := range []string{
		"Done, predicted and saved to the end: 5,000 examples in ", "  page    http://127.0.0.1:", "  stop    Ctrl-C\n",
		legend,
		"  topics  hyperplane, hyperplane.predictions, hyperplane.dlq\n",
	} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q is missing in:\n%s", want, printed)
		}
	}
	if accuracy := final(t, printed, "perceptron"); accuracy < 75 || accuracy < 20+final(t, printed, "no-change") ||
		accuracy < 20+final(t, printed, "majority") {
		t.Errorf("the perceptron did not learn:\n%s", printed)
	}
	for line := range strings.Lines(printed) {
		if len(strings.Replace(line, temporary, "/tmp", 1)) > 80 {
			t.Errorf("wider than 80 columns: %s", line)
		}
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// final reads an accuracy from the summary.
func final(t *testing.T, printed, name string) (percent float64) {
	t.Helper()
	_, line, found := strings.Cut(printed, "\n  "+name)
	if _, err := fmt.Sscan(line, &percent); !found || err != nil {
		t.Fatalf("no accuracy of %s (%v) in:\n%s", name, err, printed)
	}
	return percent
}

// Interrupted at some moment and started again, the demo continues: every event is fed once and predicted once.
func TestGoesOn(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	const events = 20_000
	first := start(t, Options{State: state}, events)
	await(t, "3,000 examples", func() bool { return first.daemon.Status().Seq > 3000 })
	first.stop()
	<-first.ended
	if first.err != nil || !strings.Contains(first.out.String(), "Stopped, all predictions saved: ") {
		t.Fatalf("%v:\n%s", first.err, first.out.String())
	}
	fed := first.daemon.Status()
	printed := whole(t, Options{State: state}, events)
	if !strings.Contains(printed, "(continues after ") ||
		!strings.Contains(printed, "With those of earlier runs it is 20,000 examples.") {
		t.Errorf("it does not say that it went on:\n%s", printed)
	}
	if fed.Seq >= events {
		t.Fatal("the first run was not interrupted in time")
	}
	checkPredictions(t, predictionsIn(t, state, "hyperplane"), events)
}

func checkPredictions(t *testing.T, all []prediction, events int) {
	t.Helper()
	if len(all) != events {
		t.Errorf("%d predictions, want %d", len(all), events)
	}
	for i, a := range all {
		if a.Seq != int64(i+1) || a.Offset != int64(i) || a.ID != fmt.Sprintf("e%d", i) {
			t.Fatalf("prediction %d is of event %s, offset %d, seq %d", i, a.ID, a.Offset, a.Seq)
		}
	}
}

// A third start finds nothing to do and says so.
func TestNothingLeft(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	whole(t, Options{State: state}, 100)
	printed := whole(t, Options{State: state}, 100)
	if !strings.Contains(printed, "Done, predicted and saved to the end: 0 examples in") ||
		!strings.Contains(printed, "earlier runs it is 100 examples") {
		t.Errorf("printed:\n%s", printed)
	}
}

// When the page's port is taken it takes a free one, says so, and serves there.
func TestPortTaken(t *testing.T) {
	t.Parallel()
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	taken := other.Addr().String()
	r := start(t, Options{HTTP: taken, Rate: 500}, 0)
	if r.daemon == nil {
		t.Fatalf("it did not start: %v", r.err)
	}
	page, err := r.daemon.Listen() // where it listens already
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("  page    http://%s/  (%s is taken)\n", page, taken); !strings.Contains(r.out.String(),
		want) {
		t.Errorf("%q is missing in:\n%s", want, r.out.String())
	}
	await(t, "predictions on the page", func() bool { return seqAt(page.String()) > 0 })
	r.stop()
	<-r.ended
	if r.err != nil {
		t.Error(r.err)
	}
}

func seqAt(addr string) int64 {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get("http://" + addr + "/status")
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	var s struct{ Seq int64 }
	if json.NewDecoder(res.Body).Decode(&s) != nil {
		return 0
	}
	return s.Seq
}

// However early it is told to stop, it ends well: before the first event, and while it runs at a pace.
func TestEndsCleanly(t *testing.T) {
	t.Parallel()
	for _, examples := range []int64{0, 1, 50} {
		r := start(t, Options{Rate: 1000}, 0)
		await(t, "examples", func() bool { return r.daemon.Status().Seq >= examples })
		r.stop()
		<-r.ended
		if r.err != nil || !strings.Contains(r.out.String(), "\nStopped, ") {
			t.Errorf("stopped at %d: %v\n%s", examples, r.err, r.out.String())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, logs screen
	if code := call(ctx, []string{"--http", "off"}, &out, &logs); code != 0 {
		t.Errorf("exit %d: %s", code, logs.String())
	}
}

// Two demos on one folder would ruin it.
func TestFolderInUse(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	h, err := openHome(state)
	if err != nil {
		t.Fatal(err)
	}
	var out, logs screen
	if code := call(context.Background(), []string{"--state", state}, &out, &logs); code != 1 ||
		!strings.Contains(logs.String(), "another demo is running on "+state) {
		t.Errorf("exit %d: %s", code, logs.String())
	}
	if err := h.close(); err != nil {
		t.Fatal(err)
	}
	whole(t, Options{State: state}, 10)
}
