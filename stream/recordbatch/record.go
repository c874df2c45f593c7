package recordbatch

// Record is one record of a Kafka log. Key, Value and Headers alias the buffer they were decoded from.
type Record struct {
	Offset    int64  // the record's own place in its partition
	Timestamp int64  // milliseconds since 1970, as the log holds it
	Key       []byte // nil when null
	Value     []byte // nil when null, empty but not nil when of no bytes
	Headers   []byte // as on the wire: a varint count, then each header; nil when there are none
}

// Header is one header of a record.
type Header struct {
	Key   string
	Value []byte // nil when null
}
