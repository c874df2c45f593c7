package recordbatch

// Records iterates over the decompressed records of one batch.
type Records struct {
	batch    Batch
	rest     []byte // the decompressed records to read
	read     int    // records read
	previous int32  // offset delta of the previous record; -1 at the start
	err      error
}

// open returns an iterator over the batch's decompressed records.
func (b *Batch) open(unpacked []byte) Records {
	return Records{batch: *b, rest: unpacked, previous: -1}
}

// Next fills rec with the next record. It returns false after the last one and at the first malformed one: see Err.
// It does not allocate; the record's bytes alias the decompressed batch.
func (r *Records) Next(rec *Record) bool {
	if r.err != nil {
		return false
	}
	if r.read == r.batch.Count {
		if len(r.rest) > 0 {
			r.fail("bytes after the last record")
		}
		return false
	}
	if len(r.rest) == 0 {
		r.fail("fewer records than the batch counts")
		return false
	}
	size, n := varint32(r.rest)
	if n == 0 || size < 0 || int(size) > len(r.rest)-n {
		r.fail("record length")
		return false
	}
	end := n + int(size)
	if wrong := r.parse(r.rest[n:end:end], rec); wrong != "" {
		r.fail(wrong)
		return false
	}
	r.rest = r.rest[end:]
	r.read++
	return true
}

// Err returns the *Corrupt error that ended the iteration, nil if it was complete.
func (r *Records) Err() error { return r.err }

// parse reads one record, given without its length. It returns what is malformed, if anything.
func (r *Records) parse(b []byte, rec *Record) (wrong string) {
	if len(b) == 0 {
		return "record length"
	}
	b = b[1:] // attributes: no bit has a meaning
	timeDelta, n := varint64(b)
	if n == 0 {
		return "timestamp delta"
	}
	b = b[n:]
	delta, n := varint32(b)
	if n == 0 || delta <= r.previous || int64(delta) > r.batch.LastOffset-r.batch.BaseOffset {
		return "offset delta"
	}
	key, b, ok := cutBytes(b[n:])
	if !ok {
		return "key length"
	}
	value, b, ok := cutBytes(b)
	if !ok {
		return "value length"
	}
	headers, wrong := checkHeaders(b)
	if wrong != "" {
		return wrong
	}
	r.previous = delta
	rec.Offset = r.batch.BaseOffset + int64(delta)
	rec.Timestamp = r.batch.FirstTimestamp + timeDelta
	if r.batch.LogAppendTime {
		rec.Timestamp = r.batch.MaxTimestamp
	}
	rec.Key, rec.Value, rec.Headers = key, value, headers
	return ""
}

// checkHeaders returns b, the end of a record from its header count on, or nil if the count is 0.
func checkHeaders(b []byte) (headers []byte, wrong string) {
	count, n := varint32(b)
	if n == 0 || count < 0 {
		return nil, "header count"
	}
	rest := b[n:]
	for range count {
		_, _, after, ok := cutHeader(rest)
		if !ok {
			return nil, "header length"
		}
		rest = after
	}
	if len(rest) > 0 {
		return nil, "bytes after the headers"
	}
	if count == 0 {
		return nil, ""
	}
	return b, ""
}

func (r *Records) fail(wrong string) {
	r.err = r.batch.corrupt("record %d of %d: %s", r.read+1, r.batch.Count, wrong)
}
