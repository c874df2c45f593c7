package web

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

type predicted struct {
	Prediction    json.RawMessage
	Score         float64
	Seq           int64
	Bias          *float64
	Distance      *float64
	Contributions []model.Contribution
	Reason, Error string
}

func predict(t testing.TB, s *Server, query, value string) (int, predicted) {
	t.Helper()
	w := ask(s, "POST", "/predict"+query, value)
	var p predicted
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("%d %q: %v", w.Code, w.Body, err)
	}
	if w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("content type %q", w.Header().Get("Content-Type"))
	}
	return w.Code, p
}

// columns is a deep copy of a model's state.
func columns(m *learner.Model) (out []learner.Column) {
	for _, c := range m.Columns() {
		out = append(out, learner.Column{Name: c.Name, Float64: slices.Clone(c.Float64), Uint16: slices.Clone(c.Uint16),
			Bytes: slices.Clone(c.Bytes)})
	}
	return out
}

func marshalled(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPredictIsTheProcessorsOwnAnswer(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	for i := range 50 {
		// Every fifth has a label, one of them the wrong one: it is not learned.
		value := fmt.Sprintf(`{"price":%d.25,"market":"m%d","open":%t,"new%d":2}`, i, i%7, i%2 == 0, i)
		if i%5 == 0 {
			value = value[:len(value)-1] + fmt.Sprintf(`,"label":%d}`, i%2)
		}
		o, rejected := task.answer(t, &topics.Record{Value: []byte(value)})
		if rejected != nil {
			t.Fatal(rejected)
		}
		code, p := predict(t, s, "", value)
		spelled := task.fixed.Decode.AppendLabel(nil, int8(2*o.Prediction-1), task.proc.Family)
		if code != http.StatusOK || math.Float64bits(p.Score) != math.Float64bits(o.Score) ||
			string(p.Prediction) != string(spelled) || p.Seq != 200 {
			t.Fatalf("%s: %d %+v, want score %v prediction %s", value, code, p, o.Score, spelled)
		}
		if p.Contributions != nil || p.Bias != nil || p.Distance != nil {
			t.Fatalf("contributions nobody asked for: %+v", p)
		}
	}
	if task.proc.Family != event.ZeroOne {
		t.Fatalf("family %v: the test does not see whether labels are spelled as the user does", task.proc.Family)
	}
}

func TestPredictNeverChangesTheModel(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	predict(t, s, "", `{"price":1}`) // makes the copy
	ours, theirs := columns(s.models.copy.Proc.Binary()), columns(task.proc.Binary())
	state, score := task.proc.Binary().State(), marshalled(t, s.models.copy.Proc.Score)
	for i := range 20 {
		predict(t, s, "?explain=5", fmt.Sprintf(`{"price":%d,"fresh%d":1,"label":%d}`, 1000*i, i, i%2))
		predict(t, s, "", `{"price":1,"label":"odd"}`)
	}
	if task.copies != 1 {
		t.Fatalf("%d copies: the columns compared are of the last one only", task.copies)
	}
	for name, pair := range map[string][2][]learner.Column{"copy": {ours, columns(s.models.copy.Proc.Binary())},
		"model": {theirs, columns(task.proc.Binary())}} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("the %s changed", name)
		}
	}
	if task.proc.Binary().State() != state || s.models.copy.Proc.Binary().State() != state ||
		marshalled(t, s.models.copy.Proc.Score) != score {
		t.Error("state or score changed")
	}
}

func TestExplainAddsUpToTheScore(t *testing.T) {
	s, _ := newServer(newTask(t))
	// Fields before "features" are read as features first and then dropped: their names must not shift the others'.
	value := `{"stray":9,"also":"x","features":{"market":"m1","price":3,"open":true,"price":0.5,` +
		`"market2":"m1"},"id":"e"}`
	code, p := predict(t, s, "?explain=10", value)
	if code != http.StatusOK || len(p.Contributions) != 4 || p.Bias == nil {
		t.Fatalf("%d %+v", code, p)
	}
	byName := map[string]model.Contribution{}
	for i, c := range p.Contributions {
		byName[c.Name] = c
		if i > 0 && math.Abs(c.Contribution) > math.Abs(p.Contributions[i-1].Contribution) {
			t.Errorf("contribution %d is larger than the one before: %+v", i, p.Contributions)
		}
		if c.Contribution != c.Value*c.Weight {
			t.Errorf("%+v: value times weight is %v", c, c.Value*c.Weight)
		}
	}
	sum := 0.0
	for _, name := range []string{"market=m1", "price", "open=true", "market2=m1"} {
		c, ok := byName[name]
		if !ok {
			t.Fatalf("no %q in %+v", name, p.Contributions)
		}
		sum += c.Contribution
	}
	if sum += *p.Bias; math.Float64bits(sum) != math.Float64bits(p.Score) {
		t.Errorf("contributions and bias make %v, the score is %v", sum, p.Score)
	}
	norm := 0.0
	for _, w := range s.Task.(*literal).proc.Binary().Top(1000) {
		norm += w.Weight * w.Weight
	}
	if want := math.Abs(p.Score) / math.Sqrt(norm); p.Distance == nil || math.Abs(*p.Distance-want) > 1e-9 {
		t.Errorf("distance %v, want %v", p.Distance, want)
	}
	if byName["price"].Weight == 0 || byName["market2=m1"].Weight != 0 {
		t.Errorf("a learned name without a weight, or a new one with: %+v", p.Contributions)
	}
}

