package avro

import (
	"encoding/binary"
	"encoding/hex"
	"strings"

	"github.com/tidwall/gjson"

	"rosenblatt/stream/internal/jsonform"
)

// decimal writes a number as so many units of 10^-scale.
func decimal(dst []byte, t *Type, v gjson.Result, path string) ([]byte, error) {
	n, ok := jsonform.Times(v.Raw, jsonform.Power(t.Scale))
	if !ok {
		return dst, jsonform.Misfit(path, "%s has more than %d digits behind the point", jsonform.Clip(v), t.Scale)
	}
	b := jsonform.Complement(n)
	if t.Size < 0 {
		return append(binary.AppendVarint(dst, int64(len(b))), b...), nil
	}
	if len(b) > t.Size {
		return dst, jsonform.Misfit(path, "%s needs more than the %d bytes of %s", jsonform.Clip(v), t.Size, t.Name)
	}
	sign := byte(0)
	if n.Sign() < 0 {
		sign = 0xff
	}
	for range t.Size - len(b) {
		dst = append(dst, sign)
	}
	return append(dst, b...), nil
}

// scaled writes a number as a record of its scale and its value.
func scaled(dst []byte, t *Type, v gjson.Result, path string) ([]byte, error) {
	n, scale, ok := jsonform.Decimal(v.Raw)
	if !ok {
		return dst, jsonform.Misfit(path, "%s has too many digits", jsonform.Clip(v))
	}
	for i := range t.Fields {
		if t.Fields[i].Type.Kind == Int {
			dst = binary.AppendVarint(dst, int64(scale))
			continue
		}
		b := jsonform.Complement(n)
		dst = append(binary.AppendVarint(dst, int64(len(b))), b...)
	}
	return dst, nil
}

// parseUUID reads the text of a UUID.
func parseUUID(text string) ([]byte, bool) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return nil, false
	}
	b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	return b, err == nil && len(b) == 16
}
