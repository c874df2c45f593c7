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
