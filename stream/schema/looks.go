package schema

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// looksLike says what a value without a frame, or a header that is none, looks like.
func (f *Frame) looksLike(b []byte) string {
	if f.InHeader {
		return fmt.Sprintf("the header %s has %d bytes; it has to be 0 and the id of a schema in four bytes, or 1 and "+
			"a GUID in sixteen", Header, len(b))
	}
	return NoFrame + "; " + valueLooksLike(b)
}

// NoFrame begins what is said of a value that begins with no frame.
const NoFrame = "the value does not begin with 0 and the id of a schema in four bytes, or 1 and a GUID in sixteen"

// Hint says what else a value with this frame may be, if it looks so: an error of a schema that is not known ends with
// it.
func (f *Frame) Hint(value []byte) string {
	if f.InHeader || f.ID != (ID{}) || len(value) < 9 || [4]byte(value[5:9]) == [4]byte{} {
		return ""
	}
	return "; the value looks as if it began with an id of eight bytes, as those of Apicurio's own serializers: they " +
		"have to write ids of four bytes"
}

// valueLooksLike says what a value that begins with no id looks like.
func valueLooksLike(b []byte) string {
	text := bytes.TrimLeft(b, " \t\r\n")
	switch {
	case len(b) >= 18 && b[0] == 3 && (b[1] == 0 || b[1] == 5):
		return "it looks like the frame of the AWS Glue schema registry, which is not supported"
	case bytes.HasPrefix(b, []byte("Obj\x01")):
		return "it looks like an Avro file: send each of its objects as a record"
	case bytes.HasPrefix(b, []byte{0xc3, 0x01}):
		return "it looks like Avro's single-object encoding, which is not supported"
	case len(text) > 0 && (text[0] == '{' || text[0] == '['):
		return "it looks like json text (--format json)"
	}
	return "is it bare, without a frame? then --schema names its schema"
}

// SeemsFramed reports whether bytes begin as a frame with an id of four bytes does, and which id that is. A registry
// counts ids from 1, and no registry has more than 2^24.
func SeemsFramed(b []byte) (id uint32, ok bool) {
	if len(b) <= 5 || b[0] != 0 {
		return 0, false
	}
	id = binary.BigEndian.Uint32(b[1:])
	return id, id > 0 && id < 1<<24
}
