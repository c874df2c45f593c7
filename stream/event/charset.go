package event

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"

	"rosenblatt/stream/schema"
)

// utf16BOM is the name of UTF-16 whose byte order a mark tells; without one it is little-endian, as on Windows.
const utf16BOM = "utf-16"

var (
	byteOrderMark = []byte("\xef\xbb\xbf") // U+FEFF in UTF-8
	replacement   = []byte("\ufffd")       // what decoders make of bytes without a meaning
)

// FindEncoding returns an encoding of text by a name of it, as cp1252, latin-1, utf-16 or shift_jis, and the one name
// that it has in Options.Encoding; nil for UTF-8.
func FindEncoding(name string) (e encoding.Encoding, canonical string, err error) {
	low := strings.ToLower(strings.ReplaceAll(name, "_", "-"))
	switch low {
	case "", "utf-8", "utf8", "utf-8-sig":
		return nil, "", nil
	case utf16BOM, "utf16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), utf16BOM, nil
	}
	for _, n := range []string{name, low, strings.ReplaceAll(low, "-", "")} {
		if e, err := htmlindex.Get(n); err == nil {
			if canonical, err = htmlindex.Name(e); err == nil && e != encoding.Replacement {
				return e, canonical, nil
			}
		}
		if e, err := ianaindex.IANA.Encoding(n); err == nil && e != nil {
			canonical, err = ianaindex.IANA.Name(e)
			return e, strings.ToLower(canonical), err
		}
	}
	return nil, "", fmt.Errorf("encoding %q: want a name as cp1252, cp850, latin1, utf-16, gbk or shift_jis", name)
}

// MarkReplaced puts a byte that is not UTF-8 in the place of each that an encoding does not have.
func MarkReplaced(text []byte) []byte {
	if !bytes.Contains(text, replacement) {
		return text
	}
	return bytes.ReplaceAll(text, replacement, []byte{0xff})
}

// Text returns an event as it is parsed: in UTF-8 by Options.Encoding, and without the frame of a schema registry and a
// byte order mark, which some writers put before each record.
func (d *Decoder) Text(value []byte) []byte {
	value = value[d.frameBytes(value):]
	if d.charset == nil && (len(value) == 0 || value[0] != byteOrderMark[0]) {
		return value
	}
	if d.charset != nil && len(value) > 0 {
		value, d.lacking = d.charset.Append(nil, value)
	}
	//mutation:mark-of-a-record
	value = bytes.TrimPrefix(value, byteOrderMark)
	return value
}

// frameBytes is how many bytes of a value are the frame of a schema registry before json, which is taken off.
func (d *Decoder) frameBytes(value []byte) int {
	//mutation:json-frame
	if !d.framed || len(value) == 0 || value[0] > 1 {
		return 0
	}
	return schema.JSONFrame(value)
}

// encodingHint says what a value that is not UTF-8 may be.
func encodingHint(value []byte) string {
	if name := SeemsUTF16(value); name != "" {
		return ", but seems to be UTF-16 (--encoding " + name + ")"
	}
	return " (--encoding cp1252, or the name of another one)"
}

// SeemsUTF16 returns the name of the encoding if a text seems to be UTF-16: it has a byte order mark, or its first
// characters are ASCII; else it is empty.
func SeemsUTF16(text []byte) string {
	const enough = 8
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return utf16BOM
	}
	zeros := [2]int{}
	for i := range min(len(text)&^1, enough) {
		if text[i] == 0 {
			zeros[i&1]++
		}
	}
	switch {
	case len(text) < enough:
		return ""
	case zeros == [2]int{0, enough / 2}:
		return "utf-16le"
	case zeros == [2]int{enough / 2, 0}:
		return "utf-16be"
	}
	return ""
}
