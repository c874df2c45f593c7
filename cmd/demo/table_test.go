package main

import (
	"strings"
	"testing"
	"time"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
)

func statusAt(seq int64, when time.Time) *board.Status {
	s := &board.Status{State: board.Live, Seq: seq, At: when, Checkpoints: 12, Learner: "perceptron:rate=1",
		Partitions: []board.PartitionStatus{{Position: seq, End: seq + 1500}}}
	s.Counts.Predictions = seq
	s.Score = metrics.Report{
		Row: metrics.Row{Examples: seq, Mistakes: seq / 5, Figures: metrics.Figures{Accuracy: metrics.Known(0.8)},
			Last: metrics.Figures{Accuracy: metrics.Known(1)}},
		Baselines: []metrics.Row{
			{Name: "no-change", Examples: seq, Mistakes: 3, Figures: metrics.Figures{Accuracy: metrics.Known(0)}},
			{Name: "majority", Examples: seq, Figures: metrics.Figures{Accuracy: metrics.Known(0.5)}}},
	}
	return s
}

// The table as it looks in a pipe; columns stand under their heads.
func TestTable(t *testing.T) {
	t.Parallel()
	var out screen
	table := &table{out: &out}
	begin := time.Now()
	table.row(statusAt(1, begin))
	table.row(statusAt(1024, begin.Add(10*time.Second)))
	late := statusAt(45_312, begin.Add(20*time.Second))
	late.Counts.Rejected = map[string]int64{"syntax": 3, "bad-label": 1200}
	table.row(late)
	table.row(late)
	want := `   examples accuracy last 1,000 no-change majority events/s    lag checkpoints
          1  80.00 %   100.00 %    0.00 %  50.00 %        -  1,500          12
      1,024  80.00 %   100.00 %    0.00 %  50.00 %      102  1,500          12
     45,312  80.00 %   100.00 %    0.00 %  50.00 %    2,266  1,500          12
  rejected so far: 1,203 (syntax 3, bad-label 1,200)
     45,312  80.00 %   100.00 %    0.00 %  50.00 %    2,266  1,500          12
`
	if out.String() != want {
		t.Errorf("printed:\n%s\nwant:\n%s", out.String(), want)
	}
	if len(heads) > 80 || len(legend) > 80 {
		t.Errorf("heads take %d columns, the legend %d", len(heads), len(legend))
	}
}

// On a terminal the heads come again before they have scrolled away.
func TestTableRepeatsHeads(t *testing.T) {
	t.Parallel()
	for _, terminal := range []bool{false, true} {
		var out screen
		table := &table{out: &out, terminal: terminal}
		for i := range 100 {
			table.row(statusAt(int64(i), time.Now()))
		}
		want := 1
		if terminal {
			want = 4
		}
		if n := strings.Count(out.String(), heads); n != want {
			t.Errorf("terminal %t: %d heads, want %d", terminal, n, want)
		}
	}
}

// Rows by time come when there was none for a while, and at once where a model continues.
func TestTableLooks(t *testing.T) {
	t.Parallel()
	var out screen
	table := &table{out: &out, printed: time.Now()}
	table.add(statusAt(0, time.Now()))
	if table.rows != 0 {
		t.Error("a row before the first example")
	}
	table.add(statusAt(70, time.Now()))
	if table.rows != 1 {
		t.Error("no row where it continues")
	}
	table.add(statusAt(80, time.Now()))
	table.printed = time.Now().Add(-rowEvery)
	table.add(statusAt(60, time.Now())) // older than the row before
	if table.rows != 1 {
		t.Error("a row too soon, or an old one")
	}
	recovering := statusAt(90, time.Now())
	recovering.State = board.Recovering
	table.add(recovering)
	if table.rows != 1 {
		t.Error("a row in recovery")
	}
	table.add(statusAt(90, time.Now()))
	if table.rows != 2 || table.predictions != 90 {
		t.Error("no row by time")
	}
}

// The speed is that of the last seconds, not of all time.
func TestSpeed(t *testing.T) {
	t.Parallel()
	table := &table{out: &screen{}}
	begin := time.Now()
	at := func(i int) time.Time { return begin.Add(time.Duration(i) * sampleEvery) }
	for i := range 100 {
		table.sample(statusAt(int64(i*1000), at(i))) // 4,000 a second
	}
	for i := range 21 {
		table.sample(statusAt(int64(100_000+i), at(100+i))) // then 4
	}
	if got := table.speed(statusAt(100_020, at(120))); got != "4" {
		t.Errorf("%s examples a second, want 4", got)
	}
	if len(table.samples) > 22 {
		t.Errorf("%d samples are kept", len(table.samples))
	}
}

func TestNothingToScore(t *testing.T) {
	t.Parallel()
	var out screen
	summary(&out, &board.Status{})
	if out.String() != "" || percent(metrics.Optional{}) != "-" || baseline(&board.Status{}, "majority") != "-" {
		t.Errorf("a score of nothing: %s", out.String())
	}
}
