package stream

// place is a record's place in the input.
type place struct {
	partition int32
	offset    int64
}
