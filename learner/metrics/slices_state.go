package metrics

import (
	"encoding/json"
	"fmt"
)

// LoadSlices reads what Saved has encoded.
func LoadSlices(text []byte) (*Slices, error) {
	var saved []savedField
	if err := json.Unmarshal(text, &saved); err != nil {
		return nil, err
	}
	if len(saved) > MostSliced {
		return nil, fmt.Errorf("slices by %d fields: want at most %d", len(saved), MostSliced)
	}
	s := &Slices{}
	for _, of := range saved {
		if len(of.Values) > SliceValues || len(of.Counts) != firstCode-codeNone+len(of.Values) {
			return nil, fmt.Errorf("slices by %s: %d values and %d counts", of.Name, len(of.Values), len(of.Counts))
		}
		f := slicedField{name: of.Name, codes: map[string]uint8{}}
		for _, value := range of.Values {
			if _, twice := f.codes[value]; twice || len(value) > SliceText {
				return nil, fmt.Errorf("slices by %s: the value %.100q is there twice, or too long", of.Name, value)
			}
			f.add(value)
		}
		for code, counts := range of.Counts {
			for _, n := range counts {
				if !isCount(n) {
					return nil, fmt.Errorf("slices by %s: %v is no count", of.Name, n)
				}
			}
			f.counts[codeNone+code] = counts
		}
		s.fields = append(s.fields, f)
	}
	return s, nil
}
