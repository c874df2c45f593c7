package event

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

// Error says why a record is rejected.
type Error struct {
	Reason Reason
	Offset int    // in the value, of what is wrong; -1 if it is not in one place
	Text   string // what is wrong
}

// NewError returns an error that is not in one place of the value.
func NewError(r Reason, text string) *Error { return &Error{r, -1, text} }

// Error implements error.
func (e *Error) Error() string { return e.Reason.String() + ": " + e.Message() }

// Message says where and what, without the reason: "offset 17: a comma is expected".
func (e *Error) Message() string {
	if e.Offset < 0 {
		return e.Text
	}
	return "offset " + strconv.Itoa(e.Offset) + ": " + e.Text
}

// replacedBy reports whether add would store the reason. Callers that may fail many times in one event ask first,
// because the arguments of add are garbage each time.
func (e *Error) replacedBy(r Reason) bool { return e.Reason == OK || r < e.Reason }

// add stores a reason if it precedes the stored one. Only then it formats the text.
func (e *Error) add(r Reason, at int, format string, args ...any) {
	if e.replacedBy(r) {
		*e = Error{r, at, fmt.Sprintf(format, args...)}
	}
}

// quoted is a part of an event as an error shows it: its first 64 bytes, quoted.
type quoted []byte

// String implements fmt.Stringer.
func (q quoted) String() string {
	if len(q) > 64 {
		return strconv.Quote(string(q[:64])) + "..."
	}
	return strconv.Quote(string(q))
}

// registryHint says that a value begins with what the serializers of a schema registry write before it, a zero byte and
// the number of a schema in four bytes; else it is empty.
func registryHint(value []byte) string {
	if len(value) <= 5 || value[0] != 0 {
		return ""
	}
	return fmt.Sprintf("; the value begins with the five bytes of a schema registry (0, schema %d): "+
		"--format avro or protobuf with --schema-registry URL reads it",
		binary.BigEndian.Uint32(value[1:]))
}

// stop ends the parse with Syntax or TooDeep, which precede all other reasons that are found while parsing. It
// returns -1, which parsing functions return in place of the next offset.
func (s *sink) stop(r Reason, at int, format string, args ...any) int {
	s.failed = Error{r, at, fmt.Sprintf(format, args...)}
	return -1
}

// notAnID is what is wrong with an id that is an object or an array.
const notAnID = "the id is not a string, number or bool; send one of them, or name another field as the id"

// unexpected ends the parse with Syntax at a byte other than what is expected there.
func (d *Decoder) unexpected(at int, expected string) int {
	if at >= len(d.value) {
		return d.stop(Syntax, at, "%s is expected, but the event ends here; is it truncated?", expected)
	}
	return d.stop(Syntax, at, "%s is expected, not %v", expected, quoted(d.value[at:min(at+16, len(d.value))]))
}
