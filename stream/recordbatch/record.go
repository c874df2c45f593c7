package recordbatch

// Record is one record of a Kafka log. Key, Value and Headers alias the buffer they were decoded from.
type Record struct {
	Offset    int64
	Timestamp int64  // milliseconds since 1970, as in the log
	Key       []byte // nil if null
	Value     []byte // nil if null; empty but not nil if it has no bytes
	Headers   []byte // as on the wire: a varint count, then each header; nil if there are none

	partition int32 // one more than its number, 0 if the record is of none
}

// In notes the partition that a record is in.
func (r *Record) In(partition int32) { r.partition = partition + 1 }

// Partition is the one that a record was read from. It reports false for one that comes from elsewhere.
func (r *Record) Partition() (partition int32, ok bool) { return r.partition - 1, r.partition > 0 }

// Header is one header of a record.
type Header struct {
	Key   string
	Value []byte // nil if null
}