func TestExplainIsBounded(t *testing.T) {
	s, _ := newServer(newTask(t))
	s.Task.(*literal).fixed.Decode.MaxBytes = 1 << 20
	var b strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&b, `,"f%04d":1`, i)
	}
	value := "{" + b.String()[1:] + "}"
	for query, n := range map[string]int{"?explain=999999": 1000, "?explain=1000": 1000, "?explain=2": 2,
		"?explain=0": 0, "?explain=": 0} {
		if code, p := predict(t, s, query, value); code != http.StatusOK || len(p.Contributions) != n {
			t.Errorf("%s: %d, %d contributions, want %d", query, code, len(p.Contributions), n)
		}
	}
	for _, query := range []string{"?explain=-1", "?explain=x", "?explain=99999999999999999999"} {
		if code, p := predict(t, s, query, value); code != http.StatusBadRequest || p.Reason != "bad-explain" ||
			p.Error == "" {
			t.Errorf("%s: %d %+v", query, code, p)
		}
	}
	// Equal ones come in the order of the value: the model knows none of the names, so all are 0.
	_, p := predict(t, s, "?explain=3", `{"zz":1,"yy":1,"xx":1}`)
	if got := fmt.Sprint(p.Contributions[0].Name, p.Contributions[1].Name, p.Contributions[2].Name); got != "zzyyxx" {
		t.Errorf("order %s", got)
	}
}

func TestPredictRejectsAsDeadLettersSay(t *testing.T) {
	s, _ := newServer(newTask(t))
	for value, reason := range map[string]string{"": "empty", "{": "syntax", "[]": "syntax",
		`{"price":1e31}`: "out-of-range", `{}`: "no-features",
		`{"price":1,"label":"odd"}`: "bad-label", "\xff": "encoding", `{"price":1,"label":true}`: "bad-label"} {
		code, p := predict(t, s, "?explain=3", value)
		if code != http.StatusBadRequest || p.Reason != reason || p.Error == "" {
			t.Errorf("%q: %d %+v, want %s", value, code, p, reason)
		}
	}
}

func TestPredictTooLarge(t *testing.T) {
	s, _ := newServer(newTask(t))
	fits := `{"price":1` + strings.Repeat(" ", 4096-11) + "}"
	if code, p := predict(t, s, "", fits); code != http.StatusOK {
		t.Fatalf("%d bytes: %d %+v", len(fits), code, p)
	}
	if code, p := predict(t, s, "", fits+" "); code != http.StatusRequestEntityTooLarge || p.Reason != "too-large" {
		t.Errorf("one byte more: %d %+v", code, p)
	}
}

func TestPredictWhileNotLive(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	predict(t, s, "", `{"price":1}`) // there is a fresh copy, but it is not to be used
	for _, state := range []string{board.Recovering, board.Stopping} {
		task.set(func(st *board.Status) { st.State = state })
		w := ask(s, "POST", "/predict", `{"price":1}`)
		want(t, w, http.StatusServiceUnavailable)
		if !strings.Contains(w.Body.String(), `"reason":"not-live"`) || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %s %v", state, w.Body, w.Header())
		}
	}
}

func TestPredictCopyIsSharedAndNoOlderThanASecond(t *testing.T) {
	task := newTask(t)
	s, c := newServer(task)
	for range 5 {
		predict(t, s, "", `{"price":1}`)
	}
	if task.copies != 1 {
		t.Errorf("%d copies within no time", task.copies)
	}
	task.learn(t, `{"price":1,"label":0}`)
	if _, p := predict(t, s, "", `{"price":1}`); p.Seq != 200 {
		t.Errorf("seq %d", p.Seq)
	}
	c.pass(fresh)
	if _, p := predict(t, s, "", `{"price":1}`); p.Seq != 201 || task.copies != 2 {
		t.Errorf("after a second: seq %d, %d copies", p.Seq, task.copies)
	}
}

func TestPredictSideBySide(t *testing.T) {
	task := newTask(t)
	s, c := newServer(task)
	value := func(i int) string { return fmt.Sprintf(`{"price":%d,"market":"m%d"}`, i, i) }
	var scores [8]float64
	for i := range scores {
		o, _ := task.answer(t, &topics.Record{Value: []byte(value(i))})
		scores[i] = o.Score
	}
	var all sync.WaitGroup
	for i := range scores {
		all.Go(func() {
			for range 50 {
				if code, p := predict(t, s, "?explain=1", value(i)); code != http.StatusOK || p.Score != scores[i] {
					t.Errorf("%d: %d %+v, want %v", i, code, p, scores[i])
				}
				c.pass(fresh / 4)
			}
		})
	}
	all.Wait()
}

func BenchmarkPredict(b *testing.B) {
	task := newTask(b)
	s, _ := newServer(task)
	s.init()
	value := []byte(`{"price":1.5,"market":"m3","open":true}`)
	predict(b, s, "", string(value))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.models.predict(s.models.decode, &event.Record{Value: value}, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// TestExplainedNamesAreCut: an event may repeat a long name in the name of each of its features.
func TestExplainedNamesAreCut(t *testing.T) {
	s, _ := newServer(newTask(t))
	code, p := predict(t, s, "?explain=2", `{"features":{"`+strings.Repeat("é", 300)+`":{"a":1,"b":2}}}`)
	if code != http.StatusOK || len(p.Contributions) != 2 || len(p.Contributions[0].Name) != learner.MaxNameBytes {
		t.Errorf("%d, %+v", code, p)
	}
}
