package event

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
)

// randomAvro makes schemas and values that they describe.
type randomAvro struct {
	*rand.Rand
	types int
	named map[string]any
	clock bool // there are logical types of times
}

// names are those to which fuzzOptions gives roles, and others.
var randomNames = []string{"label", "id", "weight", "features", "msg", "x", "y", "z", "n", "s", "a", "b", "m", "p", "c",
	"price", "text", "w", "e", "a.b", "x-y", "m.label", "é", "=", "x*y"}

func (r *randomAvro) name() string { return randomNames[r.IntN(len(randomNames))] }

func (r *randomAvro) fresh() string { r.types++; return "T" + fmt.Sprint(r.types) }

func (r *randomAvro) record(depth int) map[string]any {
	s := map[string]any{"type": "record", "name": r.fresh()}
	r.named[s["name"].(string)] = s
	fields, used := []any{}, map[string]bool{}
	for range r.IntN(8) {
		if name := r.name(); !used[name] {
			used[name] = true
			of := r.schema(depth - 1)
			if name == "features" && r.IntN(3) > 0 {
				of = r.record(depth - 1)
			}
			fields = append(fields, map[string]any{"name": name, "type": of})
		}
	}
	s["fields"] = fields
	return s
}

func (r *randomAvro) schema(depth int) any {
	kinds := 14
	if depth > 0 {
		kinds = 22
	}
	switch n := r.IntN(kinds); n {
	case 0, 1:
		return "double"
	case 2:
		return "float"
	case 3:
		return "int"
	case 4:
		return "long"
	case 5, 6:
		return "string"
	case 7:
		return []string{"boolean", "null", "bytes"}[r.IntN(3)]
	case 8:
		s := map[string]any{"type": "enum", "name": r.fresh(), "symbols": []any{"UP", "a", "odd", "A_1"}}
		r.named[s["name"].(string)] = s
		return s
	case 9:
		sizes := []int{0, 1, 3, 8, 16, 17}
		s := map[string]any{"type": "fixed", "name": r.fresh(), "size": float64(sizes[r.IntN(len(sizes))])}
		if size := s["size"].(float64); size == 16 && r.IntN(2) == 0 {
			s["logicalType"] = "uuid"
		} else if size > 0 && r.IntN(2) == 0 {
			s["logicalType"], s["precision"], s["scale"] = "decimal", 2.0, float64(r.IntN(3))
		}
		r.named[s["name"].(string)] = s
		return s
	case 10:
		return map[string]any{"type": "bytes", "logicalType": "decimal", "precision": 60.0,
			"scale": float64(r.IntN(40))}
	case 11, 12:
		return r.logical()
	case 13:
		return map[string]any{"type": "record", "name": r.fresh(),
			"connect.name": "io.debezium.data.VariableScaleDecimal",
			"fields": []any{map[string]any{"name": "scale", "type": "int"},
				map[string]any{"name": "value", "type": "bytes"}}}
	case 14, 15:
		return r.record(depth)
	case 16, 17:
		return map[string]any{"type": "map", "values": r.schema(depth - 1)}
	case 18, 19:
		return map[string]any{"type": "array", "items": r.schema(depth - 1)}
	case 20:
		for name, s := range r.named { // in any order: the seed is not a promise here
			if s.(map[string]any)["type"] != "record" {
				return name
			}
			return []any{"null", name} // it may contain itself
		}
	}
	return r.union(depth)
}

