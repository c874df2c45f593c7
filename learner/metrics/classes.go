package metrics

// ClassCounts are those of one of several classes in one scope.
type ClassCounts struct {
	Support   float64 // examples with the label
	Predicted float64 // predictions of it
	Right     float64 // of both
}

// ClassRow has the counts of a class in each of Scopes.
type ClassRow [4]ClassCounts

// ClassFigures are what follows from ClassCounts.
type ClassFigures struct {
	Support   float64  `json:"support"`
	Predicted float64  `json:"predicted"`
	Precision Optional `json:"precision,omitzero"`
	Recall    Optional `json:"recall,omitzero"`
	F1        Optional `json:"f1,omitzero"`
}

// Figures computes precision, recall and F1; each is absent where there is nothing to divide by.
func (c *ClassCounts) Figures() ClassFigures {
	return ClassFigures{
		Support:   c.Support,
		Predicted: c.Predicted,
		Precision: Quotient(c.Right, c.Predicted),
		Recall:    Quotient(c.Right, c.Support),
		F1:        Quotient(2*c.Right, c.Support+c.Predicted),
	}
}

// ByScope are the figures of a class by the name of their scope.
func (r *ClassRow) ByScope() map[string]ClassFigures {
	out := make(map[string]ClassFigures, len(r))
	for i := range r {
		out[Scopes[i].Name] = r[i].Figures()
	}
	return out
}

// ByClass has a row for each class that occurred as label or prediction, by number.
func (s *Multiclass) ByClass() []ClassRow {
	out := make([]ClassRow, max(0, len(s.all.labels())-1))
	for scope, t := range s.tallies() {
		unit := 1.0
		if t == &s.fading && s.scale > 0 {
			unit = s.scale
		}
		for class := range out {
			if c := class + 1; c < len(t.labels()) {
				out[class][scope] = ClassCounts{t.labels()[c] / unit, t.predicted(learned)[c] / unit,
					t.hits(learned)[c] / unit}
			}
		}
	}
	return out
}
