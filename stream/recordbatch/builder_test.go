package recordbatch

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLimitIsExact fills a batch to its limit and one byte beyond.
func TestLimitIsExact(t *testing.T) {
	for size := range 300 { // over the steps of the length's varint
		value := bytes.Repeat([]byte("x"), size)
		probe := Builder{}
		probe.Append(5, nil, []byte("first"))
		probe.AppendHeaders(6, []byte("k"), value, nil, []Header{{"h", []byte("v")}})
		exact := probe.Size()
		if got := len(seal(t, &probe, None)); got != exact {
			t.Fatalf("Size %d, sealed %d", exact, got)
		}
		for _, limit := range []int{exact, exact - 1} {
			b := Builder{Limit: limit}
			b.Append(5, nil, []byte("first"))
			before := seal(t, &b, None)
			took := b.AppendHeaders(6, []byte("k"), value, nil, []Header{{"h", []byte("v")}})
			if took != (limit == exact) {
				t.Fatalf("value of %d bytes, limit %d, batch %d: Append said %v", size, limit, exact, took)
			}
			if !took && (b.Len() != 1 || !bytes.Equal(before, seal(t, &b, None))) {
				t.Fatalf("a refused record left something behind")
			}
		}
	}
}

func TestLimitOfFirstRecord(t *testing.T) {
	b := Builder{Limit: 61 + 8}
	if b.Append(0, nil, []byte("abc")) {
		t.Error("a record of 10 bytes found room for 8")
	}
	if b.Size() != 61 || b.Len() != 0 {
		t.Errorf("size %d, %d records", b.Size(), b.Len())
	}
	if !b.Append(0, nil, []byte("a")) || b.Size() != 61+8 {
		t.Errorf("a record of 8 bytes found no room; size %d", b.Size())
	}
	for _, limit := range []int{1, 60, 61, -5} {
		if b := (Builder{Limit: limit}); b.Append(0, nil, nil) {
			t.Errorf("limit %d: took a record", limit)
		}
	}
}

// TestSingle: one record may exceed Limit up to Single, and then nothing else fits, whichever way it is added.
func TestSingle(t *testing.T) {
	const size = 5000
	add := map[string]func(b *Builder, size int) bool{
		"Append": func(b *Builder, size int) bool { return b.Append(1, nil, make([]byte, size)) },
		"Finish": func(b *Builder, size int) bool {
			return b.Finish(append(b.Start(1, nil), make([]byte, size)...))
		},
	}
	for name, add := range add {
		probe := Builder{Limit: 1 << 20}
		add(&probe, size)
		exact := probe.Size()
		b := Builder{Limit: exact / 2, Single: exact}
		if add(&b, size+1) || !add(&b, size) || b.Size() != exact || add(&b, 1) {
			t.Errorf("%s: %d records, %d bytes of %d", name, b.Len(), b.Size(), exact)
		}
		b.Reset()
		if !add(&b, 10) || add(&b, size) || !add(&b, 10) {
			t.Errorf("%s: after a small record a large one, or no small one, fits", name)
		}
	}
}

func TestDefaultLimit(t *testing.T) {
	var b Builder
	for b.Append(1, nil, make([]byte, 100)) {
	}
	if b.Size() > DefaultLimit || b.Size() < DefaultLimit-120 {
		t.Errorf("size %d", b.Size())
	}
	// The lengths of value and record take three bytes each; attributes, deltas, key and header count one each.
	b.Reset()
	if b.Append(1, nil, make([]byte, DefaultLimit-61-3-3-5+1)) ||
		!b.Append(1, nil, make([]byte, DefaultLimit-61-3-3-5)) {
		t.Error("the limit is not exact")
	}
}

// TestCompressionNeverExceedsLimit packs what cannot be compressed into a batch that is full.
func TestCompressionNeverExceedsLimit(t *testing.T) {
	noise := make([]byte, 50_000)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	var probe Builder
	probe.Append(1, nil, noise)
	for _, codec := range codecs {
		b := Builder{Limit: probe.Size()}
		b.Append(1, nil, noise)
		out := seal(t, &b, codec)
		if len(out) > b.Limit {
			t.Errorf("%v: %d bytes, limit %d", codec, len(out), b.Limit)
		}
		batch, records := readAll(t, out)
		if batch.Codec != None || !bytes.Equal(records[0].Value, noise) {
			t.Errorf("%v: sealed with %v", codec, batch.Codec)
		}
		b = Builder{Limit: probe.Size() + 1000} // room for the compressor's frame
		b.Append(1, nil, noise)
		if batch, _ := readAll(t, seal(t, &b, codec)); batch.Codec != codec {
			t.Errorf("%v: sealed with %v in spite of the room", codec, batch.Codec)
		}
	}
}

