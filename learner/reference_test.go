package learner

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"rosenblatt/learner/metrics"
)

// referenceRow is what testdata/reference.py computes: the counts, and the score of the last example.
type referenceRow struct {
	Program                     string // of testdata/peers.py
	Set, Scale, Learner, Scheme string
	Mistakes, Updates           int64
	Score                       float64
}

// weighed is an example as the reference has it.
type weighed struct {
	x      []Feature
	label  string // of two labels "1" or "-1"
	weight float64
}

// TestReference holds every learner, alone and for several classes, with weights and what makes it forget, against a
// program that has nothing in common with it but the definitions. It sums in another order.
func TestReference(t *testing.T) {
	eachReference(t, "testdata/reference.json", func(t *testing.T, got, want *referenceRow) {
		off := math.Abs(got.Score - want.Score)
		if got.Mistakes != want.Mistakes || got.Updates != want.Updates || !(off <= 1e-9*(1+math.Abs(want.Score))) {
			t.Errorf("%+v, want %+v", got, want)
		}
	})
}

// TestPeers holds learners against those of River and scikit-learn where these follow the same rules: see
// testdata/peers.py.
func TestPeers(t *testing.T) {
	eachReference(t, "testdata/peers.json", func(t *testing.T, got, want *referenceRow) {
		if got.Mistakes != want.Mistakes {
			t.Errorf("%s: %d mistakes, those of %+v", want.Learner, got.Mistakes, want)
		}
	})
}

// eachReference runs what the rows of a file say, by data set.
func eachReference(t *testing.T, path string, compare func(t *testing.T, got, want *referenceRow)) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows []referenceRow
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	bySet := map[string][]referenceRow{}
	for _, row := range rows {
		bySet[row.Set] = append(bySet[row.Set], row)
	}
	for set, rows := range bySet {
		t.Run(set, func(t *testing.T) {
			data := readWeighed(t, set)
			for _, row := range rows {
				got, run := row, runBinary
				if row.Scheme != "" {
					run = runClasses
				}
				got.Mistakes, got.Updates, got.Score = run(t, &row, data)
				compare(t, &got, &row)
			}
		})
	}
}

func runBinary(t *testing.T, row *referenceRow, data []weighed) (mistakes, updates int64, score float64) {
	m, s := newModel(t, row.Learner, row.Scale, 7), new(metrics.Binary)
	for i, e := range data {
		label := int8(number(t, e.label))
		var err error
		if score, err = m.Predict(e.x); err != nil {
			t.Fatalf("%+v: example %d: %v", row, i, err)
		}
		updated, err := m.Prepare(label, e.weight)
		if err != nil {
			t.Fatalf("%+v: example %d: %v", row, i, err)
		}
		s.Add(Sign(score), label, score, updated)
		m.Learn()
	}
	return s.Mistakes(), s.Updates(), score
}

func runClasses(t *testing.T, row *referenceRow, data []weighed) (mistakes, updates int64, score float64) {
	m, s := newMulti(t, row.Learner, row.Scheme, row.Scale, 7), new(metrics.Multiclass)
	for i, e := range data {
		class, now, err := m.Predict(e.x)
		if err != nil {
			t.Fatalf("%+v: example %d: %v", row, i, err)
		}
		score = now
		if _, err := m.Prepare([]byte(e.label), e.weight); err != nil {
			t.Fatalf("%+v: example %d: %v", row, i, err)
		}
		s.Add(class, m.Label(), m.Steps())
		m.Learn()
	}
	return s.Mistakes(), s.Updates(), score
}

// readWeighed reads a set as the reference does.
func readWeighed(t *testing.T, set string) (data []weighed) {
	switch set {
	case "sparse":
		return sparseStream()
	case "weighted2":
		return weightedStream(2)
	case "weighted4":
		return weightedStream(4)
	case "phishing", "bananas":
		for _, e := range readSet(t, set).examples {
			data = append(data, weighed{e.x, strconv.Itoa(int(e.label)), 1})
		}
		return data
	}
	path := map[string]string{"segment": "segment/segment.csv", "iris": "iris/iris.csv",
		"breast_cancer": "breast_cancer/breast_cancer.csv"}[set]
	r := csv.NewReader(strings.NewReader(string(dataFile(t, path))))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		e := weighed{weight: 1, label: row[len(row)-1]}
		if set == "breast_cancer" && e.label == "0" {
			e.label = "-1"
		}
		for i, text := range row[:len(row)-1] {
			e.x = append(e.x, Feature{Slot: uint32(i), Print: uint16(i) + 1, Value: number(t, text)})
		}
		data = append(data, e)
	}
	if set == "iris" { // the classes in turn
		sorted := data
		data = make([]weighed, len(sorted))
		for i := range data {
			data[i] = sorted[i%3*50+i/3]
		}
	}
	return data
}

// knuth is the generator of the reference's random_numbers.
type knuth uint64

func (k *knuth) next() int {
	*k = *k*6364136223846793005 + 1442695040888963407
	return int(*k >> 33)
}

func plane(c, j int) float64 { return float64((7*c+3*j+5*c*j)%11 - 5) }

// sparseStream makes what the reference's function sparse does.
func sparseStream() (data []weighed) {
	r := knuth(2026)
	for i := range 2000 {
		e, score := weighed{label: "-1"}, 0.0
		add := func(j int, value, less float64) {
			e.x = append(e.x, Feature{Slot: uint32(j), Print: uint16(j) + 1, Value: value})
			score += float64(plane(i/1500, j) * (value - less))
		}
		for j := range 8 {
			if r.next()%9 > j+i/1000*(j%3-1) {
				continue
			}
			switch j % 4 {
			case 3:
				add(j, float64(j)-2.5, 1)
			case 2:
				add(j, float64(r.next()%4+1), 1)
			default:
				add(j, 10+float64(r.next()%2001)/400, 12)
			}
		}
		if i%3 == 0 {
			add(8, 2, 12)
		}
		if (score > 0) != (r.next()%10 == 0) {
			e.label = "1"
		}
		e.weight = float64(r.next()%3) / 2
		data = append(data, e)
	}
	return data
}

// weightedStream makes what the reference's function weighted does.
func weightedStream(classes int) (data []weighed) {
	r := knuth(2026)
	next := r.next
	for i := range 2000 {
		var e weighed
		scores := make([]float64, classes)
		for j := range 8 {
			if next()%3 == 0 {
				continue
			}
			value := float64(next()%2001-1000) / 250
			if value != 0 {
				e.x = append(e.x, Feature{Slot: uint32(j), Print: uint16(j) + 1, Value: value})
			}
			for c := range scores {
				scores[c] += plane(c+i/1000, j) * value
			}
		}
		e.weight = float64(next()%5) / 2
		label := 0
		for c := range scores {
			if scores[c] > scores[label] {
				label = c
			}
		}
		if next()%10 == 0 {
			label = next() % classes
		}
		if classes == 2 {
			label = 2*label - 1
		}
		e.label = strconv.Itoa(label)
		data = append(data, e)
	}
	return data
}
