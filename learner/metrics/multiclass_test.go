package metrics

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// sample is an example of the oracle: its label (the first element) and the class of each predictor.
type sample struct{ label, predicted [predictors]int }

// oracle computes figures from plain lists, by their definitions. Weights fall by fade with each later example.
func oracle(list []sample, p int, fade float64) Figures {
	div := func(a, b float64) Optional {
		if math.Abs(b) < 1e-12 {
			return Optional{}
		}
		return Known(a / b)
	}
	weight, hits, total := 1.0, [predictors]float64{}, 0.0
	rows, columns, both := map[int]float64{}, map[int]float64{}, map[int]float64{}
	for i := len(list) - 1; i >= 0; i-- {
		j := list[i]
		total += weight
		rows[j.label[0]] += weight
		columns[j.predicted[p]] += weight
		for q := range predictors {
			if j.predicted[q] == j.label[0] && (q != learned || j.label[0] >= 0) {
				hits[q] += weight
				if q == p {
					both[j.label[0]] += weight
				}
			}
		}
		weight *= fade
	}
	chance, labels, occurred, ofLabel, ofPredicted := 0.0, 0.0, 0.0, 0.0, 0.0
	recall, precision, f1, known, weighted := 0.0, 0.0, 0.0, 0.0, [3]float64{}
	for c := -1; c < 10; c++ {
		chance += rows[c] / total * columns[c] / total
		ofLabel += rows[c] / total * rows[c] / total
		ofPredicted += columns[c] / total * columns[c] / total
		if c < 0 || rows[c]+columns[c] == 0 {
			continue
		}
		occurred++
		if rows[c] > 0 {
			labels++
			recall += both[c] / rows[c]
			weighted[1] += both[c]
		}
		if columns[c] > 0 {
			precision += both[c] / columns[c]
			weighted[0] += rows[c] * both[c] / columns[c]
		}
		known += rows[c]
		f1 += 2 * both[c] / (rows[c] + columns[c])
		weighted[2] += rows[c] * 2 * both[c] / (rows[c] + columns[c])
	}
	accuracy := hits[p] / total
	against := func(reference float64) Optional { return div(accuracy-reference, 1-reference) }
	return Figures{
		Accuracy: Known(accuracy), BalancedAccuracy: div(recall, labels), Precision: div(precision, occurred),
		Recall: div(recall, occurred), F1: div(f1, occurred), WeightedPrecision: div(weighted[0], known),
		WeightedRecall: div(weighted[1], known), WeightedF1: div(weighted[2], known),
		Matthews: div(accuracy-chance, math.Sqrt((1-ofLabel)*(1-ofPredicted))), Kappa: against(chance),
		KappaM: against(hits[majority] / total), KappaT: against(hits[noChange] / total),
	}
}

func closeFigures(a, b Figures) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	return alike(x, y)
}

// addSamples makes a list of random examples, whose classes grow in number, and adds them to a score.
func addSamples(s *Multiclass, n int) (list []sample) {
	r := rand.New(rand.NewPCG(3, 4))
	counts := map[int]int{}
	for i := range n {
		most := min(6, 1+i/20)
		j := sample{}
		j.label[0] = r.IntN(most+1) - 1 // now and then one that is not known
		j.predicted[learned] = j.label[0]
		if r.IntN(3) == 0 {
			j.predicted[learned] = r.IntN(most+1) - 1
		}
		j.predicted[noChange], j.predicted[majority] = -1, -1
		if i > 0 {
			j.predicted[noChange] = list[i-1].label[0]
			for c := -1; c < 6; c++ {
				if counts[c] > counts[j.predicted[majority]] {
					j.predicted[majority] = c
				}
			}
		}
		counts[j.label[0]]++
		list = append(list, j)
		s.Add(j.predicted[learned], j.label[0], i%3)
	}
	return list
}

func TestMulticlassAgainstDefinitions(t *testing.T) {
	for _, n := range []int{1, 2, 3, 50, Window - 1, Window, Window + 1, 2500, LongWindow, LongWindow + 999} {
		s := new(Multiclass)
		list := addSamples(s, n)
		r := s.Report()
		for p, row := range []Row{r.Row, r.Baselines[0], r.Baselines[1]} {
			last, long := list[max(0, n-Window):], list[max(0, n-LongWindow):]
			for what, pair := range map[string][2]Figures{"all": {row.Figures, oracle(list, p, 1)},
				"last": {row.Last, oracle(last, p, 1)}, "last10000": {row.Last10000, oracle(long, p, 1)},
				"fading": {row.Fading, oracle(list, p, Fade)}} {
				if !closeFigures(pair[0], pair[1]) {
					t.Fatalf("%d examples, predictor %d, %s: %+v, want %+v", n, p, what, pair[0], pair[1])
				}
			}
		}
		counts := map[[2]int]float64{}
		for _, j := range list {
			counts[[2]int{j.label[0], j.predicted[learned]}]++
		}
		for _, c := range s.Confusion() {
			if counts[[2]int{c.Label, c.Prediction}] != c.Count {
				t.Fatalf("%d examples: %+v, want %v", n, c, counts)
			}
			delete(counts, [2]int{c.Label, c.Prediction})
		}
		if len(counts) != 0 || r.Examples != int64(n) || s.Predictions() != int64(n) {
			t.Fatalf("%d examples: %v are missing, %+v", n, counts, r.Row)
		}
	}
}

