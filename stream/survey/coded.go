package survey

import (
	"encoding/base64"
	"strings"

	"rosenblatt/stream/event"
)

// addCoded counts a text that is base64.
func (x *field) addCoded(s string) {
	if s == "" || len(s)%4 != 0 || len(s) > maxExample {
		return
	}
	if _, err := base64.StdEncoding.DecodeString(s); err == nil {
		if x.coded++; strings.HasSuffix(s, "=") {
			x.padded++
		}
	}
}

// isCoded reports whether the texts of a field are numbers or bytes in base64. Words of four letters are base64, too,
// but have no padding.
func (s *Survey) isCoded(x *field) bool {
	return s.options.Format == event.JSON && x.coded == x.texts && 4*x.padded >= x.coded && len(x.distinct) > 1
}
