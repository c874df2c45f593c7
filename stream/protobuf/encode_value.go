package protobuf

import (
	"math"
	"math/big"
	"strconv"

	"github.com/tidwall/gjson"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"

	"rosenblatt/stream/internal/jsonform"
)

// kindOf names the type of a value for people.
func kindOf(f protoreflect.FieldDescriptor) string {
	if f.Enum() != nil {
		return string(f.Enum().FullName())
	}
	return f.Kind().String()
}

// valueOf returns a value that a field holds. Messages begin as what fresh returns.
func valueOf(f protoreflect.FieldDescriptor, v gjson.Result, path string, fresh func() protoreflect.Value) (
	x protoreflect.Value, err error) {
	switch kind := f.Kind(); {
	case f.Message() != nil:
		x = fresh()
		return x, fill(x.Message(), v, path)
	case kind == protoreflect.BytesKind:
		return x, jsonform.Misfit(path, "bytes have no json form: leave the field out")
	case kind == protoreflect.BoolKind && (v.Type == gjson.True || v.Type == gjson.False):
		return protoreflect.ValueOfBool(v.Bool()), nil
	case kind == protoreflect.StringKind && v.Type == gjson.String:
		return protoreflect.ValueOfString(v.Str), nil
	case kind == protoreflect.EnumKind && v.Type == gjson.String:
		return enumOf(f.Enum(), v, path)
	case kind == protoreflect.DoubleKind && v.Type == gjson.Number:
		n, err := strconv.ParseFloat(v.Raw, 64)
		if err != nil {
			return x, jsonform.Misfit(path, "%s is out of the range of double", jsonform.Clip(v))
		}
		return protoreflect.ValueOfFloat64(n), nil
	case kind == protoreflect.FloatKind && v.Type == gjson.Number:
		n, err := strconv.ParseFloat(v.Raw, 64)
		if err != nil || math.IsInf(float64(float32(n)), 0) {
			return x, jsonform.Misfit(path, "%s is out of the range of float", jsonform.Clip(v))
		}
		return protoreflect.ValueOfFloat32(float32(n)), nil
	case ranges[kind] != nil && v.Type == gjson.Number:
		n, ok := jsonform.Times(v.Raw, jsonform.Power(0))
		if !ok {
			return x, jsonform.Misfit(path, "%s: it is no integer", jsonform.Clip(v))
		}
		if x, ok = ranges[kind](n); !ok {
			return x, jsonform.Misfit(path, "%s is out of the range of %s", jsonform.Clip(v), kind)
		}
		return x, nil
	}
	return x, jsonform.Misfit(path, "%s does not suit %s", jsonform.Clip(v), kindOf(f))
}

// enumOf returns the value of an enum that has a name; one without a name is its number as a string.
func enumOf(e protoreflect.EnumDescriptor, v gjson.Result, path string) (x protoreflect.Value, err error) {
	if named := e.Values().ByName(protoreflect.Name(v.Str)); named != nil {
		return protoreflect.ValueOfEnum(named.Number()), nil
	}
	n, err := strconv.ParseInt(v.Str, 10, 32)
	if err != nil || e.Values().ByNumber(protoreflect.EnumNumber(n)) != nil {
		return x, jsonform.Misfit(path, "%s is none of the names of %s", jsonform.Clip(v), e.FullName())
	}
	return protoreflect.ValueOfEnum(protoreflect.EnumNumber(n)), nil
}

// ranges make values of integers, and report whether they are in the range of a kind.
var ranges = func() map[protoreflect.Kind]func(*big.Int) (protoreflect.Value, bool) {
	i32 := func(n *big.Int) (protoreflect.Value, bool) {
		return protoreflect.ValueOfInt32(int32(n.Int64())), n.IsInt64() && int64(int32(n.Int64())) == n.Int64()
	}
	i64 := func(n *big.Int) (protoreflect.Value, bool) { return protoreflect.ValueOfInt64(n.Int64()), n.IsInt64() }
	u32 := func(n *big.Int) (protoreflect.Value, bool) {
		return protoreflect.ValueOfUint32(uint32(n.Uint64())), n.IsUint64() && n.Uint64() <= math.MaxUint32
	}
	u64 := func(n *big.Int) (protoreflect.Value, bool) {
		return protoreflect.ValueOfUint64(n.Uint64()), n.IsUint64()
	}
	return map[protoreflect.Kind]func(*big.Int) (protoreflect.Value, bool){
		protoreflect.Int32Kind: i32, protoreflect.Sint32Kind: i32, protoreflect.Sfixed32Kind: i32,
		protoreflect.Int64Kind: i64, protoreflect.Sint64Kind: i64, protoreflect.Sfixed64Kind: i64,
		protoreflect.Uint32Kind: u32, protoreflect.Fixed32Kind: u32,
		protoreflect.Uint64Kind: u64, protoreflect.Fixed64Kind: u64}
}()

// fillMeaning fills a message that is no object in JSON.
func fillMeaning(m protoreflect.Message, meaning Meaning, v gjson.Result, path string) error {
	fields := m.Descriptor().Fields()
	switch meaning {
	case Wrapper:
		return setField(m, fields.ByNumber(1), v, path)
	case Struct, Value, List:
		if err := protojson.Unmarshal([]byte(v.Raw), m.Interface()); err != nil {
			return jsonform.Misfit(path, "%s does not suit %s", jsonform.Clip(v), m.Descriptor().FullName())
		}
		return nil
	case Timestamp, Duration:
		n, ok := jsonform.Times(v.Raw, jsonform.Power(6))
		if !ok || !n.IsInt64() || v.Type != gjson.Number {
			return jsonform.Misfit(path, "%s is no number of milliseconds with up to 6 digits behind the point",
				jsonform.Clip(v))
		}
		seconds, nanos := n.Int64()/1_000_000_000, n.Int64()%1_000_000_000
		//mutation:encode-before-1970
		if meaning == Timestamp && nanos < 0 {
			seconds, nanos = seconds-1, nanos+1_000_000_000
		}
		m.Set(fields.ByNumber(1), protoreflect.ValueOfInt64(seconds))
		m.Set(fields.ByNumber(2), protoreflect.ValueOfInt32(int32(nanos)))
		return nil
	case Decimal:
		return fillDecimal(m, v, path)
	}
	return jsonform.Misfit(path, "%s has no json form: leave the field out", m.Descriptor().FullName())
}

// fillDecimal writes a number as so many units of 10^-scale.
func fillDecimal(m protoreflect.Message, v gjson.Result, path string) error {
	n, scale, ok := jsonform.Decimal(v.Raw)
	if !ok || v.Type != gjson.Number {
		return jsonform.Misfit(path, "%s is no decimal", jsonform.Clip(v))
	}
	fields := m.Descriptor().Fields()
	m.Set(fields.ByNumber(1), protoreflect.ValueOfBytes(jsonform.Complement(n)))
	m.Set(fields.ByNumber(3), protoreflect.ValueOfInt32(int32(scale)))
	return nil
}
