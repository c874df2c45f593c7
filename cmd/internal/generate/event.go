// Package generate makes a well-known synthetic stream of labelled events. It drifts, so that only a model that keeps
// learning stays accurate.
//
// Event n is a function of the seed and n alone, so SkipTo takes constant time, and a seed yields the same events on
// every machine: points and bounds are integers.
//
// The fields of a stream must not change after its first event. Only one goroutine at a time may use it.
package generate

import "strconv"

// Event is a labelled point.
type Event struct {
	Number   int64     // from 0: in a topic with one partition the offset
	Label    int       // +1 or -1
	Features []float64 // f0, f1 ..., with at most four decimals; the next event overwrites them
}

// AppendJSON appends the event as an input value of the format json:
// {"id":"e7","label":-1,"features":{"f0":0.1234,"f1":-0.5}}.
func (e Event) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"id":"e`...)
	dst = strconv.AppendInt(dst, e.Number, 10)
	dst = append(dst, `","label":`...)
	dst = strconv.AppendInt(dst, int64(e.Label), 10)
	dst = append(dst, `,"features":{`...)
	for i, v := range e.Features {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `"f`...)
		dst = strconv.AppendInt(dst, int64(i), 10)
		dst = append(dst, `":`...)
		dst = strconv.AppendFloat(dst, v, 'f', -1, 64)
	}
	return append(dst, "}}"...)
}
