package event

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	library "github.com/twmb/avro"
)

// The oracle of avro: the library decodes the value into a tree, and the tree is written as JSON, for today's JSON
// decoder to read. It shares no code with the walker.

// plainSchema returns a schema of the same bytes that the library decodes without losing anything: maps are arrays of
// entries, so that their order stays, branches are in records, so that each has a name, and nothing is logical.
func plainSchema(schema any, made map[string]bool) any {
	fresh := func(prefix string) string {
		name := prefix + strconv.Itoa(len(made))
		made[name] = true
		return name
	}
	record := func(name string, fields ...any) any {
		return map[string]any{"type": "record", "name": name, "fields": fields}
	}
	field := func(name string, of any) any { return map[string]any{"name": name, "type": of} }
	switch s := schema.(type) {
	case []any:
		var branches []any
		for _, branch := range s {
			branches = append(branches, record(fresh("Branch"), field("v", plainSchema(branch, made))))
		}
		return branches
	case map[string]any:
		switch s["type"] {
		case "record":
			fields := []any{}
			for i, f := range s["fields"].([]any) {
				fields = append(fields, field("f"+strconv.Itoa(i), plainSchema(f.(map[string]any)["type"], made)))
			}
			return map[string]any{"type": "record", "name": s["name"], "fields": fields}
		case "map":
			return map[string]any{"type": "array", "items": record(fresh("Entry"), field("k", "string"),
				field("v", plainSchema(s["values"], made)))}
		case "array":
			return map[string]any{"type": "array", "items": plainSchema(s["items"], made)}
		case "enum":
			return map[string]any{"type": "enum", "name": s["name"], "symbols": s["symbols"]}
		case "fixed":
			return map[string]any{"type": "fixed", "name": s["name"], "size": s["size"]}
		}
		return s["type"]
	}
	return schema
}

// formOracle makes the JSON form of values of a schema.
type formOracle struct {
	schema any
	named  map[string]any // definitions, by name
	plain  *library.Schema

	branches map[string]int // the places of branches, by the names that plainSchema gives them
	oracleState
}

// oracleState is what an oracle knows of the current value.
type oracleState struct {
	invalid   bool // a text is not UTF-8
	notFinite bool
	nan       string // what a number that is not finite becomes
	shown     string // the schema
}

// formed makes JSON forms.
type formed interface {
	// form returns the JSON form of a value. The error says that it has none.
	form(value []byte, nan string) (form string, err error)
	state() oracleState
}

func (o *oracleState) state() oracleState { return *o }

func newFormOracle(schema string) (*formOracle, error) {
	o := &formOracle{named: map[string]any{}, branches: map[string]int{}, oracleState: oracleState{shown: schema}}
	if err := json.Unmarshal([]byte(schema), &o.schema); err != nil {
		return nil, err
	}
	o.define(o.schema)
	plain := plainSchema(o.schema, map[string]bool{})
	o.number(plain)
	text, err := json.Marshal(plain)
	if err != nil {
		return nil, err
	}
	o.plain, err = library.Parse(string(text))
	return o, err
}

func (o *formOracle) define(schema any) {
	switch s := schema.(type) {
	case []any:
		for _, branch := range s {
			o.define(branch)
		}
	case map[string]any:
		if name, ok := s["name"].(string); ok {
			o.named[name] = s
		}
		o.define(s["items"])
		o.define(s["values"])
		fields, _ := s["fields"].([]any)
		for _, f := range fields {
			o.define(f.(map[string]any)["type"])
		}
	}
}

// number notes the places of branches.
func (o *formOracle) number(plain any) {
	switch s := plain.(type) {
	case []any:
		for i, branch := range s {
			if b, ok := branch.(map[string]any); ok && strings.HasPrefix(fmt.Sprint(b["name"]), "Branch") {
				o.branches[b["name"].(string)] = i
			}
			o.number(branch)
		}
	case map[string]any:
		for _, part := range s {
			o.number(part)
		}
	}
}

// form returns the JSON form of a value. The error says that it has none.
func (o *formOracle) form(value []byte, nan string) (form string, err error) {
	o.oracleState = oracleState{nan: nan, shown: o.shown}
	var tree any
	rest, err := o.plain.Decode(value, &tree, library.TaggedUnions())
	if err != nil || len(rest) > 0 {
		return "", fmt.Errorf("%d bytes left: %w", len(rest), err)
	}
	form, present := o.write(o.schema, tree)
	if !present {
		return "", fmt.Errorf("absent")
	}
	return form, nil
}

func (o *oracleState) quote(s string) string {
	if !utf8.ValidString(s) {
		o.invalid = true
		s = "(not UTF-8)"
	}
	return string(AppendQuoted(nil, []byte(s)))
}

