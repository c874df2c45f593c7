package recordbatch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
)

// small returns a short batch at base offset 100.
func small(t testing.TB, codec Codec) []byte {
	b := Builder{}
	b.Append(1000, nil, []byte("first value, first value"))
	b.AppendHeaders(1001, []byte("key"), nil, nil, []Header{{"h", []byte("v")}})
	b.Append(999, []byte{}, []byte{})
	out := seal(t, &b, codec)
	be.PutUint64(out, 100)
	return out
}

// decode reads a record set as the reader does and returns how many records it holds.
func decode(buf []byte) (n int, err error) {
	var u Unpacker
	for len(buf) > 0 {
		b, rest, err := Next(buf)
		if err != nil {
			return n, err
		}
		records, err := u.Open(&b)
		if err != nil {
			return n, err
		}
		var r Record
		for records.Next(&r) {
			if r.Offset < b.BaseOffset || r.Offset > b.LastOffset {
				return n, fmt.Errorf("offset %d of %d to %d", r.Offset, b.BaseOffset, b.LastOffset)
			}
			n++
		}
		if err := records.Err(); err != nil {
			return n, err
		}
		buf = rest
	}
	return n, nil
}

func wantCorrupt(t *testing.T, what string, err error, base int64) {
	t.Helper()
	var c *Corrupt
	if !errors.As(err, &c) {
		t.Errorf("%s: %v, want *Corrupt", what, err)
	} else if c.BaseOffset != base || !strings.Contains(c.Error(), fmt.Sprint(base)) {
		t.Errorf("%s: base offset %d, want %d: %v", what, c.BaseOffset, base, c)
	}
}

func TestSeveralBatches(t *testing.T) {
	var set []byte
	for i, codec := range codecs {
		out := small(t, codec)
		be.PutUint64(out, uint64(100+10*i))
		set = append(set, out...)
	}
	if n, err := decode(set); n != 3*len(codecs) || err != nil {
		t.Errorf("%d records, %v", n, err)
	}
	for cut := 1; cut < len(small(t, Zstd)); cut++ {
		if n, err := decode(set[:len(set)-cut]); n != 3*(len(codecs)-1) || !errors.Is(err, ErrPartial) {
			t.Fatalf("%d bytes cut off: %d records, %v", cut, n, err)
		}
	}
}

func TestEveryPrefixIsPartial(t *testing.T) {
	for _, codec := range codecs {
		out := small(t, codec)
		for n := range out {
			if _, rest, err := Next(out[:n]); !errors.Is(err, ErrPartial) || len(rest) != n {
				t.Fatalf("%v: prefix of %d bytes: %v, %d bytes left", codec, n, err, len(rest))
			}
		}
	}
	if !errors.Is(ErrPartial, io.ErrUnexpectedEOF) {
		t.Error("ErrPartial is no io.ErrUnexpectedEOF")
	}
}

func TestEveryFlippedBitIsCorrupt(t *testing.T) {
	for _, codec := range codecs {
		out := small(t, codec)
		for bit := range 8 * len(out) {
			p := bytes.Clone(out)
			p[bit/8] ^= 1 << (bit % 8)
			n, err := decode(p)
			what := fmt.Sprintf("%v: bit %d of byte %d", codec, bit%8, bit/8)
			switch at := bit / 8; {
			case at >= sumAt || at == MagicAt:
				wantCorrupt(t, what, err, 100)
				if at >= sumAt && !errors.Is(err, errSum) {
					t.Errorf("%s: %v", what, err)
				}
			case at >= LeaderEpochAt:
				if n != 3 || err != nil {
					t.Errorf("%s: %d records, %v", what, n, err)
				}
			case at >= LengthAt:
				var c *Corrupt
				if !errors.Is(err, ErrPartial) && !errors.As(err, &c) {
					t.Errorf("%s: %v", what, err)
				}
			case at == 0 && bit == 7: // a negative base offset
				wantCorrupt(t, what, err, math.MinInt64+100)
			case n != 3 || err != nil:
				t.Errorf("%s: %d records, %v", what, n, err)
			}
		}
	}
}

