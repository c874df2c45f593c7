package journal_test

import (
	"context"
	"testing"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// outcomes is an outcomes topic: the batches of each partition, whose entries are made by kind.
type outcomes [][]outcomeBatch

type outcomeBatch struct {
	layout  *journal.Layout
	entries []*journal.Outcome
}

// of makes an outcome of a kind under a seq: of the prediction 1 of an input partition, or by a label of a partition.
func of(k journal.Kind, partition int32, seq int64) *journal.Outcome {
	o := outcome(k)
	o.Seq, o.Of, o.Partition, o.LabelPartition = seq, 1, partition, partition
	if k == journal.DuplicateID {
		o.Of = seq - 1
	}
	if !k.ByLabel() {
		o.LabelPartition = 0
	}
	return o
}

func (b outcomes) Open(_ topics.Topic, partition int32, _ int64) topics.Reader {
	r := &batchReader{}
	x := journal.NewOutcomeEncoder("m", 1)
	for _, batch := range b[partition] {
		for i, o := range batch.entries {
			var w recordbatch.Builder
			w.Append(0, nil, x.Append(nil, o, o.Seq))
			if i == 0 && batch.layout != nil {
				w.Lead(batch.layout.Header())
			}
			r.records = append(r.records, unpacked(&w, int64(len(r.records)))...)
		}
	}
	return r
}

func (b outcomes) sources() (all []journal.Source) {
	for p, batches := range b {
		n := 0
		for _, x := range batches {
			n += len(x.entries)
		}
		part := topics.Part{Partition: int32(p), To: int64(n)}
		all = append(all, journal.Open(b, topics.Outcomes, part, "m", 100))
	}
	return all
}

// TestFlightsOfTwoTopics: entries of both topics are merged by seq, and what the last flight lacks comes in its place;
// the caller says in which partition it belongs, where the layout does not.
func TestFlightsOfTwoTopics(t *testing.T) {
	f := layout(1, 0, 2) // 1, 2 of partition 0; 3 a duplicate of 4; 4, 5 by labels of 5; 6 expired
	for _, o := range []*journal.Outcome{of(journal.DuplicateID, 4, 3), of(journal.Labelled, 5, 4),
		of(journal.Labelled, 5, 5), of(journal.Expired, 3, 6)} {
		f.AddOutcome(o, 2)
	}
	predictions := batches{{{f, []int64{1, 2}}}}
	even := []*journal.Outcome{of(journal.DuplicateID, 4, 3)}
	odd := []*journal.Outcome{of(journal.Labelled, 5, 4), of(journal.Labelled, 5, 5), of(journal.Expired, 3, 6)}
	for name, row := range map[string]struct {
		predictions batches
		outcomes    outcomes
		want        string
	}{
		"complete": {predictions, outcomes{{{f, even}}, {{f, odd}}}, "1 2 3 4 5 6"},
		"torn": {batches{{}}, outcomes{{}, {{f, odd[:1]}}},
			"1:missing 2:missing 3:missing@0 4:torn 5:missing@1 6:missing@-1"},
		"no prefix": {predictions, outcomes{{{f, even}}, {{f, odd[2:]}}},
			"1:torn 2:torn 3:torn 4:missing@1 5:missing@1 6:moved"},
		"out of home": {predictions, outcomes{{{f, append(even[:1:1], odd[0])}}, {{f, odd[1:]}}},
			"1 2 3 4:moved 5 6"},
		"of another kind": {predictions, outcomes{{{f, even}}, {{f, instead(odd, of(journal.Gone, 5, 4))}}},
			"1 2 3 4:moved 5 6"},
		"of another label": {predictions, outcomes{{{f, even}}, {{f, instead(odd, of(journal.Labelled, 7, 4))}}},
			"1 2 3 4:moved 5 6"},
		"one batch": {batches{{}}, outcomes{{{nil, []*journal.Outcome{of(journal.Evicted, 0, 1)}}}}, "foreign"},
	} {
		var sources []journal.Source
		for p, all := range row.predictions {
			n := 0
			for _, x := range all {
				n += len(x.seqs)
			}
			part := topics.Part{Partition: int32(p), To: int64(n)}
			sources = append(sources, journal.Open(row.predictions, topics.Output, part, "m", 100))
		}
		if got := read(t, journal.NewReader(0, append(sources, row.outcomes.sources()...)...)); got != row.want {
			t.Errorf("%s: %s, want %s", name, got, row.want)
		}
	}
}

// instead are outcomes with another first one.
func instead(all []*journal.Outcome, first *journal.Outcome) []*journal.Outcome {
	return append([]*journal.Outcome{first}, all[1:]...)
}

// TestMissingPartition: an entry behind a missing one of its partition is out of place, also where only the caller
// knows the partition.
func TestMissingPartition(t *testing.T) {
	f := layout(2, 0, 1)
	for _, o := range []*journal.Outcome{of(journal.Expired, 0, 3), of(journal.Evicted, 1, 4)} {
		f.AddOutcome(o, 2)
	}
	for home, want := range map[int32]journal.Order{0: journal.Next, 1: journal.OutOfPlace} {
		topic := outcomes{{}, {{f, []*journal.Outcome{of(journal.Evicted, 1, 4)}}}}
		output := journal.Open(batches{{}}, topics.Output, topics.Part{}, "m", 1)
		r := journal.NewReader(1, append([]journal.Source{output}, topic.sources()...)...)
		for seq := int64(2); seq <= 4; seq++ {
			e, err := r.Next(context.Background())
			if err != nil || e == nil || e.Seq != seq {
				t.Fatal(e, err)
			}
			if seq == 3 {
				if e.Order != journal.Missing || e.Output != -1 || e.Outcome.Kind != journal.Expired {
					t.Fatalf("%+v", e)
				}
				e.Output = home
			}
			if seq == 4 && e.Order != want {
				t.Errorf("behind a missing entry of partition %d: %v, %v", home, e.Order, e.Why)
			}
			r.Last = seq
		}
	}
}