// union returns one of some different types.
func (r *randomAvro) union(depth int) any {
	all := []any{"null"}
	used := map[string]bool{"null": true}
	for range 1 + r.IntN(3) {
		of := r.schema(depth - 1)
		kind, _ := of.(string)
		if m, ok := of.(map[string]any); ok {
			kind, _ = m["type"].(string)
			if m["name"] != nil {
				kind = m["name"].(string)
			}
		}
		if kind != "" && !used[kind] {
			used[kind] = true
			all = append(all, of)
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// logical returns a number of a logical type, which may not suit it.
func (r *randomAvro) logical() any {
	s := map[string]any{"type": []string{"int", "long", "long", "string"}[r.IntN(4)]}
	if !r.clock {
		return s["type"]
	}
	switch r.IntN(5) {
	case 0:
		names := []string{"Date", "Time", "MicroTime", "NanoTime", "Timestamp", "MicroTimestamp", "NanoTimestamp"}
		s["type"], s["connect.name"] = "long", "io.debezium.time."+names[r.IntN(len(names))]
	case 1:
		s["logicalType"] = []string{"date", "time-millis", "what", "uuid"}[r.IntN(4)]
	default:
		s["type"] = "long"
		s["logicalType"] = []string{"time-micros", "timestamp-millis", "timestamp-micros", "timestamp-nanos",
			"local-timestamp-micros", "date"}[r.IntN(6)]
	}
	return s
}

// value appends a random value of a schema.
func (r *randomAvro) value(b []byte, schema any, depth int) []byte {
	switch s := schema.(type) {
	case string:
		if of, ok := r.named[s]; ok {
			return r.value(b, of, depth)
		}
		return r.scalar(b, s, 0)
	case []any:
		n := r.IntN(len(s))
		if depth <= 0 {
			for i := range s {
				if s[i] == "null" {
					n = i
				}
			}
		}
		return r.value(binary.AppendVarint(b, int64(n)), s[n], depth-1)
	}
	s := schema.(map[string]any)
	switch s["type"] {
	case "record":
		for _, f := range s["fields"].([]any) {
			b = r.value(b, f.(map[string]any)["type"], depth-1)
		}
		return b
	case "map", "array":
		return r.blocks(b, s, depth)
	case "enum":
		return binary.AppendVarint(b, int64(r.IntN(4)))
	}
	size, _ := s["size"].(float64)
	return r.scalar(b, s["type"].(string), int(size))
}

func (r *randomAvro) blocks(b []byte, s map[string]any, depth int) []byte {
	for range r.IntN(3) {
		n := 1 + r.IntN(3)
		var block []byte
		for range n {
			of := s["items"]
			if s["type"] == "map" {
				block, of = r.text(block, r.name()), s["values"]
			}
			block = r.value(block, of, depth-1)
		}
		if r.IntN(4) == 0 {
			b = binary.AppendVarint(b, int64(-n))
			b = binary.AppendVarint(b, int64(len(block)))
		} else {
			b = binary.AppendVarint(b, int64(n))
		}
		b = append(b, block...)
	}
	return append(b, 0)
}

func (r *randomAvro) text(b []byte, s string) []byte {
	return append(binary.AppendVarint(b, int64(len(s))), s...)
}

func (r *randomAvro) scalar(b []byte, kind string, size int) []byte {
	switch kind {
	case "boolean":
		return append(b, byte(r.IntN(2)))
	case "int":
		return binary.AppendVarint(b, int64(int32(r.integer())))
	case "long":
		return binary.AppendVarint(b, r.integer())
	case "float":
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(r.float())))
	case "double":
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(r.float()))
	case "string":
		words := []string{"", "1", "a", "UP", "down", "1.5", "Buy now, BUY", "é", " ", "7", "true", "2026-11-26", "-1",
			"a\"b\\", "x\ty", "\xff", "no\xc3", "odd", "1e5", "NA", "é" + "é"}
		return r.text(b, words[r.IntN(len(words))])
	case "bytes":
		n := r.IntN(20)
		b = binary.AppendVarint(b, int64(n))
		size = n
	}
	for range size {
		bits := r.Uint32() & (r.Uint32() | 0xff00)
		b = append(b, byte(bits))
	}
	return b
}

func (r *randomAvro) integer() int64 {
	switch r.IntN(4) {
	case 0:
		return r.Int64() >> r.IntN(64)
	case 1:
		return -(r.Int64() >> r.IntN(64))
	}
	return int64(r.IntN(4)) - 1
}

func (r *randomAvro) float() float64 {
	switch r.IntN(12) {
	case 0:
		return []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[r.IntN(3)]
	case 1:
		return []float64{1e31, -1e30, 1e30, 1e-300, math.Copysign(0, -1), 1e21}[r.IntN(6)]
	case 2, 3:
		return r.NormFloat64()
	}
	return float64(r.IntN(4)) - 1
}

// text of a schema.
func schemaText(s any) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}
