package registry

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/topics"
)

// source is a registry that knows some ids, and gives no answer while it is away.
type source struct {
	ids  []uint32
	away bool
}

func (s *source) Get(ctx context.Context, id schema.ID) (*schema.Schema, error) {
	if s.away {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if !slices.Contains(s.ids, id.Number) {
		return nil, nil
	}
	return &schema.Schema{Type: schema.Avro, Text: id.String()}, nil
}

func (s *source) Ask(ctx context.Context, id schema.ID) (*schema.Schema, error) {
	return s.Get(ctx, id)
}

func value(id uint32, more string) recordbatch.Record {
	return recordbatch.Record{Value: append(binary.BigEndian.AppendUint32([]byte{0}, id), more...)}
}

func gate(s Source) *Gate {
	return &Gate{Known: &schema.Known{}, Source: s, Logger: zerolog.Nop()}
}

var lenient = Framing{MaxBytes: 1000}

// TestMissing: the ids that nobody knows, each once, of records that are looked at. Records of known ids are counted.
func TestMissing(t *testing.T) {
	g := gate(&source{ids: []uint32{1, 2}})
	records := []recordbatch.Record{value(1, "a"), value(1, "b"), value(2, "c"), value(1, "d"), {},
		{Value: []byte("x")},
		value(3, ""), value(4, strings.Repeat("x", 2000)), {Key: make([]byte, 1001), Value: value(5, "").Value}}
	missing := g.Missing(lenient, records)
	if want := []schema.ID{{Number: 1}, {Number: 2}, {Number: 3}}; !slices.Equal(missing, want) {
		t.Errorf("%v", missing)
	}
	if err := g.Await(t.Context(), topics.Input, 0, missing); err != nil {
		t.Fatal(err)
	}
	if again := g.Missing(lenient, records); !slices.Equal(again, missing[2:]) || g.Records(missing[0]) != 3 ||
		g.Records(missing[1]) != 1 || g.Records(missing[2]) != 0 {
		t.Errorf("%v, %v", again, g.records)
	}
	known := records[:4]
	if n := testing.AllocsPerRun(100, func() { g.Missing(lenient, known) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestFirstRecordsCount: the records count for which a schema is asked for.
func TestFirstRecordsCount(t *testing.T) {
	g := gate(&source{ids: []uint32{1}})
	run := &topics.Run{Records: []recordbatch.Record{value(1, "a"), value(2, "b"), value(1, "c")}}
	r := Opener{Gate: g, Framing: func(topics.Topic) (Framing, bool) { return lenient, true }}.
		Reader(topics.Input, 0, readOnly{})
	for range 2 {
		if err := r.Read(t.Context(), run, 10); err != nil {
			t.Fatal(err)
		}
	}
	if one, two := g.Records(schema.ID{Number: 1}), g.Records(schema.ID{Number: 2}); one != 4 || two != 0 {
		t.Errorf("%d and %d records", one, two)
	}
}

// readOnly leaves a run as it is.
type readOnly struct{ topics.Reader }

func (readOnly) Read(context.Context, *topics.Run, int) error { return nil }

// TestAwait: a partition waits as long as there is no answer, and is listed meanwhile.
func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate(&source{away: true})
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		go func() {
			time.Sleep(time.Minute)
			w := g.Waiting()
			if len(w) != 1 || w[0].Partition != 3 || w[0].ID.Number != 7 || time.Since(w[0].Since) != time.Minute {
				t.Errorf("%+v", w)
			}
		}()
		if err := g.Await(ctx, topics.Input, 3, []schema.ID{{Number: 7}}); !errors.Is(err, context.DeadlineExceeded) ||
			len(g.Waiting()) != 0 {
			t.Error(err, g.Waiting())
		}
		if g.Source = nil; g.Await(ctx, topics.Input, 3, []schema.ID{{Number: 7}}) != nil {
			t.Error("nobody is asked")
		}
	})
}

// TestKnownMeanwhile: what becomes known by other means, as from the checkpoint topic, ends the wait.
func TestKnownMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate(&source{away: true})
		go func() {
			time.Sleep(time.Minute)
			_ = g.Known.Load([]schema.Entry{{ID: schema.ID{Number: 7}, Schema: &schema.Schema{Type: schema.Avro}}})
		}()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if err := g.Await(ctx, topics.Input, 3, []schema.ID{{Number: 7}}); err != nil {
			t.Error(err)
		}
	})
}

// TestUnsaved: a schema that cannot be saved is not known, and the partition waits until it can.
func TestUnsaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate(&source{ids: []uint32{7}})
		began := time.Now()
		g.Known.Save = func([]schema.Entry) error {
			if time.Since(began) < time.Hour {
				return errors.New("no space")
			}
			return nil
		}
		var log strings.Builder
		g.Logger = zerolog.New(&log)
		if err := g.Await(t.Context(), topics.Input, 3, []schema.ID{{Number: 7}}); err != nil ||
			time.Since(began) < time.Hour {
			t.Error(err, time.Since(began))
		}
		if n := strings.Count(log.String(), "no space"); n < 50 || n > 62 {
			t.Errorf("%d lines", n)
		}
	})
}
