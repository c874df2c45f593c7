package avro

import (
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"strings"

	"github.com/tidwall/gjson"
)

// decimal writes a number as so many units of 10^-scale.
func decimal(dst []byte, t *Type, v gjson.Result, path string) ([]byte, error) {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(min(max(t.Scale, 0), mostDigits))), nil)
	n, ok := exactly(v.Raw, power)
	if !ok {
		return dst, misfit(path, "%s has more than %d digits behind the point", clipped(v), t.Scale)
	}
	b := complement(n)
	if t.Size < 0 {
		return append(binary.AppendVarint(dst, int64(len(b))), b...), nil
	}
	if len(b) > t.Size {
		return dst, misfit(path, "%s needs more than the %d bytes of %s", clipped(v), t.Size, t.Name)
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
	for scale := range mostDigits {
		n, ok := exactly(v.Raw, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
		if !ok {
			continue
		}
		for i := range t.Fields {
			if t.Fields[i].Type.Kind == Int {
				dst = binary.AppendVarint(dst, int64(scale))
				continue
			}
			b := complement(n)
			dst = append(binary.AppendVarint(dst, int64(len(b))), b...)
		}
		return dst, nil
	}
	return dst, misfit(path, "%s has too many digits", clipped(v))
}

// complement returns an integer in two's complement, its highest byte first, in as few bytes as possible.
func complement(n *big.Int) []byte {
	if n.Sign() >= 0 {
		b := n.Bytes()
		if len(b) == 0 || b[0] >= 0x80 {
			b = append([]byte{0}, b...)
		}
		return b
	}
	size := new(big.Int).Not(n).BitLen()/8 + 1
	b := new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), uint(8*size))).Bytes()
	return b
}

// parseUUID reads the text of a UUID.
func parseUUID(text string) ([]byte, bool) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return nil, false
	}
	b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	return b, err == nil && len(b) == 16
}
