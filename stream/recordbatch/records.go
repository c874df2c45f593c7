package recordbatch

import (
	"errors"
	"fmt"
)

// The errors of a malformed record.
var (
	errRecordLength    = errors.New("record length")
	errTimestampDelta  = errors.New("timestamp delta")
	errOffsetDelta     = errors.New("offset delta")
	errKey             = errors.New("key length")
	errValue           = errors.New("value length")
	errSpare           = errors.New("bytes after the headers")
	errTrailing        = errors.New("bytes after the last record")
	errCountOfRecords  = errors.New("fewer records than the batch counts")
	errCountOfHeaders  = errors.New("header count")
	errHeaderStructure = errors.New("header length")
)

// Records iterates over the decompressed records of one batch.
type Records struct {
	rest       []byte
	read       int // records read
	count      int // the batch's number of records
	base       int64
	firstTime  int64
	maxTime    int64
	logAppend  bool
	lastDelta  int32
	previous   int32 // offset delta of the previous record; -1 at the start
	lastOffset int64 // for errors
	err        error
}

// open returns an iterator over the batch's decompressed records.
func (b *Batch) open(unpacked []byte) Records {
	return Records{
		rest: unpacked, count: b.Count, base: b.BaseOffset,
		lastOffset: b.LastOffset, lastDelta: int32(b.LastOffset - b.BaseOffset),
		firstTime: b.FirstTimestamp, maxTime: b.MaxTimestamp, logAppend: b.LogAppendTime, previous: -1,
	}
}

// Next fills rec with the next record. It returns false after the last one and at the first malformed one: see Err.
// It does not allocate; the record's bytes alias the decompressed batch.
func (r *Records) Next(rec *Record) bool {
	if r.err != nil {
		return false
	}
	if r.read == r.count {
		if len(r.rest) > 0 {
			r.fail(errTrailing)
		}
		return false
	}
	if len(r.rest) == 0 {
		r.fail(errCountOfRecords)
		return false
	}
	size, n := varint32(r.rest)
	if n == 0 || size < 0 || int(size) > len(r.rest)-n {
		r.fail(errRecordLength)
		return false
	}
	end := n + int(size)
	if err := r.parse(r.rest[n:end:end], rec); err != nil {
		r.fail(err)
		return false
	}
	r.rest = r.rest[end:]
	r.read++
	return true
}

// Err returns the *Corrupt error that ended the iteration, nil if it was complete.
func (r *Records) Err() error { return r.err }

// parse reads one record, given without its length.
func (r *Records) parse(b []byte, rec *Record) error {
	if len(b) == 0 {
		return errRecordLength
	}
	b = b[1:] // attributes: no bit has a meaning
	timeDelta, n := varint64(b)
	if n == 0 {
		return errTimestampDelta
	}
	b = b[n:]
	delta, n := varint32(b)
	if n == 0 || delta <= r.previous || delta > r.lastDelta {
		return errOffsetDelta
	}
	key, b, ok := cutBytes(b[n:])
	if !ok {
		return errKey
	}
	value, b, ok := cutBytes(b)
	if !ok {
		return errValue
	}
	headers, err := checkHeaders(b)
	if err != nil {
		return err
	}
	r.previous = delta
	rec.Offset = r.base + int64(delta)
	rec.Timestamp = r.firstTime + timeDelta
	if r.logAppend {
		rec.Timestamp = r.maxTime
	}
	rec.Key, rec.Value, rec.Headers = key, value, headers
	return nil
}

// checkHeaders returns b, the end of a record from its header count on, or nil if the count is 0.
func checkHeaders(b []byte) ([]byte, error) {
	count, n := varint32(b)
	if n == 0 || count < 0 {
		return nil, errCountOfHeaders
	}
	rest := b[n:]
	for range count {
		_, _, after, ok := cutHeader(rest)
		if !ok {
			return nil, errHeaderStructure
		}
		rest = after
	}
	if len(rest) > 0 {
		return nil, errSpare
	}
	if count == 0 {
		return nil, nil
	}
	return b, nil
}

func (r *Records) fail(err error) {
	err = fmt.Errorf("record %d of %d: %w", r.read+1, r.count, err)
	r.err = &Corrupt{BaseOffset: r.base, LastOffset: r.lastOffset, Err: err}
}
