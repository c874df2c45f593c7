package recordbatch

import (
	"encoding/binary"
	"fmt"
)

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

// AppendHeaders adds headers as Record.Headers has them.
func AppendHeaders(buf []byte, headers []Header) []byte {
	return appendHeaders(binary.AppendVarint(buf, int64(len(headers))), headers)
}

// ParseHeaders parses Record.Headers. The values alias raw. It fails if raw is malformed, which the headers of a
// decoded Record never are.
func ParseHeaders(raw []byte) ([]Header, error) {
	if raw == nil {
		return nil, nil
	}
	if _, wrong := checkHeaders(raw); wrong != "" {
		return nil, fmt.Errorf("malformed record headers: %s", wrong)
	}
	count, rest := splitCount(raw)
	headers := make([]Header, count)
	for i := range headers {
		var key []byte
		key, headers[i].Value, rest, _ = cutHeader(rest)
		headers[i].Key = string(key)
	}
	return headers, nil
}

// cutHeader reads the header at the head of b. A key cannot be null; a null value is nil.
func cutHeader(b []byte) (key, value, rest []byte, ok bool) {
	k, after := shortBytes(b, 0)
	if v, end := shortBytes(b, after); after > 0 && end > 0 { // as in most
		return b[k:after:after], b[v:end:end], b[end:], true
	}
	key, rest, ok = cutBytes(b)
	if !ok || key == nil {
		return nil, nil, nil, false
	}
	value, rest, ok = cutBytes(rest)
	return key, value, rest, ok
}

// LastHeader returns the value of the last header with this key in Record.Headers of a decoded record, and whether it
// has one. It does not allocate.
func LastHeader(raw []byte, key string) (value []byte, ok bool) {
	count, rest := splitCount(raw)
	for range count {
		k, v, after, whole := cutHeader(rest)
		if !whole {
			break
		}
		if string(k) == key {
			value, ok = v, true
		}
		rest = after
	}
	return value, ok
}

// LastHeaders is LastHeader for several keys: values gets the value of the last header with each key, nil where there
// is none or it is null.
func LastHeaders(raw []byte, keys []string, values [][]byte) {
	clear(values)
	count, rest := splitCount(raw)
	for range count {
		k, v, after, whole := cutHeader(rest)
		if !whole {
			break
		}
		for i, key := range keys {
			if len(k) == len(key) && string(k) == key {
				values[i] = v
			}
		}
		rest = after
	}
}

// shortBytes returns where the bytes at offset i begin and end, if their length is one byte; otherwise end is 0.
func shortBytes(b []byte, i int) (from, end int) {
	if i < len(b) && b[i]&0x81 == 0 {
		if from = i + 1; int(b[i]>>1) <= len(b)-from {
			end = from + int(b[i]>>1)
		}
	}
	return from, end
}