func (o *oracleState) float(v float64) string {
	switch {
	case math.IsNaN(v), math.IsInf(v, 0):
		o.notFinite = true
		if o.nan != "null" {
			return strings.NewReplacer("+", "", "Inf", "Infinity").Replace(strconv.FormatFloat(v, 'g', -1, 64))
		}
		return o.nan
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// write writes a value. It reports false if there is nothing to write.
func (o *formOracle) write(schema, v any) (form string, present bool) {
	switch s := schema.(type) {
	case string:
		if of, ok := o.named[s]; ok {
			return o.write(of, v)
		}
		return o.scalar(s, nil, v)
	case []any:
		for tag, of := range v.(map[string]any) { // there is one
			return o.write(s[o.branches[tag]], of.(map[string]any)["v"])
		}
	}
	s := schema.(map[string]any)
	switch s["type"] {
	case "record":
		return o.record(s, v.(map[string]any)), true
	case "map":
		var members []string
		for _, entry := range v.([]any) {
			e := entry.(map[string]any)
			key := o.quote(e["k"].(string))
			if text, ok := o.write(s["values"], e["v"]); ok {
				members = append(members, key+":"+text)
			}
		}
		return "{" + strings.Join(members, ",") + "}", true
	case "array":
		return o.array(s, v.([]any))
	}
	return o.scalar(s["type"].(string), s, v)
}

func (o *formOracle) record(s, v map[string]any) string {
	if s["connect.name"] == "io.debezium.data.VariableScaleDecimal" {
		return o.decimal(v["f1"].([]byte), int64(v["f0"].(int32)))
	}
	var members []string
	for i, f := range s["fields"].([]any) {
		f := f.(map[string]any)
		if text, ok := o.write(f["type"], v["f"+strconv.Itoa(i)]); ok {
			members = append(members, o.quote(f["name"].(string))+":"+text)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (o *formOracle) array(s map[string]any, v []any) (string, bool) {
	var all []string
	for _, element := range v {
		if text, ok := o.write(s["items"], element); ok {
			all = append(all, text)
		}
	}
	never := o.never(s["items"])
	return "[" + strings.Join(all, ",") + "]", !never && (len(all) > 0 || len(v) == 0)
}

// never reports whether no value of a type has a form.
func (o *formOracle) never(schema any) bool {
	if name, ok := schema.(string); ok && o.named[name] != nil {
		schema = o.named[name]
	}
	s, ok := schema.(map[string]any)
	if !ok {
		return schema == "bytes"
	}
	if s["type"] == "array" {
		return o.never(s["items"])
	}
	isBytes := s["type"] == "bytes" || s["type"] == "fixed"
	return isBytes && s["logicalType"] != "decimal" && (s["logicalType"] != "uuid" || s["size"] != 16.0)
}

func (o *oracleState) decimal(b []byte, scale int64) string {
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	v, _ := strconv.ParseFloat(n.String()+"e"+strconv.FormatInt(-scale, 10), 64)
	if math.IsInf(v, 0) {
		v = math.Copysign(math.MaxFloat64, v)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func (o *formOracle) scalar(kind string, s map[string]any, v any) (string, bool) {
	logical, _ := s["logicalType"].(string)
	if name, _ := s["connect.name"].(string); logical == "" {
		logical = strings.TrimPrefix(name, "io.debezium.time.")
	}
	switch v := v.(type) {
	case nil:
		return "null", true
	case bool:
		return strconv.FormatBool(v), true
	case int32:
		return strconv.Itoa(int(v)), true
	case int64:
		per := map[string]int64{"time-micros": 1e3, "timestamp-micros": 1e3, "timestamp-nanos": 1e6,
			"local-timestamp-micros": 1e3, "local-timestamp-nanos": 1e6, "MicroTime": 1e3, "NanoTime": 1e6,
			"MicroTimestamp": 1e3, "NanoTimestamp": 1e6}[logical]
		if per == 0 || v%per == 0 {
			return strconv.FormatInt(v/max(per, 1), 10), true
		}
		q, _ := big.NewRat(v, per).Float64()
		return strconv.FormatFloat(q, 'g', -1, 64), true
	case float32:
		return o.float(float64(v)), true
	case float64:
		return o.float(v), true
	case string:
		return o.quote(v), true
	case []byte:
		switch {
		case logical == "decimal":
			scale, _ := s["scale"].(float64)
			return o.decimal(v, int64(scale)), true
		case logical == "uuid" && kind == "fixed" && len(v) == 16:
			return fmt.Sprintf(`"%x-%x-%x-%x-%x"`, v[:4], v[4:6], v[6:8], v[8:10], v[10:]), true
		}
		return "", false
	}
	panic(fmt.Sprintf("%s: %T", kind, v))
}
