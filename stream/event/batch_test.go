package event

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/recordbatch"
)

// TestBatch: whatever a batch does with memory, its examples are those of the decoder alone.
func TestBatch(t *testing.T) {
	batches := []*Batch{{}, {CopyIDs: true}, {Shared: true}, {CopyIDs: true, Shared: true}}
	for round, n := range []int{3, 200, 0, 500, 7} {
		var records []recordbatch.Record
		for i := range n {
			value := fmt.Sprintf(`{"id":"%s","label":1,"x":%d,"y":"v%d"}`, strings.Repeat("e", i%100), i, i%7)
			if i%11 == 5 {
				value = "{"
			}
			records = append(records, recordbatch.Record{Offset: int64(i), Value: []byte(value)})
		}
		alone, err := New(Defaults(JSON))
		if err != nil {
			t.Fatal(err)
		}
		var want []Example
		var features [][]learner.Feature
		for i := range records {
			var e Example
			arena := alone.Decode(&records[i], nil, &e)
			want = append(want, e)
			features = append(features, e.Features(arena))
		}
		for k, b := range batches {
			d, err := New(Defaults(JSON))
			if err != nil {
				t.Fatal(err)
			}
			b.Decode(d, records)
			if len(b.Examples) != n || b.Skipped != 0 {
				t.Fatalf("round %d, batch %d: %d examples, %d skipped", round, k, len(b.Examples), b.Skipped)
			}
			for i := range b.Examples {
				got := b.Examples[i]
				same := string(got.ID) == string(want[i].ID) && got.Label == want[i].Label
				if !same || (got.Rejected == nil) != (want[i].Rejected == nil) {
					t.Fatalf("round %d, batch %d, example %d: %+v, want %+v", round, k, i, got, want[i])
				}
				if x := b.Features(i); len(x) != len(features[i]) || len(x) > 0 && !reflect.DeepEqual(x, features[i]) {
					t.Fatalf("round %d, batch %d, example %d: features %v, want %v", round, k, i, x, features[i])
				}
			}
		}
	}
}
