package recordbatch

import (
	"bytes"
	"errors"
	"math"
	"testing"
)

// FuzzNext reads any bytes as a record set, as they are and with lengths and sums made right, so that what is behind
// the checksum is reached. Every error is of this package, and what is unpacked stays within the limit.
func FuzzNext(f *testing.F) {
	for _, codec := range codecs {
		out := small(f, codec)
		f.Add(out)
		f.Add(append(bytes.Clone(out), out...))
		f.Add(seal(f, large(f, 5000), codec))
	}
	f.Add(repack(small(f, None), []byte(xerialHeader+"\x00\x00\x00\x03\x02\x04ab"), uint16(Snappy)))
	u := &Unpacker{Limit: 4096}
	f.Fuzz(func(t *testing.T, buf []byte) {
		readAny(t, u, buf)
		if len(buf) < HeaderSize {
			return
		}
		p := bytes.Clone(buf)
		p[MagicAt] = magic
		p[0] &= 0x7f
		readAny(t, u, resum(p))
	})
}

func readAny(t *testing.T, u *Unpacker, buf []byte) {
	for len(buf) > 0 {
		b, rest, err := Next(buf)
		if err != nil {
			if !errors.Is(err, ErrPartial) && !isCorrupt(err) || len(rest) != len(buf) {
				t.Fatalf("%v, %d of %d bytes left", err, len(rest), len(buf))
			}
			return
		}
		if _, err := b.Marker(); err != nil && !isCorrupt(err) {
			t.Fatal(err)
		}
		readBatch(t, u, &b)
		buf = rest
	}
}

func readBatch(t *testing.T, u *Unpacker, b *Batch) {
	records, err := u.Open(b)
	if err != nil {
		var big *TooBig
		if !errors.As(err, &big) && !isCorrupt(err) {
			t.Fatal(err)
		}
		return
	}
	if int64(len(records.rest)) > u.Limit {
		t.Fatalf("%v: %d bytes of records", b.Codec, len(records.rest))
	}
	var r Record
	n, last := 0, b.BaseOffset-1
	for ; records.Next(&r); n++ {
		if r.Offset <= last || r.Offset > b.LastOffset {
			t.Fatalf("offset %d after %d, last %d", r.Offset, last, b.LastOffset)
		}
		last = r.Offset
		if _, err := ParseHeaders(r.Headers); err != nil {
			t.Fatalf("headers % x: %v", r.Headers, err)
		}
	}
	if err := records.Err(); err != nil && !isCorrupt(err) || err == nil && n != b.Count {
		t.Fatalf("%d records of %d, %v", n, b.Count, err)
	}
}

func isCorrupt(err error) bool {
	var c *Corrupt
	return errors.As(err, &c)
}

// FuzzRoundTrip writes two records and reads them back, with every codec.
func FuzzRoundTrip(f *testing.F) {
	f.Add(int64(0), int64(1), []byte("key"), []byte("value"), "header", uint8(0))
	f.Add(int64(math.MaxInt64), int64(math.MinInt64), []byte{}, []byte{}, "", uint8(7))
	u := &Unpacker{}
	f.Fuzz(func(t *testing.T, first, second int64, key, value []byte, header string, null uint8) {
		if null&1 != 0 {
			key = nil
		}
		if null&2 != 0 {
			value = nil
		}
		entries := []entry{{time: first, key: key, value: value},
			{time: second, key: value, value: key, extra: []Header{{header, key}, {"", value}}}}
		b := build(t, entries)
		for _, codec := range codecs {
			batch, _, err := Next(seal(t, b, codec))
			if err != nil {
				t.Fatal(err)
			}
			records, err := u.Open(&batch)
			if err != nil {
				t.Fatal(err)
			}
			var r Record
			for i, e := range entries {
				if !records.Next(&r) {
					t.Fatal(records.Err())
				}
				checkRecord(t, r, e, int64(i))
			}
			if records.Next(&r) || records.Err() != nil {
				t.Fatal(records.Err())
			}
		}
	})
}