// TestFadingCountsSurviveALongStream passes the place where the unit of the fading counts starts anew.
func TestFadingCountsSurviveALongStream(t *testing.T) {
	s := new(Multiclass)
	for i := range 225_000 { // the unit is 1e97 by now
		s.Add(i%2, 0, 0)
	}
	half := s.Report()
	for range 20_000 {
		s.Add(0, 0, 0)
	}
	right, confusion := s.Report(), s.Confusion()
	if s.scale > 1e90 {
		t.Errorf("the unit %v did not start anew", s.scale)
	}
	if math.Abs(half.Fading.Accuracy.Value()-0.5) > 0.001 || right.Fading.Accuracy.Value() < 0.999999 ||
		math.Abs(confusion[0].Fading-1000) > 0.01 || confusion[1].Fading > 0.01 {
		t.Errorf("%+v, then %+v, %+v", half.Fading, right.Fading, confusion)
	}
}

func TestMulticlassSurvivesASave(t *testing.T) {
	for _, n := range []int{0, 1, 30, Window, 2300} {
		s, copied := new(Multiclass), new(Multiclass)
		addSamples(copied, 700) // what a copy held before does not matter
		addSamples(s, n)
		s.AddUnlabelled()
		s.AddNorm(7)
		kept, loaded := save(t, s), again(t, s)
		s.CopyTo(copied)
		for _, other := range []*Multiclass{loaded, copied} {
			if !reflect.DeepEqual(s.Report(), other.Report()) {
				t.Fatalf("%d examples: %+v became %+v", n, s.Report(), other.Report())
			}
			before := other.Report()
			addSamples(s, 40)
			if !reflect.DeepEqual(before, other.Report()) {
				t.Fatal("the copy changed with the score")
			}
			addSamples(other, 40)
			if !reflect.DeepEqual(s.Report(), other.Report()) {
				t.Fatalf("%d examples: the score went its own way", n)
			}
			again(t, other)
			s = new(Multiclass)
			if err := kept.load(s); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestMulticlassRefuses changes one thing in a sound state at a time.
func TestMulticlassRefuses(t *testing.T) {
	s := new(Multiclass)
	addSamples(s, 100)
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*multiclassState){
		"updates below 0":     func(s *multiclassState) { s.Updates = -1 },
		"fewer predictions":   func(s *multiclassState) { s.Predictions = 99 },
		"half an example":     func(s *multiclassState) { s.All[0][1] += 0.5; s.All[1][1] += 0.5 },
		"one list shorter":    func(s *multiclassState) { s.All[2] = s.All[2][1:] },
		"one list less":       func(s *multiclassState) { s.All = s.All[1:] },
		"negative":            func(s *multiclassState) { s.Fading[3][0] = -1 },
		"more hits":           func(s *multiclassState) { s.All[4][1] = 1e6 },
		"another scale":       func(s *multiclassState) { s.Scale = 0 },
		"a scale without end": func(s *multiclassState) { s.Scale = 1e200 },
		"a cell less":         func(s *multiclassState) { s.Cells = s.Cells[1:] },
		"a cell twice":        func(s *multiclassState) { s.Cells = append(s.Cells, s.Cells[0]) },
		"a cell of no class":  func(s *multiclassState) { s.Cells[0][0] = 99 },
		"a cell below 0":      func(s *multiclassState) { s.Cells[0][1] = -1 },
		"a negative norm":     func(s *multiclassState) { s.Norm = -1 },
		"a total without end": func(s *multiclassState) { s.Total = 1e200 },
	} {
		var state multiclassState
		if err := json.Unmarshal(text, &state); err != nil {
			t.Fatal(err)
		}
		change(&state)
		changed, err := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		before := s.Report()
		if err := json.Unmarshal(changed, s); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if !reflect.DeepEqual(before, s.Report()) {
			t.Errorf("%s: the score changed", name)
		}
	}
}

// TestByClass: the counts of each class in each scope, against the list of examples.
func TestByClass(t *testing.T) {
	var s Multiclass
	if rows := s.ByClass(); len(rows) != 0 {
		t.Errorf("classes before any example: %v", rows)
	}
	list := addSamples(&s, 12_000)
	rows := s.ByClass()
	if len(rows) == 0 {
		t.Fatal("no class")
	}
	for class := range rows {
		for scope, n := range [...]int{len(list), Window, LongWindow, len(list)} {
			var want ClassCounts
			weight := 1.0
			for i := len(list) - 1; i >= len(list)-n; i-- {
				label, predicted := list[i].label[0], list[i].predicted[learned]
				for _, x := range []struct {
					to *float64
					is bool
				}{{&want.Support, label == class}, {&want.Predicted, predicted == class},
					{&want.Right, label == class && predicted == class}} {
					if x.is {
						*x.to += weight
					}
				}
				if Scopes[scope].Name == "fading" {
					weight *= Fade
				}
			}
			got := rows[class][scope]
			for _, pair := range [][2]float64{{got.Support, want.Support}, {got.Predicted, want.Predicted},
				{got.Right, want.Right}} {
				if math.Abs(pair[0]-pair[1]) > 1e-6 {
					t.Errorf("class %d, %s: %+v, want %+v", class, Scopes[scope].Name, got, want)
				}
			}
		}
	}
	half := ClassCounts{Support: 4, Predicted: 2, Right: 1}
	if f := half.Figures(); f.Precision != Known(0.5) || f.Recall != Known(0.25) || f.F1 != Known(1.0/3) {
		t.Errorf("%+v", f)
	}
	if f := (&ClassCounts{}).Figures(); f.Precision.known || f.Recall.known || f.F1.known {
		t.Errorf("figures of nothing: %+v", f)
	}
}
