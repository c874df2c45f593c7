package recordbatch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
)

func TestUncompressedOverLimit(t *testing.T) {
	batch := packed(t, None, make([]byte, 1001))
	u := Unpacker{Limit: 1000}
	var big *TooBig
	if _, err := u.Open(&batch); !errors.As(err, &big) {
		t.Error(err)
	}
	batch = packed(t, None, make([]byte, 1000))
	if _, err := u.Open(&batch); err != nil {
		t.Error(err)
	}
}

// large returns a batch of n bytes of records, more than a scratch holds.
func large(t testing.TB, n int) *Builder {
	b := &Builder{Limit: n + HeaderSize}
	line := bytes.Repeat([]byte("a line of text that is somewhat alike; "), 30)
	for i := int64(0); ; i++ {
		line = binary.AppendVarint(line[:1000], i*i*7919)
		if !b.Append(i, nil, line) {
			return b
		}
	}
}

// TestLimitOfUnpacking opens batches just at their limit and one byte over it, below, at and above the size of the
// scratch.
func TestLimitOfUnpacking(t *testing.T) {
	for _, size := range []int{5000, scratchSize - 1, scratchSize, scratchSize + 1, 3 * mib} {
		b := large(t, size-3000)
		b.Limit = size + HeaderSize
		value := make([]byte, 4200)
		for !b.Append(0, nil, value) { // until it fits to the byte
			value = value[1:]
		}
		if b.Size() != b.Limit {
			t.Fatalf("%d bytes, want %d", b.Size(), b.Limit)
		}
		exact := int64(b.Size() - HeaderSize)
		for _, codec := range codecs {
			batch, _, err := Next(seal(t, b, codec))
			if err != nil {
				t.Fatal(err)
			}
			var records Records
			u := Unpacker{Limit: exact}
			if records, err = u.Open(&batch); err != nil {
				t.Fatalf("%v: %d bytes at their limit: %v", codec, exact, err)
			}
			if !bytes.Equal(records.rest, b.records().rest) {
				t.Errorf("%v: %d bytes come out otherwise", codec, exact)
			}
			u.Limit--
			var big *TooBig
			if _, err := u.Open(&batch); !errors.As(err, &big) {
				t.Errorf("%v: %d bytes over their limit: %v", codec, exact, err)
			}
		}
	}
}

// TestUnpackedMemory opens a batch of 10 MiB: what is allocated is those 10 MiB and the decompressor.
func TestUnpackedMemory(t *testing.T) {
	b := large(t, 10*mib)
	for _, codec := range codecs[1:] {
		batch, _, err := Next(seal(t, b, codec))
		if err != nil {
			t.Fatal(err)
		}
		var u Unpacker
		got := allocated(func() {
			if _, err := u.Open(&batch); err != nil {
				t.Error(err)
			}
		})
		if got > 16*mib {
			t.Errorf("%v: allocated %d KiB for 10 MiB", codec, got>>10)
		}
	}
}

// TestUnpackedIsFresh opens two batches with one Unpacker and finds the first one unharmed.
func TestUnpackedIsFresh(t *testing.T) {
	for _, codec := range codecs[1:] {
		for _, n := range []int{10_000, 3 * mib} {
			a, b := large(t, n), large(t, n)
			for i := range b.records().rest {
				b.records().rest[i] = 'b'
			}
			first, _, err := Next(seal(t, a, codec))
			if err != nil {
				t.Fatal(err)
			}
			second, _, err := Next(seal(t, b, codec))
			if err != nil {
				t.Fatal(err)
			}
			var u Unpacker
			records, err := u.Open(&first)
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if _, err := u.Open(&second); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(records.rest, a.records().rest) {
				t.Errorf("%v: the second batch overwrote the first", codec)
			}
		}
	}
}

// TestDamagedPayload cuts and flips what is compressed, under a right sum. The Unpacker must work again after each.
func TestDamagedPayload(t *testing.T) {
	for _, codec := range codecs[1:] {
		b := large(t, 20_000)
		out := seal(t, b, codec)
		whole, _, err := Next(out)
		if err != nil {
			t.Fatal(err)
		}
		u := Unpacker{Limit: mib}
		for i := 0; i < len(whole.records); i += 1 + i/20 {
			cut := whole
			cut.records = whole.records[:i]
			checkDamaged(t, &u, &cut, true)
			flipped := whole
			flipped.records = bytes.Clone(whole.records)
			flipped.records[i] ^= 0x10
			checkDamaged(t, &u, &flipped, false)
			records, err := u.Open(&whole)
			if err != nil || !bytes.Equal(records.rest, b.records().rest) {
				t.Fatalf("%v: byte %d: the next batch: %v", codec, i, err)
			}
		}
	}
}

// checkDamaged expects an error of this package; a flipped bit may cause none, because it may be in an unused field.
func checkDamaged(t *testing.T, u *Unpacker, b *Batch, must bool) {
	t.Helper()
	records, err := u.Open(b)
	if err == nil {
		var r Record
		for records.Next(&r) {
		}
		err = records.Err()
	}
	var corrupt *Corrupt
	var big *TooBig
	if err == nil && must || err != nil && !errors.As(err, &corrupt) && !errors.As(err, &big) {
		t.Fatalf("%v, %d bytes: %v", b.Codec, len(b.records), err)
	}
}

func TestSnappyThatLies(t *testing.T) {
	for _, payload := range [][]byte{
		nil, {0x80}, []byte(xerialMagic), []byte(xerialHeader + "\x00\x00\x00"),
		[]byte(xerialHeader + "\x00\x00\x00\x02\x00"),
		[]byte(xerialHeader + "\x00\x00\x00\x00"), []byte(xerialHeader + "\xff\xff\xff\xff\x00"),
		[]byte(xerialHeader + "\x00\x00\x00\x01\x05"),
		binary.AppendUvarint(nil, 60*mib), // within the limit, but not of five bytes
		append([]byte(xerialHeader+"\x00\x00\x00\x04"), binary.AppendUvarint(nil, 60*mib)...),
		binary.AppendUvarint(nil, 1<<40),
	} {
		batch := packed(t, Snappy, payload)
		var u Unpacker
		var err error
		got := allocated(func() { _, err = u.Open(&batch) })
		wantCorrupt(t, string(payload), err, 0)
		if got > 64<<10 {
			t.Errorf("% x: allocated %d bytes", payload, got)
		}
	}
}
