package stream_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
)

// slicedBy is what the tests count by: a word within the features, and a number beside them.
var slicedBy = []string{"m", "shop"}

// withShops adds a number to each event: of 60 shops, some beyond the 50 that have counts of their own.
func withShops(all [][]kafka.Record) {
	i := 0
	each(all, func(r *kafka.Record) {
		value := text(r.Value)
		if i++; i%9 != 0 {
			value = fmt.Sprintf(`{"shop":%d,`, i*37%60) + value[1:]
		}
		r.Value = kafka.NewBytes([]byte(value))
	})
}

// slicesOf counts by the topics alone: "field value label prediction" of each decision in no other way than the
// daemon's guide says.
func slicesOf(t testing.TB, s *streamtest.Setup) map[string]float64 {
	t.Helper()
	entries, input := entriesOf(t, s)
	seen := [2]map[string]bool{{}, {}}
	values := map[int64][2]string{} // by seq
	counts := map[string]float64{}
	for i := range entries {
		e := &entries[i]
		var x struct {
			Label, Prediction *int
			Untrained         bool
			Of, Offset        int64
			Partition         int32
		}
		if err := json.Unmarshal(e.Record.Value, &x); err != nil {
			t.Fatal(err)
		}
		of := x.Of
		if e.Outcome == nil {
			of = e.Seq
			r := input[x.Partition][x.Offset]
			values[of] = slicedValues(t, r.Value, &seen)
		}
		if x.Label == nil || x.Untrained || e.Kind.String() == "gone" {
			continue
		}
		for f, value := range values[of] {
			counts[fmt.Sprint(slicedBy[f], " ", value, " ", *x.Label, " ", *x.Prediction)]++
		}
	}
	return counts
}

func slicedValues(t testing.TB, event []byte, seen *[2]map[string]bool) (values [2]string) {
	t.Helper()
	var x struct {
		Shop     *int
		Features struct{ M *string }
	}
	if err := json.Unmarshal(event, &x); err != nil {
		t.Fatal(err)
	}
	values = [2]string{"(none)", "(none)"}
	if x.Features.M != nil {
		values[0] = *x.Features.M
	}
	if x.Shop != nil {
		values[1] = fmt.Sprint(*x.Shop)
	}
	for f, value := range values {
		switch {
		case value == "(none)" || seen[f][value]:
		case len(seen[f]) == 50:
			values[f] = "other"
		default:
			seen[f][value] = true
		}
	}
	return values
}

func slicesIn(p *model.Processor) map[string]float64 {
	counts := map[string]float64{}
	for _, r := range p.SliceRows() {
		for name, n := range map[string]float64{"1 1": r.Confusion.TruePositive, "-1 1": r.Confusion.FalsePositive,
			"1 -1": r.Confusion.FalseNegative, "-1 -1": r.Confusion.TrueNegative} {
			if n > 0 {
				counts[r.Field+" "+r.Value+" "+name] = n
			}
		}
	}
	return counts
}

// savedSlices are those of the newest checkpoint.
func savedSlices(t testing.TB, s *streamtest.Setup) map[string]float64 {
	t.Helper()
	f, _, err := (&checkpoint.Store{Dir: filepath.Join(s.Dir, s.Name)}).Newest()
	if err != nil {
		t.Fatal(err)
	}
	_, proc, err := model.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return slicesIn(proc)
}

func sameSlices(t testing.TB, s *streamtest.Setup) {
	t.Helper()
	got, want := savedSlices(t, s), slicesOf(t, s)
	if !maps.Equal(got, want) {
		t.Errorf("the checkpoint's slices are\n%v, the journal's\n%v", got, want)
	}
	if want["shop other 1 1"] == 0 || want["shop (none) 1 1"] == 0 || want["m m1 -1 -1"] == 0 {
		t.Errorf("the test has not all kinds: %v", want)
	}
}

