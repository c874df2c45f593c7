package avro

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/tidwall/gjson"

	"rosenblatt/stream/internal/jsonform"
)

// Append appends the bytes of a value of a type, whose JSON form this is. The error says which field does not suit the
// type. What has no JSON form is written as no bytes, or as zeros.
func Append(dst []byte, t *Type, form []byte) ([]byte, error) {
	if !gjson.ValidBytes(form) {
		return dst, errors.New("it is no json")
	}
	return encoder{}.value(dst, t, gjson.ParseBytes(form), "")
}

// encoder writes values. Strict, it writes only what is read back as the same number.
type encoder struct{ strict bool }

func (e encoder) value(dst []byte, t *Type, v gjson.Result, path string) ([]byte, error) {
	switch {
	case t.Kind == Union:
		return e.union(dst, t, v, path)
	case t.Absent:
		return dst, jsonform.Misfit(path, "%s has no json form: leave the field out", t.Name)
	case t.Kind == Null && v.Type == gjson.Null:
		return dst, nil
	case t.Kind == Boolean && v.Type == gjson.True:
		return append(dst, 1), nil
	case t.Kind == Boolean && v.Type == gjson.False:
		return append(dst, 0), nil
	case t.Kind == Record && v.IsObject():
		return e.record(dst, t, v, path)
	case t.Kind == Map && v.IsObject():
		return e.entries(dst, t, v, path)
	case t.Kind == Array && v.IsArray():
		return e.elements(dst, t, v, path)
	case v.Type == gjson.String:
		return e.text(dst, t, v, path)
	case v.Type == gjson.Number:
		return e.number(dst, t, v, path)
	}
	return dst, jsonform.Misfit(path, "%s does not suit %s", jsonform.Clip(v), t.Name)
}

// union writes the first branch that suits: one that is read back as the same number before others.
func (e encoder) union(dst []byte, t *Type, v gjson.Result, path string) ([]byte, error) {
	var failed error
	for _, strict := range []bool{true, false} {
		failed = nil
		for n, branch := range t.Types {
			if branch.Kind == Null && v.Type != gjson.Null {
				continue
			}
			out, err := encoder{strict}.value(binary.AppendVarint(dst, int64(n)), branch, v, path)
			if err == nil {
				return out, nil
			}
			if failed == nil {
				failed = err
			}
		}
	}
	if failed == nil {
		failed = jsonform.Misfit(path, "%s does not suit null", jsonform.Clip(v))
	}
	return dst, failed
}

func (e encoder) record(dst []byte, t *Type, v gjson.Result, path string) ([]byte, error) {
	members := map[string]gjson.Result{}
	var err error
	v.ForEach(func(key, member gjson.Result) bool {
		if _, twice := members[key.String()]; twice {
			err = jsonform.Misfit(jsonform.Join(path, key.String()), "it is there twice")
		}
		members[key.String()] = member
		return err == nil
	})
	for i := 0; i < len(t.Fields) && err == nil; i++ {
		f := &t.Fields[i]
		name := string(f.Name)
		member, has := members[name]
		if delete(members, name); has {
			dst, err = e.value(dst, f.Type, member, jsonform.Join(path, name))
		} else {
			dst, err = without(dst, f.Type, jsonform.Join(path, name))
		}
	}
	if err != nil {
		return dst, err
	}
	v.ForEach(func(key, _ gjson.Result) bool {
		if _, left := members[key.String()]; left {
			err = jsonform.Misfit(jsonform.Join(path, key.String()), "the schema has no such field")
		}
		return err == nil
	})
	return dst, err
}

// without writes a field that an event lacks: null, or what has no JSON form.
func without(dst []byte, t *Type, path string) ([]byte, error) {
	switch {
	case t.Kind == Null:
		return dst, nil
	case t.Kind == Bytes, t.Kind == Array && t.Absent:
		return append(dst, 0), nil
	case t.Kind == Fixed:
		return append(dst, make([]byte, t.Size)...), nil
	case t.Kind == Union:
		for n, branch := range t.Types {
			if branch.Kind == Null {
				return binary.AppendVarint(dst, int64(n)), nil
			}
		}
	}
	return dst, jsonform.Misfit(path, "it is missing, and the schema does not let it be null")
}

