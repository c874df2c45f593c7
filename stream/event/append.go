package event

import (
	"bytes"
	"encoding/json"

	"rosenblatt/stream/internal/number"
)

// AppendLabel appends a label (+1 or -1) as a JSON value, spelled as the user spells labels: as one of LabelNames, of
// which a number, true or false is not quoted; with Positive "UP" as "UP" or "not UP"; else in the family of the
// labels seen, true and false, 1 and 0, or 1 and -1.
func (o *Options) AppendLabel(dst []byte, label int8, f Family) []byte {
	switch {
	case len(o.LabelNames) == 2:
		name := o.LabelNames[0]
		if label > 0 {
			name = o.LabelNames[1]
		}
		if isToken(name) {
			return append(dst, name...)
		}
		return AppendQuoted(dst, view(name))
	case o.Positive != "" && label > 0:
		return AppendQuoted(dst, view(o.Positive))
	case o.Positive != "":
		return append(appendEscaped(append(dst, `"not `...), view(o.Positive)), '"')
	case f == Boolean && label > 0:
		return append(dst, "true"...)
	case f == Boolean:
		return append(dst, "false"...)
	case label > 0:
		return append(dst, '1')
	case f == ZeroOne:
		return append(dst, '0')
	}
	return append(dst, "-1"...)
}

// isToken reports whether a name is a JSON number, true or false.
func isToken(name string) bool { return isTokenText(view(name)) }

func isTokenText(name []byte) bool {
	_, end := number.JSON(name, 0)
	return end == len(name) || string(name) == "true" || string(name) == "false"
}

// AppendID appends the example's id as a JSON value, null if there is none.
func AppendID(dst []byte, e *Example) []byte {
	switch {
	case e.ID == nil:
		return append(dst, "null"...)
	case e.IDIsJSON:
		return append(dst, e.ID...)
	}
	return AppendQuoted(dst, e.ID)
}

// AppendIDKey appends a text that two examples share if their ids are the same: a string by its content, however it is
// escaped, and a number, true or false as written. So 7 and "7" differ, and 7 and 7.0. An id of a text format is a
// string, as in AppendID. The example has an id.
func AppendIDKey(dst []byte, e *Example) []byte {
	switch id := e.ID; {
	case !e.IDIsJSON:
		return append(append(dst, '"'), id...)
	case id[0] != '"':
		return append(dst, id...)
	case bytes.IndexByte(id, '\\') < 0:
		return append(dst, id[:len(id)-1]...)
	}
	var text string
	if err := json.Unmarshal(e.ID, &text); err != nil {
		panic("event: an id that Decode accepted is no string: " + err.Error())
	}
	return append(append(dst, '"'), text...)
}