// TestSlicesCrashAnywhere: decisions by field survive crashes at any step, with the values of examples that wait.
func TestSlicesCrashAnywhere(t *testing.T) {
	t.Parallel()
	for seed := range uint64(streamtest.Rounds(2, 6, 20)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 51))
			partitions, labels := 1+r.IntN(3), 1+r.IntN(2)
			s := lateSetup(t, partitions, labels, 1)
			s.Config.By = slicedBy
			x := newLateStream(seed, 700, partitions, labels)
			withShops(x.events)
			x.produce(t, s)
			s.Config.BatchRecords = 1 + r.IntN(30)
			s.Config.CheckpointInterval = time.Millisecond
			s.Config.CheckpointEvery = 1 + int64(r.IntN(60))
			if seed%2 == 1 {
				s.Config.ModelConfig.Late.Assume = "-1"
			}
			crashUntilThrough(t, s, r, 12)
			sameScore(t, s, auditLate(t, s))
			sameSlices(t, s)
		})
	}
}

// TestSlicesOfAFollower: one that follows counts as the one that predicts, and goes on so.
func TestSlicesOfAFollower(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 2, 1, 1)
	s.Config.By = slicedBy
	s.Config.CheckpointEvery = 50
	x := newPair(t, s)
	x.members[1].await(t, board.Following, 0)
	all := newLateStream(3, 700, 2, 1)
	withShops(all.events)
	all.produce(t, s)
	x.assign(1 << 40)
	streamtest.Await(t, "the same slices", func() bool {
		a, b := x.members[0].Status(), x.members[1].Status()
		return a.Seq > 800 && a.Seq == b.Seq && len(a.Slices) > 50 && reflect.DeepEqual(a.Slices, b.Slices)
	})
	x.plugs[x.active].left.Store(0)
	more := newLateStream(4, 20, 2, 1)
	withShops(more.events)
	more.produce(t, s)
	x.crash(t, 1<<40)
	sameSlices(t, x.end(t))
}

// TestSlicesByOtherFields: other fields begin anew, and examples that wait with values of the former ones are in none.
func TestSlicesByOtherFields(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 1, 1)
	begin := time.Now().Add(-time.Minute)
	s.Config.By = []string{"x"}
	s.Config.Labels.Wait = (24 * time.Hour).Milliseconds()
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, append(labelledEvents(100), unlabelled(0, 50)...)...)...)
	s.MustRun(t)
	if got := savedSlices(t, s); len(got) == 0 {
		t.Fatal("nothing is counted")
	}
	s.Config.By = []string{"y"}
	s.MustRun(t)
	if got := savedSlices(t, s); len(got) != 0 {
		t.Errorf("counts of other fields stay: %v", got)
	}
	ids := make([]int, 50)
	for i := range ids {
		ids[i] = i
	}
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(10*time.Second), labelsOf(ids...)...)...)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin.Add(time.Second), labelledEvents(30)...)...)
	if c := s.MustRun(t).Status().Counts; c.Labels.Outcomes["labelled"] != 50 {
		t.Fatalf("%+v", c.Labels)
	}
	total := 0.0
	for name, n := range savedSlices(t, s) {
		if total += n; name[:2] != "y " {
			t.Errorf("counted by %s", name)
		}
	}
	if total != 30 {
		t.Errorf("%v decisions are counted by the new field, want the 30 that were predicted since", total)
	}
	s.Config.By = nil
	s.MustRun(t)
	if got := savedSlices(t, s); len(got) != 0 {
		t.Errorf("without fields there are %v", got)
	}
}

// labelledEvents are n events that bear their labels.
func labelledEvents(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf(`{"label":%d,"features":{"x":%d,"y":%d}}`, 1-2*(i%2), i%7, i%3))
	}
	return out
}

// TestSlicesAreNoConfiguration: a start with other fields is no other model, and a model of other settings keeps its
// slices.
func TestSlicesAreNoConfiguration(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.By = []string{"x", "y"}
	s.Cluster.Produce(t, s.Name, 0, labelledEvents(60)...)
	s.MustRun(t)
	before := savedSlices(t, s)
	s.Config.ModelConfig.Decode.Ignore = []string{"y"}
	s.Config.Accept = []string{"config"}
	s.MustRun(t)
	if got := savedSlices(t, s); len(before) == 0 || !maps.Equal(got, before) {
		t.Errorf("with another setting accepted there are %v, want %v", got, before)
	}
	s.Config.Accept = nil
	s.Cluster.Produce(t, s.Name, 0, labelledEvents(7)...)
	s.MustRun(t)
	total := 0.0
	for _, n := range slices.Collect(maps.Values(savedSlices(t, s))) {
		total += n
	}
	if total != 2*67 {
		t.Errorf("%v decisions by two fields, want %d", total, 2*67)
	}
}