func TestVarintLengths(t *testing.T) {
	for shift := range 64 {
		for _, d := range []int64{-2, -1, 0, 1, 2} {
			for _, x := range []int64{1<<shift + d, -1<<shift + d} {
				enc := binary.AppendVarint(nil, x)
				if varintLen(x) != len(enc) {
					t.Fatalf("%d: %d bytes, not %d", x, len(enc), varintLen(x))
				}
				if got, n := varint64(enc); got != x || n != len(enc) {
					t.Fatalf("varint64 of %d: %d, %d", x, got, n)
				}
				got, n := varint32(enc)
				if fits := x >= math.MinInt32 && x <= math.MaxInt32; fits && (int64(got) != x || n != len(enc)) ||
					!fits && n != 0 {
					t.Fatalf("varint32 of %d: %d, %d", x, got, n)
				}
			}
		}
	}
	for _, bad := range [][]byte{nil, {0x80}, {0x80, 0x80, 0x80, 0x80}, {0x80, 0x80, 0x80, 0x80, 0x80, 0},
		{0xff, 0xff, 0xff, 0xff, 0x10}} {
		if _, n := varint32(bad); n != 0 {
			t.Errorf("varint32 took % x", bad)
		}
	}
	if _, n := varint64(bytes.Repeat([]byte{0xff}, 11)); n != 0 {
		t.Error("varint64 took 11 bytes")
	}
}

func TestCopyRange(t *testing.T) {
	entries := awkward()
	b := build(t, entries)
	whole := seal(t, b, Zstd)
	for from := range len(entries) + 1 {
		for to := from; to <= len(entries); to++ {
			dst := Builder{Limit: 10} // far too small, and of no effect
			dst.Append(99, nil, []byte("gone"))
			b.CopyRange(&dst, from, to, nil)
			want := build(t, entries[from:to])
			if dst.Len() != to-from || dst.Size() != want.Size() || dst.Limit != 10 {
				t.Fatalf("%d to %d: %d records, %d bytes, want %d", from, to, dst.Len(), dst.Size(), want.Size())
			}
			if from == to {
				continue
			}
			dst.Limit = want.Limit // Seal minds it when it compresses
			for _, codec := range codecs {
				got, err := dst.Seal(7, 3, 11, codec)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, seal(t, want, codec)) {
					t.Fatalf("%d to %d, %v: other bytes than the same records appended", from, to, codec)
				}
			}
		}
	}
	if !bytes.Equal(whole, seal(t, b, Zstd)) {
		t.Error("CopyRange changed its source")
	}
}

// TestLead: a batch with added headers is the one whose first record has them; so is each part of it.
func TestLead(t *testing.T) {
	lead := Header{"rosenblatt.flight", bytes.Repeat([]byte("l"), 200)}
	for n := 1; n <= len(awkward()); n++ {
		entries := awkward()[:n]
		b := build(t, entries)
		b.Limit = 10
		b.Lead(lead) // regardless of the limit
		for at := range n {
			var part Builder
			b.CopyRange(&part, at, n, nil)
			want := Builder{Limit: math.MaxInt32}
			for i, e := range entries[at:] {
				extra := slices.Clone(e.extra)
				if i == 0 {
					extra = append(extra, lead)
				}
				want.AppendHeaders(e.time, e.key, e.value, e.raw, extra)
			}
			part.Limit = want.Limit
			for _, codec := range codecs {
				if !bytes.Equal(seal(t, &part, codec), seal(t, &want, codec)) {
					t.Fatalf("%d of %d records, %v: other bytes", n-at, n, codec)
				}
			}
		}
		b.Reset()
		b.Limit = 0
		if b.Append(0, nil, nil); b.Size() > HeaderSize+20 {
			t.Error("Reset leaves the headers")
		}
	}
}

// TestCopyEdited: what goes out in place of a record keeps its headers.
func TestCopyEdited(t *testing.T) {
	var b, dst, want Builder
	b.Append(5, []byte("k"), []byte("long"))
	b.Append(6, []byte("k"), []byte("long"))
	lead := Header{"h", nil}
	b.Lead(lead)
	b.CopyRange(&dst, 1, 2, func(r *Record) { r.Key, r.Value = nil, []byte("s") })
	want.AppendHeaders(6, nil, []byte("s"), nil, []Header{lead})
	if !bytes.Equal(seal(t, &dst, None), seal(t, &want, None)) {
		t.Error("other bytes")
	}
}

func TestCopyRangePanics(t *testing.T) {
	b := build(t, awkward()[:3])
	for _, r := range [][2]int{{-1, 2}, {2, 1}, {0, 4}, {4, 4}} {
		mustPanic(t, fmt.Sprint(r), func() { b.CopyRange(new(Builder), r[0], r[1], nil) })
	}
	mustPanic(t, "itself", func() { b.CopyRange(b, 0, 1, nil) })
	mustPanic(t, "headers", func() { b.AppendHeaders(0, nil, nil, []byte{0x80}, nil) })
	mustPanic(t, "headers", func() { b.AppendHeaders(0, nil, nil, []byte{1}, nil) })
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}

func TestAppendAllocatesNothing(t *testing.T) {
	var b Builder
	key, value := []byte("some key"), make([]byte, 150)
	extra := []Header{{"rosenblatt.reason", []byte("json")}, {"rosenblatt.error", nil}}
	fill := func() {
		b.Reset()
		for i := range int64(100) {
			b.Append(i, key, value)
			b.AppendHeaders(-i, key, value, []byte{2, 2, 'h', 1}, extra)
		}
		if _, err := b.Seal(1, 1, 1, None); err != nil {
			t.Fatal(err)
		}
	}
	fill()
	if n := testing.AllocsPerRun(20, fill); n != 0 {
		t.Errorf("%v allocations for 200 records and a Seal", n)
	}
}
