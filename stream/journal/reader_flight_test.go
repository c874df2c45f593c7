package journal_test

import (
	"context"
	"fmt"
	"testing"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// batch is seqs with a layout in the first record, if any.
type batch struct {
	layout *journal.Layout
	seqs   []int64
}

// batches is an output topic: those of each partition.
type batches [][]batch

func (b batches) Open(_ topics.Topic, partition int32, _ int64) topics.Reader {
	r := &batchReader{}
	for _, x := range b[partition] {
		r.records = append(r.records, x.records(partition, int64(len(r.records)))...)
	}
	return r
}

// records are those of a batch at an offset; more are headers of the first one, behind the layout.
func (b batch) records(partition int32, at int64, more ...recordbatch.Header) []topics.Record {
	var w recordbatch.Builder
	for i, seq := range b.seqs {
		var headers []recordbatch.Header
		if i == 0 && b.layout != nil {
			headers = append(headers, b.layout.Header())
		}
		if i == 0 {
			headers = append(headers, more...)
		}
		w.AppendHeaders(0, nil, fmt.Appendf(nil, `{"score":%d,"partition":%d,"offset":%d,"seq":%d,"model":"m@%d"}`, seq,
			partition, seq, seq, seq%3), nil, headers)
	}
	return unpacked(&w, at)
}

// unpacked are the records of a batch at an offset.
func unpacked(w *recordbatch.Builder, at int64) []topics.Record {
	data, err := w.Seal(1, 1, 0, recordbatch.None)
	if err != nil {
		panic(err)
	}
	sealed, _, err := recordbatch.Next(data)
	if err != nil {
		panic(err)
	}
	sealed.BaseOffset, sealed.LastOffset = at, at+int64(w.Len())-1
	var u recordbatch.Unpacker
	records, err := u.Open(&sealed)
	if err != nil {
		panic(err)
	}
	var all []topics.Record
	for r := (topics.Record{}); records.Next(&r); {
		all = append(all, r)
	}
	return all
}

type batchReader struct{ records []topics.Record }

func (r *batchReader) Read(_ context.Context, c *topics.Run, _ int) error {
	at := c.Next
	c.Reset(c.Partition, at+1)
	c.Records = append(c.Records, r.records[at])
	return nil
}

func (b batches) reader(last int64) *journal.Reader { return b.readerOf(b, last) }

// readerOf reads them from an opener.
func (b batches) readerOf(from topics.Opener, last int64) *journal.Reader {
	var sources []journal.Source
	for p, all := range b {
		n := 0
		for _, x := range all {
			n += len(x.seqs)
		}
		part := topics.Part{Partition: int32(p), To: int64(n)}
		sources = append(sources, journal.Open(from, topics.Output, part, "m", 100))
	}
	return journal.NewReader(last, sources...)
}

var orders = map[journal.Order]string{journal.Next: "", journal.Hole: ":hole", journal.Duplicate: ":duplicate",
	journal.OutOfOrder: ":back", journal.Missing: ":missing", journal.OutOfPlace: ":moved"}

// TestFlights: complete flights are read as before; what the last flight lacks comes in its place, and only there.
func TestFlights(t *testing.T) {
	f := layout(1, 0, 2, 1, 2, 0, 1) // 1 2 of partition 0, 3 4 of 1, 5 of 0
	g := layout(6, 1, 1, 0, 1)       // 6 of partition 1, 7 of 0
	h := layout(1, 0, 2, 1, 3)
	whole := batches{{{f, []int64{1, 2, 5}}}, {{f, []int64{3, 4}}}}
	for name, row := range map[string]struct {
		topic batches
		want  string
	}{
		"complete": {whole, "1 2 3 4 5"},
		"two": {batches{{{f, []int64{1, 2, 5}}, {g, []int64{7}}}, {{f, []int64{3, 4}}, {g, []int64{6}}}},
			"1 2 3 4 5 6 7"},
		"split": {batches{{{f, []int64{1}}, {f, []int64{2, 5}}}, {{f, []int64{3}}, {f, []int64{4}}}}, "1 2 3 4 5"},
		"then alone": {batches{{{f, []int64{1, 2, 5}}, {nil, []int64{6, 7}}}, {{f, []int64{3, 4}}, {nil, []int64{8}}}},
			"1 2 3 4 5 6 7 8"},
		"without the first": {batches{{}, {{f, []int64{3, 4}}}}, "1:missing 2:missing 3:torn 4:torn 5:missing"},
		"without the other": {batches{{{f, []int64{1, 2, 5}}}, {}}, "1:torn 2:torn 3:missing 4:missing 5:torn"},
		"without an end": {batches{{{f, []int64{1}}}, {{f, []int64{3}}}},
			"1:torn 2:missing 3:torn 4:missing 5:missing"},
		"the second torn": {batches{{{f, []int64{1, 2, 5}}}, {{f, []int64{3, 4}}, {g, []int64{6}}}},
			"1 2 3 4 5 6:torn 7:missing"},
		"a hole before": {batches{{{f, []int64{1}}, {g, []int64{7}}}, {{f, []int64{3, 4}}, {g, []int64{6}}}},
			"1 3:hole 4 6:hole 7"},
		"a flight is gone": {batches{{}, {{g, []int64{6}}}}, "6:hole"},
		"no prefix": {batches{{{f, []int64{1, 5}}}, {{f, []int64{3, 4}}}},
			"1:torn 2:missing 3:torn 4:torn 5:moved"},
		"not in each batch": {batches{{{f, []int64{1, 2, 5}}}, {{nil, []int64{3, 4}}}}, "1 2 3:moved 4:moved 5"},
		"another layout":    {batches{{{f, []int64{1, 2, 5}}}, {{h, []int64{3, 4}}}}, "1 2 3:moved 4:moved 5"},
		"another partition": {batches{{{h, []int64{1, 2, 3}}}, {{h, []int64{4, 5}}}}, "1 2 3:moved 4 5"},
		"repeated": {batches{{{f, []int64{1, 2, 5}}}, {{f, []int64{3, 4}}, {f, []int64{4}}}},
			"1 2 3 4 4:duplicate 5"},
		"overlap": {batches{{{layout(1, 0, 3), []int64{1, 2, 3}}}, {{layout(3, 0, 1, 1, 1), []int64{4}}}},
			"1 2 3 4:moved"},
		"foreign": {batches{{{&journal.Layout{First: 0}, []int64{1}}}}, "foreign"},
	} {
		if got := read(t, row.topic.reader(0)); got != row.want {
			t.Errorf("%s: %s, want %s", name, got, row.want)
		}
	}
	if got, want := read(t, whole.reader(2)), "1:back 2:duplicate 3 4 5"; got != want {
		t.Errorf("from the middle: %s, want %s", got, want)
	}
}

func read(t *testing.T, r *journal.Reader) (got string) {
	t.Helper()
	for {
		e, err := r.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			return got
		}
		if got != "" {
			got += " "
		}
		if e.Kind == journal.Foreign {
			return got + "foreign"
		}
		got += fmt.Sprint(e.Seq, orders[e.Order])
		if e.Order == journal.Missing && e.Outcome != nil {
			got += fmt.Sprint("@", e.Output)
		}
		if r.Incomplete() && e.Order == journal.Next {
			got += ":torn"
		}
		wrong := e.Record != nil && e.Outcome == nil && e.Score != float64(e.Seq)
		if (e.Order == journal.Missing) != (e.Record == nil) || wrong {
			t.Errorf("%+v", e)
		}
		r.Last = max(r.Last, e.Seq)
	}
}

