package avro

import (
	"fmt"
	"strings"
)

// Text names a type for people: a record by its name.
func (t *Type) Text() string {
	switch t.Kind {
	case Union:
		var all []string
		for _, branch := range t.Types {
			all = append(all, branch.Text())
		}
		return strings.Join(all, " or ")
	case Array:
		return "array of " + t.Element.Text()
	case Map:
		return "map of " + t.Element.Text()
	case Decimal:
		return fmt.Sprintf("decimal of scale %d", t.Scale)
	case Int, Long:
		return [...]string{NoClock: "", Date: "date in ", Time: "time in ", Moment: "timestamp in "}[t.Clock] + t.Name +
			t.unit()
	}
	return t.Name
}

// unit is what one of a number with a clock is a part of.
func (t *Type) unit() string {
	if t.Divisor > 1 {
		return fmt.Sprintf(" of 1/%d ms", t.Divisor)
	}
	return ""
}