func TestHeaderIsChecked(t *testing.T) {
	for _, c := range []struct {
		what string
		edit func(p []byte)
		base int64
		late bool // shows when the records are read
	}{
		{"a last offset below the first", func(p []byte) { be.PutUint32(p[LastDeltaAt:], math.MaxUint32) }, 100, false},
		{"a negative count", func(p []byte) { be.PutUint32(p[CountAt:], math.MaxUint32) }, 100, false},
		{"more records than offsets", func(p []byte) { be.PutUint32(p[CountAt:], 4) }, 100, false},
		{"more records than there are", func(p []byte) {
			be.PutUint32(p[CountAt:], 4)
			be.PutUint32(p[LastDeltaAt:],
				3)
		}, 100, true},
		{"fewer records than there are", func(p []byte) { be.PutUint32(p[CountAt:], 2) }, 100, true},
		{"no records by count", func(p []byte) { be.PutUint32(p[CountAt:], 0) }, 100, true},
		{"a record beyond the last offset", func(p []byte) {
			be.PutUint32(p[CountAt:], 2)
			be.PutUint32(p[LastDeltaAt:],
				1)
		}, 100, true},
		{"codec 5", func(p []byte) { p[attrsAt+1] = 5 }, 100, false},
		{"codec 7", func(p []byte) { p[attrsAt+1] = 7 }, 100, false},
		{"a negative base offset", func(p []byte) { be.PutUint64(p, math.MaxUint64) }, -1, false},
		{"offsets beyond 63 bits", func(p []byte) { be.PutUint64(p, math.MaxInt64-2) }, math.MaxInt64 - 2, false},
	} {
		p := small(t, None)
		c.edit(p)
		resum(p)
		_, err := decode(p)
		wantCorrupt(t, c.what, err, c.base)
		if _, _, err := Next(p); (err == nil) != c.late {
			t.Errorf("%s: Next says %v", c.what, err)
		}
	}
	p := small(t, None)
	be.PutUint32(p[LengthAt:], 48)
	_, err := decode(p)
	wantCorrupt(t, "a length below a header's", err, 100)
}

func TestOldFormats(t *testing.T) {
	for m := range byte(2) {
		p := small(t, None)
		p[MagicAt] = m
		_, _, err := Next(p)
		wantCorrupt(t, "magic", err, 100)
		if !errors.Is(err, ErrOldFormat) {
			t.Errorf("magic %d: %v", m, err)
		}
	}
	p := small(t, None)
	p[MagicAt] = 3
	if _, _, err := Next(p); errors.Is(err, ErrOldFormat) {
		t.Errorf("magic 3: %v", err)
	}
}

func TestAttributes(t *testing.T) {
	out := small(t, None)
	p := repack(out, out[HeaderSize:], transactionalBit|controlBit|logAppendBit)
	b, records := readAll(t, p)
	if !b.Transactional || !b.Control || !b.LogAppendTime {
		t.Errorf("batch %+v", headerOf(b))
	}
	for _, r := range records {
		if r.Timestamp != 1001 { // the greatest
			t.Errorf("offset %d: timestamp %d", r.Offset, r.Timestamp)
		}
	}
	// With the delete horizon bit the first timestamp is no record's, and records are relative to it all the same.
	if _, records := readAll(t, repack(out, out[HeaderSize:], 0x40)); records[2].Timestamp != 999 ||
		records[2].Offset != 102 {
		t.Errorf("record %+v", records[2])
	}
}

// TestCompacted reads what compaction leaves: gaps in the offsets, and batches without records.
func TestCompacted(t *testing.T) {
	out := small(t, None)
	p := bytes.Clone(out)
	be.PutUint32(p[LastDeltaAt:], 50)
	b, records := readAll(t, resum(p))
	if b.LastOffset != 150 || len(records) != 3 || records[2].Offset != 102 {
		t.Errorf("batch %+v, %d records", headerOf(b), len(records))
	}
	for _, codec := range codecs {
		p := repack(out, nil, uint16(codec))
		be.PutUint32(p[CountAt:], 0)
		b, records := readAll(t, resum(p))
		if b.Count != 0 || b.LastOffset != 102 || len(records) != 0 {
			t.Errorf("%v: batch %+v, %d records", codec, headerOf(b), len(records))
		}
	}
}

func marker(t *testing.T, key, value []byte, attrs uint16) Batch {
	t.Helper()
	var b Builder
	b.Append(5, key, value)
	out := seal(t, &b, None)
	batch, _, err := Next(repack(out, out[HeaderSize:], attrs))
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

func TestMarker(t *testing.T) {
	const control = controlBit | transactionalBit
	value := []byte{0, 0, 0, 0, 0, 9}
	for _, c := range []struct {
		key    []byte
		commit bool
	}{{[]byte{0, 0, 0, 0}, false}, {[]byte{0, 0, 0, 1}, true}, {[]byte{0, 1, 0, 1, 7, 7}, true}} {
		b := marker(t, c.key, value, control)
		if commit, err := b.Marker(); commit != c.commit || err != nil {
			t.Errorf("% x: %v, %v", c.key, commit, err)
		}
	}
	for _, key := range [][]byte{nil, {}, {0, 0, 0}, {0, 0, 0, 2}, {0, 0, 1, 1}, {0, 0, 255, 255}} {
		b := marker(t, key, value, control)
		_, err := b.Marker()
		wantCorrupt(t, fmt.Sprintf("key % x", key), err, 0)
	}
	b := marker(t, []byte{0, 0, 0, 1}, value, transactionalBit)
	_, err := b.Marker()
	wantCorrupt(t, "a batch of data", err, 0)
	b = marker(t, []byte{0, 0, 0, 1}, value, control)
	b.records = b.records[:len(b.records)-1]
	_, err = b.Marker()
	wantCorrupt(t, "a marker cut off", err, 0)
	b.Count, b.records = 0, nil
	_, err = b.Marker()
	wantCorrupt(t, "a control batch without a record", err, 0)
}