// TestUnsettled: an entry that is not settled does not show that what is missing before it is lost.
func TestUnsettled(t *testing.T) {
	f, g := layout(1, 0, 1, 1, 1), layout(3, 0, 1, 1, 1)
	topic := batches{{{f, []int64{1}}, {g, []int64{3}}}, {}}
	r := topic.reader(0)
	if got, want := read(t, r), "1 3:hole"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	r = topic.reader(0)
	r.Settled = func(e *journal.Entry) bool { return e.Record.Offset < 1 }
	if got, want := read(t, r), "1:torn 2:missing"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	r = batches{{{nil, []int64{1, 2}}, {nil, []int64{5}}}, {}}.reader(0)
	r.Settled = func(e *journal.Entry) bool { return e.Record.Offset < 2 }
	if got, want := read(t, r), "1 2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestBoundaries: a checkpoint may be written where no flight is begun, with the positions there.
func TestBoundaries(t *testing.T) {
	f, g := layout(2, 0, 2, 1, 2), layout(8, 1, 1, 0, 1)
	r := batches{{{nil, []int64{1}}, {f, []int64{2, 3}}, {g, []int64{9}}},
		{{f, []int64{4, 5}}, {nil, []int64{6, 7}}, {g, []int64{8}}}}.reader(0)
	want := map[int64]string{1: "[1 0]", 5: "[3 2]", 6: "[3 3]", 7: "[3 4]", 9: "[4 5]"}
	for seq := int64(1); seq <= 9; seq++ {
		e, err := r.Next(t.Context())
		if err != nil || e.Seq != seq || e.Order != journal.Next {
			t.Fatal(e, err)
		}
		r.Last = seq
		at := ""
		if r.Boundary() {
			at = fmt.Sprint(r.Positions())
		}
		if at != want[seq] {
			t.Errorf("behind seq %d: %s, want %s", seq, at, want[seq])
		}
	}
	if r.Epoch != 2 {
		t.Errorf("the highest epoch is %d", r.Epoch)
	}
}

// fleeting is a source whose entries are overwritten by the call after, as Source says.
type fleeting struct {
	journal.Source
	last *journal.Entry
}

func (f *fleeting) Next(ctx context.Context) (*journal.Entry, error) {
	if f.last != nil {
		clear(f.last.Record.Value)
		*f.last.Record, *f.last = topics.Record{}, journal.Entry{}
	}
	e, err := f.Source.Next(ctx)
	f.last = e
	return e, err
}

// TestReadAheadIsKept: entries that are read to find out whether a flight is torn outlive those after them.
func TestReadAheadIsKept(t *testing.T) {
	f := layout(1, 0, 2, 1, 3, 0, 1) // 1 2 of partition 0, 3 4 5 of 1, 6 of 0
	topic := batches{{{f, []int64{1, 2, 6}}}, {{f, []int64{3, 4}}}}
	var sources []journal.Source
	for p, n := range []int64{3, 2} {
		part := topics.Part{Partition: int32(p), To: n}
		sources = append(sources, &fleeting{Source: journal.Open(topic, topics.Output, part, "m", 100)})
	}
	r := journal.NewReader(0, sources...)
	for seq := range int64(6) {
		e, err := r.Next(t.Context())
		if err != nil || e == nil || e.Seq != seq+1 {
			t.Fatalf("seq %d: %+v, %v", seq+1, e, err)
		}
		if e.Order != journal.Missing {
			if got := journal.Parse(e.Topic, e.Output, e.Record, "m"); got.Seq != e.Seq {
				t.Errorf("seq %d has the value %q", e.Seq, e.Record.Value)
			}
		}
		r.Last = e.Seq
	}
}
