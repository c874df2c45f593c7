package recordbatch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"testing"
	"time"

	"github.com/klauspost/compress/s2"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestKmsgReadsAndWritesTheSame decodes our batch with franz-go's structures and encodes it again: the same bytes.
func TestKmsgReadsAndWritesTheSame(t *testing.T) {
	entries := awkward()
	out := seal(t, build(t, entries), None)
	var batch kmsg.RecordBatch
	if err := batch.ReadFrom(out); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(batch.AppendTo(nil), out) {
		t.Error("kmsg writes the batch with other bytes")
	}
	if batch.FirstOffset != 0 || batch.PartitionLeaderEpoch != -1 || batch.Magic != 2 || batch.Attributes != 0 {
		t.Errorf("header % x", out[:HeaderSize])
	}
	if batch.ProducerID != 7 || batch.ProducerEpoch != 3 || batch.FirstSequence != 11 {
		t.Errorf("header % x", out[:HeaderSize])
	}
	if int(batch.NumRecords) != len(entries) || int(batch.LastOffsetDelta) != len(entries)-1 ||
		int(batch.Length) != len(out)-12 {
		t.Errorf("header % x", out[:HeaderSize])
	}
	if uint32(batch.CRC) != crc32.Checksum(out[21:], crc32.MakeTable(crc32.Castagnoli)) {
		t.Error("wrong sum")
	}
	rest := batch.Records
	for i, e := range entries {
		size, n := binary.Varint(rest)
		raw := rest[:n+int(size)]
		rest = rest[len(raw):]
		checkKmsg(t, raw, batch.FirstTimestamp, e, i)
	}
	if len(rest) != 0 {
		t.Errorf("%d bytes after the records", len(rest))
	}
}

func checkKmsg(t *testing.T, raw []byte, firstTime int64, e entry, i int) {
	t.Helper()
	var r kmsg.Record
	if err := r.ReadFrom(raw); err != nil {
		t.Fatalf("record %d: %v", i, err)
	}
	if !bytes.Equal(r.AppendTo(nil), raw) {
		t.Errorf("record %d: kmsg writes it with other bytes", i)
	}
	if firstTime+r.TimestampDelta64 != e.time || int(r.OffsetDelta) != i || !equalNull(r.Key, e.key) ||
		!equalNull(r.Value, e.value) {
		t.Errorf("record %d: offset %d, time %d", i, r.OffsetDelta, firstTime+r.TimestampDelta64)
	}
	want := wantHeaders(t, e)
	if len(r.Headers) != len(want) {
		t.Fatalf("record %d: %d headers, want %d", i, len(r.Headers), len(want))
	}
	for j, h := range r.Headers {
		if h.Key != want[j].Key || !equalNull(h.Value, want[j].Value) {
			t.Errorf("record %d: header %q, want %q", i, h, want[j])
		}
	}
}

// modest leaves out the timestamps that kafka-go does not keep: the extreme ones, and 0, for which it takes the time of
// day.
func modest() []entry {
	entries := awkward()
	for i := range entries {
		entries[i].time = min(max(entries[i].time, -1), 1_800_000_000_000)
		if entries[i].time == 0 {
			entries[i].time = 1
		}
	}
	return entries
}

func content(t *testing.T, b protocol.Bytes) []byte {
	t.Helper()
	if b == nil {
		return nil
	}
	p, err := protocol.ReadAll(b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestKafkaGoReadsOurs decodes every codec with kafka-go, which checks the sum.
func TestKafkaGoReadsOurs(t *testing.T) {
	entries := modest()
	b := build(t, entries)
	for _, codec := range codecs {
		out := seal(t, b, codec)
		sized := append(binary.BigEndian.AppendUint32(nil, uint32(len(out))), out...)
		var set protocol.RecordSet
		if _, err := set.ReadFrom(bytes.NewReader(sized)); err != nil {
			t.Fatalf("%v: %v", codec, err)
		}
		for i, e := range entries {
			r, err := set.Records.ReadRecord()
			if err != nil {
				t.Fatalf("%v: record %d: %v", codec, i, err)
			}
			if r.Offset != int64(i) || r.Time.UnixMilli() != e.time || !equalNull(content(t, r.Key), e.key) ||
				!equalNull(content(t, r.Value), e.value) {
				t.Errorf("%v: record %d: offset %d, time %v", codec, i, r.Offset, r.Time)
			}
			if len(r.Headers) != len(wantHeaders(t, e)) {
				t.Errorf("%v: record %d: %d headers", codec, i, len(r.Headers))
			}
		}
		if _, err := set.Records.ReadRecord(); !errors.Is(err, io.EOF) {
			t.Errorf("%v: after the last record: %v", codec, err)
		}
	}
}

// TestWeReadKafkaGos decodes batches that kafka-go compressed. It writes snappy framed.
func TestWeReadKafkaGos(t *testing.T) {
	entries := modest()
	for _, codec := range codecs {
		var records []protocol.Record
		for _, e := range entries {
			r := protocol.Record{Time: time.UnixMilli(e.time), Key: protocol.NewBytes(e.key),
				Value: protocol.NewBytes(e.value)}
			for _, h := range wantHeaders(t, e) {
				r.Headers = append(r.Headers, protocol.Header{Key: h.Key, Value: h.Value})
			}
			records = append(records, r)
		}
		set := protocol.RecordSet{Version: 2, Attributes: protocol.Attributes(codec),
			Records: protocol.NewRecordReader(records...)}
		var out bytes.Buffer
		if _, err := set.WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		batch, got := readAll(t, out.Bytes()[4:])
		if batch.Codec != codec || len(got) != len(entries) {
			t.Fatalf("%v: %d records of %v", codec, len(got), batch.Codec)
		}
		for i, r := range got {
			if r.Timestamp != entries[i].time || !equalNull(r.Key, entries[i].key) ||
				!equalNull(r.Value, entries[i].value) {
				t.Errorf("%v: record %d: offset %d, time %v", codec, i, r.Offset, r.Timestamp)
			}
		}
	}
}

// repack returns the batch out, uncompressed as it must be, with other records and attributes under a right sum.
func repack(out, records []byte, attrs uint16) []byte {
	p := append(bytes.Clone(out[:HeaderSize]), records...)
	be.PutUint16(p[attrsAt:], attrs)
	return resum(p)
}

// resum corrects length and checksum.
func resum(p []byte) []byte {
	be.PutUint32(p[LengthAt:], uint32(len(p)-lengthCovers))
	be.PutUint32(p[sumAt:], crc32.Checksum(p[attrsAt:], castagnoli))
	return p
}

func TestBareSnappy(t *testing.T) {
	entries := awkward()
	out := seal(t, build(t, entries), None)
	batch, records := readAll(t, repack(out, s2.EncodeSnappy(nil, out[HeaderSize:]), uint16(Snappy)))
	if batch.Codec != Snappy || len(records) != len(entries) {
		t.Fatalf("%d records of %v", len(records), batch.Codec)
	}
	for i, r := range records {
		checkRecord(t, r, entries[i], int64(i))
	}
}
