package stream

type place struct {
	partition int32
	offset    int64
}