func (e encoder) entries(dst []byte, t *Type, v gjson.Result, path string) ([]byte, error) {
	var all []byte
	var err error
	n := int64(0)
	v.ForEach(func(key, member gjson.Result) bool {
		all = append(binary.AppendVarint(all, int64(len(key.Str))), key.Str...)
		all, err = e.value(all, t.Element, member, jsonform.Join(path, key.Str))
		n++
		return err == nil
	})
	return block(dst, n, all), err
}

func (e encoder) elements(dst []byte, t *Type, v gjson.Result, path string) ([]byte, error) {
	var all []byte
	var err error
	n := int64(0)
	v.ForEach(func(_, element gjson.Result) bool {
		all, err = e.value(all, t.Element, element, fmt.Sprintf("%s[%d]", path, n))
		n++
		return err == nil
	})
	return block(dst, n, all), err
}

// block appends the one block of a map or an array, and its end.
func block(dst []byte, n int64, all []byte) []byte {
	if n > 0 {
		dst = append(binary.AppendVarint(dst, n), all...)
	}
	return append(dst, 0)
}

func (e encoder) text(dst []byte, t *Type, v gjson.Result, path string) ([]byte, error) {
	switch t.Kind {
	case String:
		return append(binary.AppendVarint(dst, int64(len(v.Str))), v.Str...), nil
	case Enum:
		for n, symbol := range t.Symbols {
			if string(symbol) == v.Str {
				return binary.AppendVarint(dst, int64(n)), nil
			}
		}
		return dst, jsonform.Misfit(path, "%s is none of the symbols of %s", jsonform.Clip(v), t.Name)
	case UUID:
		if b, ok := parseUUID(v.Str); ok {
			return append(dst, b...), nil
		}
		return dst, jsonform.Misfit(path, "%s is no UUID", jsonform.Clip(v))
	}
	return dst, jsonform.Misfit(path, "%s does not suit %s", jsonform.Clip(v), t.Name)
}

func (e encoder) number(dst []byte, t *Type, v gjson.Result, path string) ([]byte, error) {
	switch t.Kind {
	case Int, Long:
		n, err := wholeUnits(t, v.Raw)
		if err != nil {
			return dst, jsonform.Misfit(path, "%s: %v", jsonform.Clip(v), err)
		}
		return binary.AppendVarint(dst, n), nil
	case Float, Double:
		x, err := strconv.ParseFloat(v.Raw, 64)
		if err != nil || t.Kind == Float && math.IsInf(float64(float32(x)), 0) {
			return dst, jsonform.Misfit(path, "%s is out of the range of %s", jsonform.Clip(v), t.Name)
		}
		if t.Kind == Double {
			return binary.LittleEndian.AppendUint64(dst, math.Float64bits(x)), nil
		}
		if e.strict && float64(float32(x)) != x {
			return dst, jsonform.Misfit(path, "%s is no float", jsonform.Clip(v))
		}
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(x))), nil
	case Decimal:
		return decimal(dst, t, v, path)
	case Scaled:
		return scaled(dst, t, v, path)
	}
	return dst, jsonform.Misfit(path, "%s does not suit %s", jsonform.Clip(v), t.Name)
}

// wholeUnits returns a number in the units that an integer of a type counts.
func wholeUnits(t *Type, raw string) (int64, error) {
	n, ok := jsonform.Times(raw, big.NewInt(t.Divisor))
	switch {
	case !ok && t.Divisor > 1:
		return 0, fmt.Errorf("it has more digits behind the point than the time is written with")
	case !ok:
		return 0, errors.New("it is no integer")
	case !n.IsInt64() || t.Kind == Int && int64(int32(n.Int64())) != n.Int64():
		return 0, errors.New("it is out of the range of " + t.Name)
	}
	return n.Int64(), nil
}
