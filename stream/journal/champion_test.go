package journal_test

import (
	"testing"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// ledBatch is a batch that may say who becomes the champion.
type ledBatch struct {
	layout   *journal.Layout
	seqs     []int64
	champion string
}

// led is an output topic of such batches, by partition.
type led [][]ledBatch

// batches are them without the champions, which Open adds.
func (b led) batches() batches {
	all := make(batches, len(b))
	for p := range b {
		for _, x := range b[p] {
			all[p] = append(all[p], batch{x.layout, x.seqs})
		}
	}
	return all
}

// Open implements topics.Opener.
func (b led) Open(_ topics.Topic, partition int32, _ int64) topics.Reader {
	r := &batchReader{}
	for _, x := range b[partition] {
		var headers []recordbatch.Header
		if x.champion != "" {
			headers = append(headers, journal.Champion(x.champion))
		}
		r.records = append(r.records, batch{x.layout, x.seqs}.records(partition, int64(len(r.records)), headers...)...)
	}
	return r
}

// champions are who becomes the champion, by the seq of the entry that says so, as a reader tells it; out of place are
// seqs of entries that do not fit.
func champions(t *testing.T, b led, last int64) (found map[int64]string, outOfPlace []int64) {
	t.Helper()
	r, found := b.batches().readerOf(b, last), map[int64]string{}
	for {
		e, err := r.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			return found, outOfPlace
		}
		if e.Champion != "" {
			found[e.Seq] = e.Champion
		}
		if e.Order == journal.OutOfPlace {
			outOfPlace = append(outOfPlace, e.Seq)
		}
		r.Last = e.Seq
	}
}

func layoutOf(first int64, runs ...journal.Run) *journal.Layout {
	return &journal.Layout{First: first, Runs: runs}
}

// TestChampionOfAFlight: the first entry of a flight says who becomes the champion, whichever batch has it, also where
// it is missing; another batch that says something else is out of place.
func TestChampionOfAFlight(t *testing.T) {
	t.Parallel()
	run := func(p int32, n int64) journal.Run { return journal.Run{Kind: journal.Predicted, Partition: p, N: n} }
	both := layoutOf(2, run(1, 1), run(0, 2), run(1, 1))
	for name, x := range map[string]struct {
		b    led
		want map[int64]string
		bad  int
	}{
		"one batch": {led{{{seqs: []int64{1}}, {seqs: []int64{2, 3}, champion: "c"}, {seqs: []int64{4}}}},
			map[int64]string{2: "c"}, 0},
		"two batches": {led{{{seqs: []int64{1}}, {both, []int64{3, 4}, "c"}}, {{both, []int64{2, 5}, "c"}}},
			map[int64]string{2: "c"}, 0},
		"torn": {led{{{seqs: []int64{1}}, {both, []int64{3, 4}, "c"}}, {}}, map[int64]string{2: "c"}, 0},
		"split": {led{{{seqs: []int64{1}}, {both, []int64{3}, "c"}, {both, []int64{4}, "c"}},
			{{both, []int64{2, 5}, "c"}}}, map[int64]string{2: "c"}, 0},
		"in one batch alone": {led{{{seqs: []int64{1}}, {both, []int64{3, 4}, ""}}, {{both, []int64{2, 5}, "c"}}},
			map[int64]string{2: "c"}, 2},
		"two names": {led{{{seqs: []int64{1}}, {both, []int64{3, 4}, "d"}}, {{both, []int64{2, 5}, "c"}}},
			map[int64]string{2: "c"}, 2},
	} {
		got, bad := champions(t, x.b, 0)
		delete(got, 3) // what is out of place may say more
		if len(got) != len(x.want) || got[2] != x.want[2] || len(bad) != x.bad {
			t.Errorf("%s: %v, out of place %v, want %v", name, got, bad, x.want)
		}
	}
}
