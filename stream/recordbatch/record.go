package recordbatch

// Record is one record of a Kafka log. Key, Value and Headers alias the buffer they were decoded from.
type Record struct {
	Offset    int64
	Timestamp int64  // milliseconds since 1970, as in the log
	Key       []byte // nil if null
	Value     []byte // nil if null; empty but not nil if it has no bytes
	Headers   []byte // as on the wire: a varint count, then each header; nil if there are none
}

// Header is one header of a record.
type Header struct {
	Key   string
	Value []byte // nil if null
}
