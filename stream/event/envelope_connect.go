package event

import (
	"encoding/json"
	"strconv"
	"sync"

	"rosenblatt/stream/avro"
)

// connectType is what a schema of Kafka Connect says of values in json, as far as they are not what they seem.
type connectType struct {
	kind     connectKind
	optional bool
	clock    avro.Clock // of numbers
	divisor  int64      // likewise, see avro.Type; 1 if the number is as it should be
	scale    int64      // of decimals
	members  map[string]*connectType
	element  *connectType // of lists, and of the values of maps
	plain    bool         // all values are what they seem
}

type connectKind uint8

const (
	plainConnect   connectKind = iota
	structConnect              // an object with fields
	mapConnect                 // an object with values of one type
	listConnect                // an array
	clockConnect               // an integer that tells a time
	decimalConnect             // a number of base64
	scaledConnect              // an object with a scale and a number of base64
	bytesConnect               // base64, left out
)

// connectText is a schema as Connect's JsonConverter writes it.
type connectText struct {
	Type       string            `json:"type"`
	Name       string            `json:"name"`
	Field      string            `json:"field"`
	Optional   bool              `json:"optional"`
	Fields     []connectText     `json:"fields"`
	Items      *connectText      `json:"items"`
	Keys       *connectText      `json:"keys"`
	Values     *connectText      `json:"values"`
	Parameters map[string]string `json:"parameters"`
}

// Connect's own names of logical types. Its numbers are what avro's clocks count.
var connectClocks = map[string]avro.Clock{
	"org.apache.kafka.connect.data.Date": avro.Date, "org.apache.kafka.connect.data.Time": avro.Time,
	"org.apache.kafka.connect.data.Timestamp": avro.Moment,
}

const connectDecimal = "org.apache.kafka.connect.data.Decimal"

// connectTypes returns what the schema part of an envelope says of the rows in it; nil if that is nothing. Decoders
// share it.
func connectTypes(text []byte) *connectType {
	connected.Lock()
	defer connected.Unlock()
	if t, ok := connected.types[string(text)]; ok {
		return t
	}
	if connected.types == nil || len(connected.types) >= mostCompiled {
		connected.types = map[string]*connectType{}
	}
	t := compileConnect(text)
	connected.types[string(text)] = t
	return t
}

var connected struct {
	sync.Mutex
	types map[string]*connectType
}

// compileConnect finds the schema of the rows. What it cannot read says nothing.
func compileConnect(text []byte) *connectType {
	var envelope connectText
	if json.Unmarshal(text, &envelope) != nil {
		return nil
	}
	for i := range envelope.Fields {
		if f := &envelope.Fields[i]; f.Field == "after" {
			if t := f.compile(); !t.plain {
				return t
			}
			return nil
		}
	}
	return nil
}

func (s *connectText) compile() *connectType {
	t := &connectType{optional: s.Optional, divisor: 1, plain: true}
	integer := s.Type == "int32" || s.Type == "int64"
	switch {
	case s.Name == connectDecimal && s.Type == "bytes":
		scale, err := strconv.ParseInt(s.Parameters["scale"], 10, 32)
		if t.kind, t.scale = decimalConnect, scale; err != nil {
			t.kind = bytesConnect
		}
	case s.Type == "bytes":
		t.kind = bytesConnect
	case s.Name == avro.VariableScale && s.Type == "struct" && s.isScaled():
		t.kind = scaledConnect
	case s.Type == "struct":
		return t.compileFields(s.Fields)
	case s.Type == "array" && s.Items != nil:
		t.kind, t.element = listConnect, s.Items.compile()
		t.plain = t.element.plain
		return t
	case s.Type == "map" && s.Values != nil && s.Keys != nil && s.Keys.Type == "string":
		t.kind, t.element = mapConnect, s.Values.compile()
		t.plain = t.element.plain
		return t
	case integer && connectClocks[s.Name] != avro.NoClock:
		t.kind, t.clock = clockConnect, connectClocks[s.Name]
	default:
		clock, divisor, ok := avro.DebeziumClock(s.Name)
		if !ok || !integer {
			return t
		}
		t.kind, t.clock, t.divisor = clockConnect, clock, divisor
	}
	t.plain = false
	return t
}

func (t *connectType) compileFields(fields []connectText) *connectType {
	t.kind, t.members = structConnect, map[string]*connectType{}
	for i := range fields {
		if of := fields[i].compile(); !of.plain {
			t.members[fields[i].Field], t.plain = of, false
		}
	}
	return t
}

// isScaled reports whether a struct has the fields of a number whose scale is part of it, and no other.
func (s *connectText) isScaled() bool {
	if len(s.Fields) != 2 {
		return false
	}
	scale, value := &s.Fields[0], &s.Fields[1]
	if scale.Field == "value" {
		scale, value = value, scale
	}
	return scale.Field == "scale" && scale.Type == "int32" && value.Field == "value" && value.Type == "bytes"
}

// member returns the type of a member of an object; nil if it is what it seems.
func (t *connectType) member(key []byte) *connectType {
	switch {
	case t == nil:
		return nil
	case t.kind == structConnect:
		return t.members[string(key)]
	case t.kind == mapConnect && !t.element.plain:
		return t.element
	}
	return nil
}

// isLeftOut reports whether no value of the type is in the form.
func (t *connectType) isLeftOut() bool {
	return !t.optional && (t.kind == bytesConnect || t.kind == listConnect && t.element.isLeftOut())
}

// listed returns the type of the elements of an array; nil if they are what they seem.
func (t *connectType) listed() *connectType {
	if t == nil || t.kind != listConnect || t.element.plain {
		return nil
	}
	return t.element
}
