package event

import (
	"encoding/base64"
	"encoding/json"
	"math/big"
	"slices"

	"rosenblatt/stream/internal/number"
)

// afterType returns the schema of the rows; nil without one.
func afterType(schema *node) *node {
	fields, _ := schema.field("fields")
	if fields == nil {
		return nil
	}
	for _, m := range fields.members {
		if is(m.value, "field", "after") {
			return m.value
		}
	}
	return nil
}

func is(t *node, field, want string) bool {
	v, _ := t.field(field)
	return v != nil && v.scalar == want
}

// rowOracle returns what a value is by its schema, nil if it is left out.
func rowOracle(n, t *node) (out *node, wrong bool) {
	switch {
	case n.scalar == unlogged.text, n.scalar == unlogged.bytes, n.scalar == unlogged.uuid:
		return nil, false
	case n.object && is(t, "name", "io.debezium.data.VariableScaleDecimal"):
		scale, _ := n.field("scale")
		value, _ := n.field("value")
		return decimalOracle(value.scalar.(string), string(scale.scalar.(json.Number)))
	case n.object || n.array:
		return rowPartsOracle(n, t)
	case is(t, "type", "bytes") && is(t, "name", "org.apache.kafka.connect.data.Decimal"):
		if text, ok := n.scalar.(string); ok {
			parameters, _ := t.field("parameters")
			scale, _ := parameters.field("scale")
			return decimalOracle(text, scale.scalar.(string))
		}
	case is(t, "type", "bytes"):
		if _, ok := n.scalar.(string); ok {
			return nil, false
		}
	}
	if v, ok := n.scalar.(json.Number); ok && t != nil {
		name, _ := t.field("name")
		unit := map[any]int64{"io.debezium.time.MicroTime": 1e3, "io.debezium.time.NanoTime": 1e6,
			"io.debezium.time.MicroTimestamp": 1e3, "io.debezium.time.NanoTimestamp": 1e6}
		if name != nil && unit[name.scalar] > 0 {
			whole, _ := new(big.Int).SetString(string(v), 10)
			return ratio(new(big.Rat).SetFrac(whole, big.NewInt(unit[name.scalar]))), false
		}
	}
	return n, false
}

func rowPartsOracle(n, t *node) (out *node, wrong bool) {
	out = &node{object: n.object, array: n.array}
	element, _ := t.field("items")
	if n.object {
		element, _ = t.field("values")
	}
	fields, _ := t.field("fields")
	bytesLeft := 0
	for _, m := range n.members {
		of := element
		if fields != nil {
			i := slices.IndexFunc(fields.members, func(f member) bool { return is(f.value, "field", m.key) })
			if of = nil; i >= 0 {
				of = fields.members[i].value
			}
		}
		v, bad := rowOracle(m.value, of)
		wrong = wrong || bad
		if v != nil {
			out.members = append(out.members, member{m.key, v})
		} else if of != nil && (is(of, "type", "bytes") || is(of, "type", "array")) {
			bytesLeft++
		}
	}
	if n.array && (bytesLeft > 0 && len(out.members) == 0 || len(n.members) == 0 && leftOut(element)) {
		return nil, wrong
	}
	return out, wrong
}

// leftOut reports whether no value of a type is in the JSON form.
func leftOut(t *node) bool {
	optional, _ := t.field("optional")
	items, _ := t.field("items")
	name, _ := t.field("name")
	return t != nil && optional == nil && (is(t, "type", "bytes") && name == nil || leftOut(items))
}

func decimalOracle(text, scale string) (*node, bool) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, true
	}
	n := new(big.Int).SetBytes(raw)
	if len(raw) > 0 && raw[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(raw))))
	}
	power, _ := new(big.Int).SetString(scale, 10)
	ten := new(big.Int).Exp(big.NewInt(10), new(big.Int).Abs(power), nil)
	exact := new(big.Rat).SetFrac(n, ten)
	if power.Sign() < 0 {
		exact.SetInt(n.Mul(n, ten))
	}
	v, _ := exact.Float64() // no integer, whatever it is: so decimals in avro are
	return &node{scalar: json.Number(number.Append(nil, v))}, false
}

// ratio is a number as scores are written.
func ratio(r *big.Rat) *node {
	if r.IsInt() && r.Num().BitLen() < 63 {
		return &node{scalar: json.Number(number.AppendInt(nil, r.Num().Int64()))}
	}
	v, _ := r.Float64()
	return &node{scalar: json.Number(number.Append(nil, v))}
}
