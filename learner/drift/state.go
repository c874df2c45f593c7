package drift

import (
	"encoding/json"
	"errors"
	"fmt"
)

// detectorState is a Detector in JSON.
type detectorState struct {
	Spec
	Seen    int64       `json:"seen"`
	Changes int64       `json:"changes,omitempty"`
	Drifts  int64       `json:"drifts,omitempty"`
	Latest  *Detection  `json:"latest,omitempty"`
	Drifted *Detection  `json:"latestDrift,omitempty"`
	Wait    int         `json:"wait"`
	Total   float64     `json:"total"`
	Squares float64     `json:"squares"`
	Rows    [][]float64 `json:"rows"` // sums of buckets, the smallest first
}

var errState = errors.New("drift: invalid saved detector")

// MarshalJSON writes the settings and all that the detector knows.
func (d *Detector) MarshalJSON() ([]byte, error) {
	s := detectorState{Spec: d.spec, Seen: d.seen, Changes: d.changes, Drifts: d.drifts, Wait: d.wait,
		Total: d.total, Squares: d.squares, Rows: make([][]float64, d.rows)}
	if d.changes > 0 {
		s.Latest = &d.latest
	}
	if d.drifts > 0 {
		s.Drifted = &d.drifted
	}
	for i := range s.Rows {
		for k := range d.row[i].n {
			s.Rows[i] = append(s.Rows[i], *d.row[i].at(k))
		}
	}
	return json.Marshal(s)
}

// UnmarshalJSON reads what MarshalJSON writes, and checks it. On an error d is unchanged.
func (d *Detector) UnmarshalJSON(text []byte) error {
	var s detectorState
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("drift: %w", err)
	}
	loaded := Detector{spec: s.Spec, seen: s.Seen, changes: s.Changes, drifts: s.Drifts}
	loaded.wait, loaded.total, loaded.squares = s.Wait, s.Total, s.Squares
	if s.Check() != nil || s.Wait < 1 || s.Wait > s.Clock || !loaded.load(s.Rows) || !loaded.loadDetections(&s) {
		return errState
	}
	*d = loaded
	return nil
}

// load takes the sums of buckets. Each row but the last has perRow of them or one less.
func (d *Detector) load(rows [][]float64) bool {
	if len(rows) > maxRows {
		return false
	}
	d.rows = len(rows)
	for i, sums := range rows {
		size := float64(int64(1) << i)
		if len(sums) > perRow || len(sums) < perRow-1 && i < len(rows)-1 || len(sums) == 0 {
			return false
		}
		for _, sum := range sums {
			if !(sum >= 0 && sum <= size) {
				return false
			}
		}
		d.n += size * float64(len(sums))
		d.row[i].n = uint(copy(d.row[i].sum[:], sums))
	}
	return d.n <= float64(d.seen) && d.total >= 0 && d.total <= d.n && d.squares >= 0 && d.squares <= d.total
}

func (d *Detector) loadDetections(s *detectorState) bool {
	if s.Drifts < 0 || s.Drifts > s.Changes || s.Changes > s.Seen || (s.Latest != nil) != (s.Changes > 0) ||
		(s.Drifted != nil) != (s.Drifts > 0) {
		return false
	}
	for _, x := range []*Detection{s.Latest, s.Drifted} {
		if x != nil && !(x.At > 0 && x.At <= s.Seen && x.Newer > 0 && x.Newer < x.At && x.Before >= 0 && x.After >= 0) {
			return false
		}
	}
	if s.Latest != nil {
		d.latest = *s.Latest
	}
	if s.Drifted != nil {
		d.drifted = *s.Drifted
	}
	return s.Drifted == nil || s.Drifted.Drift
}
