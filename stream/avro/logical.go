package avro

import "github.com/twmb/avro"

// meaning is what a number of a logical type is.
type meaning struct {
	clock   Clock
	divisor int64
}

// clocks are the logical types that are times, by their names. Those of Debezium count where there is no logicalType.
var clocks = map[string]meaning{
	"date": {Date, 1}, "time-millis": {Time, 1}, "time-micros": {Time, 1e3},
	"timestamp-millis": {Moment, 1}, "timestamp-micros": {Moment, 1e3}, "timestamp-nanos": {Moment, 1e6},
	"local-timestamp-millis": {Moment, 1}, "local-timestamp-micros": {Moment, 1e3},
	"local-timestamp-nanos": {Moment, 1e6},
}

var debezium = map[string]meaning{
	"io.debezium.time.Date": {Date, 1}, "io.debezium.time.Time": {Time, 1},
	"io.debezium.time.MicroTime": {Time, 1e3}, "io.debezium.time.NanoTime": {Time, 1e6},
	"io.debezium.time.Timestamp": {Moment, 1}, "io.debezium.time.MicroTimestamp": {Moment, 1e3},
	"io.debezium.time.NanoTimestamp": {Moment, 1e6},
}

// VariableScale is the name of a record of a scale and a value, which is a number.
const VariableScale = "io.debezium.data.VariableScaleDecimal"

// DebeziumClock returns what an integer tells that Kafka Connect gives this name, and how many of the unit written are
// one of the clock's.
func DebeziumClock(name string) (c Clock, divisor int64, ok bool) {
	m, ok := debezium[name]
	return m.clock, m.divisor, ok
}

// mean applies the logical type of a node, if it suits the type, or the name that Kafka Connect gives it.
func (t *Type) mean(n *avro.SchemaNode) {
	if n.LogicalType == "" {
		name, _ := n.Props["connect.name"].(string)
		switch m, ok := debezium[name]; {
		case ok && (t.Kind == Int || t.Kind == Long):
			t.Clock, t.Divisor = m.clock, m.divisor
		case name == VariableScale && t.isScaled():
			t.Kind = Scaled
		}
		return
	}
	wide := Long
	switch n.LogicalType {
	case "date", "time-millis":
		wide = Int
	case "decimal":
		if t.Kind == Bytes || t.Kind == Fixed && t.Size > 0 {
			t.Kind, t.Scale = Decimal, n.Scale
		}
		return
	case "uuid":
		if t.Kind == Fixed && t.Size == 16 {
			t.Kind = UUID
		}
		return
	}
	if m, ok := clocks[n.LogicalType]; ok && t.Kind == wide {
		t.Clock, t.Divisor = m.clock, m.divisor
	}
}

// isScaled reports whether a record has the fields of a number whose scale is part of it, and no other.
func (t *Type) isScaled() bool {
	if t.Kind != Record || len(t.Fields) != 2 {
		return false
	}
	scale, value := t.Fields[0], t.Fields[1]
	if string(scale.Name) == "value" {
		scale, value = value, scale
	}
	return string(scale.Name) == "scale" && scale.Type.Kind == Int &&
		string(value.Name) == "value" && value.Type.Kind == Bytes
}
