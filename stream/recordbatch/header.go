package recordbatch

import (
	"encoding/binary"
	"errors"
)

var errHeaders = errors.New("malformed record headers")

// splitCount splits a record's headers into their count and the rest.
func splitCount(raw []byte) (count int, rest []byte) {
	if raw == nil {
		return 0, nil
	}
	c, n := varint32(raw)
	if n == 0 || c < 0 {
		panic("recordbatch: headers do not begin with a count")
	}
	return int(c), raw[n:]
}

// appendHeaders adds headers, without their count.
func appendHeaders(buf []byte, headers []Header) []byte {
	for i := range headers {
		buf = binary.AppendVarint(buf, int64(len(headers[i].Key)))
		buf = append(buf, headers[i].Key...)
		buf = appendBytes(buf, headers[i].Value)
	}
	return buf
}

// ParseHeaders parses Record.Headers. The values alias raw. It fails if raw is malformed, which the headers of a
// decoded Record never are.
func ParseHeaders(raw []byte) ([]Header, error) {
	if raw == nil {
		return nil, nil
	}
	count, n := varint32(raw)
	if n == 0 || count < 0 || int(count) > len(raw)/2 { // a header takes two bytes or more
		return nil, errHeaders
	}
	headers := make([]Header, count)
	rest := raw[n:]
	for i := range headers {
		key, value, after, ok := cutHeader(rest)
		if !ok {
			return nil, errHeaders
		}
		headers[i] = Header{Key: string(key), Value: value}
		rest = after
	}
	if len(rest) > 0 {
		return nil, errHeaders
	}
	return headers, nil
}

// cutHeader reads the header at the head of b. A key cannot be null; a null value is nil.
func cutHeader(b []byte) (key, value, rest []byte, ok bool) {
	key, rest, ok = cutBytes(b)
	if !ok || key == nil {
		return nil, nil, nil, false
	}
	value, rest, ok = cutBytes(rest)
	return key, value, rest, ok
}
