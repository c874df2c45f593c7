package event

import (
	"bytes"
	"strconv"

	"rosenblatt/stream/avro"
)

// What Debezium writes in place of a value that the database did not log: a text, for bytes that text in base64, and as
// the only element of an array of UUIDs the one that Java makes of it. Of an array of integers or of dates, elements
// are the characters of the text.
var (
	unavailable      = []byte("__debezium_unavailable_value")
	unavailableBytes = []byte("X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==")
	unavailableUUID  = []byte("b68a35a7-17ad-35b3-af2a-ae46edb4545a")
)

// isUnlogged reports whether a text stands for a value that the database did not log.
func isUnlogged(text []byte) bool {
	switch len(text) {
	case len(unavailable):
		//mutation:envelope-unavailable
		return bytes.Equal(text, unavailable)
	//mutation:unlogged-uuid
	case len(unavailableUUID):
		return bytes.Equal(text, unavailableUUID)
	//mutation:unlogged-bytes
	case len(unavailableBytes):
		return bytes.Equal(text, unavailableBytes)
	}
	return false
}

// mayLack reports whether a row in json may have a value that the database did not log. Names and texts in which
// characters are escaped are not looked at.
func mayLack(row []byte) bool {
	if bytes.Contains(row, unavailable) || bytes.Contains(row, unavailableBytes) ||
		bytes.Contains(row, unavailableUUID) {
		return true
	}
	for i := bytes.IndexByte(row, '['); i >= 0; {
		if bytes.HasPrefix(row[space(row, i+1):], []byte("95")) { // the first character
			return true
		}
		next := bytes.IndexByte(row[i+1:], '[')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return false
}

// isUnloggedArray reports whether the array at offset i holds the characters of what stands for an array of integers
// that the database did not log.
func (w *rowForm) isUnloggedArray(i int) bool {
	if i = space(w.value, i+1); w.value[i] == ']' {
		return false
	}
	n := 0
	for more := true; more; n++ {
		next := w.skip(i)
		if n == len(unavailable) || string(w.value[i:next]) != strconv.Itoa(int(unavailable[n])) {
			return false
		}
		i, more = w.separator(next, ']')
	}
	return n == len(unavailable)
}

// isUnloggedArray does the same in avro, and says where the array ends.
func (p *avroParser) isUnloggedArray(t *avro.Type, i int) (is bool, next int) {
	if t.Kind != avro.Array || t.Element.Empty {
		return false, i
	}
	failed, at, n := p.failed, i, 0
	for b := p.blocks(t); b.more(p, &i); n++ {
		of, from := p.branch(t.Element, i)
		if from < 0 || n == len(unavailable) || of.Kind != avro.Int && of.Kind != avro.Long {
			i = -1
			break
		}
		v, end := p.integer(from, 64)
		if end < 0 || v != int64(unavailable[n]) {
			i = -1
			break
		}
		i = end
	}
	//mutation:unlogged-avro
	if n != len(unavailable) || i < 0 {
		p.failed = failed // what is not well formed is found where it is read
		return false, at
	}
	return true, i
}

// isUnloggedArray does the same in protobuf.
func (e elements) isUnloggedArray(p *protobufParser) bool {
	if !e.field.Packs() {
		return false
	}
	var x scalar
	for n := 0; ; n++ {
		v, ok := e.one(p)
		if !ok {
			return n == len(unavailable)
		}
		if n == len(unavailable) || v.shape != scalarShape {
			return false
		}
		if p.read(v, &x); !x.whole || x.kind != numberScalar || x.i != int64(unavailable[n]) {
			return false
		}
	}
}
