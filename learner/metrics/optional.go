package metrics

import "encoding/json"

// Optional is a figure that the examples may not give: it is absent then, never 0. The zero value is an absent one, and
// struct tags have to say omitzero.
type Optional struct {
	value float64
	known bool
}

// Known is a figure that is there.
func Known(value float64) Optional { return Optional{value, true} }

// Get returns the figure, and whether there is one.
func (o Optional) Get() (value float64, known bool) { return o.value, o.known }

// Value returns the figure, 0 for an absent one. It is for sorting and for figures that are known to be there.
func (o Optional) Value() float64 { return o.value }

// MarshalJSON implements json.Marshaler. An absent figure that is not omitted is null.
func (o Optional) MarshalJSON() ([]byte, error) {
	if !o.known {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *Optional) UnmarshalJSON(text []byte) error {
	var value *float64
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	if *o = (Optional{}); value != nil {
		*o = Known(*value)
	}
	return nil
}

// Quotient is absent where b is 0.
func Quotient(a, b float64) Optional {
	if b == 0 {
		return Optional{}
	}
	return Known(a / b)
}
