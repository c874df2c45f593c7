package schema

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
)

// ID names a schema in a registry, by a number or by a GUID. It is comparable. Number 0 is an id like any other.
type ID struct {
	Number uint32   // where HasGUID is false, else 0
	GUID   [16]byte // where HasGUID is true, else zeros
	// HasGUID says which of them it is.
	HasGUID bool
}

// String returns a number in decimal, or a GUID as 8-4-4-4-12 hexadecimal digits.
func (id ID) String() string {
	if !id.HasGUID {
		return strconv.FormatUint(uint64(id.Number), 10)
	}
	g := hex.EncodeToString(id.GUID[:])
	return g[:8] + "-" + g[8:12] + "-" + g[12:16] + "-" + g[16:20] + "-" + g[20:]
}

// ParseID reads what String returns, capital letters too.
func ParseID(text string) (ID, error) {
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		return ID{Number: uint32(n)}, nil
	}
	id := ID{HasGUID: true}
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		digits := text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
		if _, err := hex.Decode(id.GUID[:], []byte(digits)); err == nil {
			return id, nil
		}
	}
	return ID{}, fmt.Errorf("%q is no id of a schema: a number of 32 bits, or a GUID", text)
}

// The first bytes of a frame.
const (
	numberMagic = 0
	guidMagic   = 1
	numberBytes = 5  // of a frame with a number
	guidBytes   = 17 // of a frame with a GUID
)

// Append appends the frame that a value begins with, without message indexes.
func (id ID) Append(dst []byte) []byte {
	if id.HasGUID {
		return append(append(dst, guidMagic), id.GUID[:]...)
	}
	return binary.BigEndian.AppendUint32(append(dst, numberMagic), id.Number)
}

// cutID reads the id that b begins with. It returns the bytes of it, 0 if b does not begin with one.
func cutID(b []byte) (id ID, n int) {
	switch {
	case len(b) >= numberBytes && b[0] == numberMagic:
		return ID{Number: binary.BigEndian.Uint32(b[1:])}, numberBytes
	case len(b) >= guidBytes && b[0] == guidMagic:
		id.HasGUID = true
		copy(id.GUID[:], b[1:])
		return id, guidBytes
	}
	return ID{}, 0
}
