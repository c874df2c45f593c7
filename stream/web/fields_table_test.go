package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/profile"
)

// profiled is a report of fields with shifts, numbers and words.
func profiled() *profile.Report {
	number := func(mean, deviation float64) *profile.Summary {
		return &profile.Summary{Events: 1000, Present: 500, Numbers: 500, Mean: mean, Deviation: deviation, Least: -8,
			Greatest: 8}
	}
	words := &profile.Summary{Events: 1000, Present: 1000, Words: 1000, Distinct: 102,
		Top: []profile.Word{{Text: "vic", Count: 600}, {Text: "nsw", Count: 200}}}
	return &profile.Report{Events: 40_000, Fields: []profile.Field{
		{Name: "still", Now: number(1, 1), Before: number(1, 1), Reference: number(1, 1), Shift: shifts(0.01, 0.01)},
		{Name: "price", Now: number(3, 4), Before: number(1, 1), Reference: number(1, 1), Shift: shifts(0.2, 0.6)},
		{Name: "light", Now: number(3, 4), Before: number(1, 1), Reference: number(1, 1), Shift: shifts(0.3, 0.7)},
		{Name: "market", Now: words, Before: words, Reference: words, Shift: shifts(0.02, 0.02)},
		{Name: "<b>gone", Now: &profile.Summary{Events: 1000}, Before: number(1, 1), Alert: profile.Rarer},
	}}
}

func shifts(before, reference float64) profile.Shifts {
	return profile.Shifts{Before: &before, Reference: &reference}
}

// TestFieldsAreSorted: those that alert come first, then those whose shift weighs most in the scores.
func TestFieldsAreSorted(t *testing.T) {
	st := &board.Status{Fields: profiled(), Summary: &model.Summary{Weights: []model.ClassWeights{{
		Top: []learner.NamedWeight{{Name: "price", Weight: -4}, {Name: "market=vic", Weight: 2},
			{Name: "still", Weight: 3}, {Name: "light", Weight: 0.1}, {Name: "unknown", Weight: 9}}}}}}
	st.Config.Learner.Scale = learner.ScaleStandard
	// Of |w·x|: price 4·0.5, market 2·0.6, still 3·0.5, light 0.1·0.5, together 4.75.
	b := fieldsOf(st)
	var order []string
	shares := map[string]float64{}
	for _, f := range b.Fields {
		order = append(order, f.Name)
		shares[f.Name] = f.Share
	}
	// Shift times share: price 0.6·2, market 0.02·1.2, still 0.01·1.5, light 0.7·0.05.
	if got := strings.Join(order, " "); got != "<b>gone price light market still" {
		t.Error(got)
	}
	for name, want := range map[string]float64{"price": 2 / 4.75, "market": 1.2 / 4.75, "still": 1.5 / 4.75,
		"light": 0.05 / 4.75, "<b>gone": 0} {
		if got := shares[name]; got < want-1e-9 || got > want+1e-9 {
			t.Errorf("%s has %v of the scores, want %v", name, got, want)
		}
	}
	if !b.Before || b.Hidden != 0 || b.Fields[1].Now != "3 ± 4 (-8 to 8)" {
		t.Errorf("%+v", b)
	}
	for i := range shownChanges + 1 {
		st.Fields.Changes = append(st.Fields.Changes, profile.Change{Field: fmt.Sprint("f", i), Alert: profile.Rarer})
	}
	at := time.UnixMilli(1764250000001).UTC()
	st.Fields.Changes[4].Until, st.Fields.Changes[5].Span = at, profile.Span{NotBefore: at, NotAfter: at}
	if c := fieldsOf(st).Changes; len(c) != shownChanges || c[0].Name != "f5" || c[0].Until != "" ||
		c[0].Between != " between 2025-11-27T13:26:40Z and 2025-11-27T13:26:41Z" ||
		c[1].Until != "2025-11-27T13:26:40Z" || c[4].Name != "f1" {
		t.Errorf("%+v", c)
	}
	st.Config.Learner.Scale = learner.ScaleNone // price has a magnitude of 5, still of √2
	if got := fieldsOf(st).Fields[1]; got.Share < 0.7 || got.Name != "price" {
		t.Errorf("without scaling %+v", got)
	}
}

// TestSetReference: a request sets the reference, and one that a browser makes for another site does not.
func TestSetReference(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	post := func(header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", "http://127.0.0.1:8080/profile/reference", nil)
		r.RemoteAddr = "127.0.0.1:40000"
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w
	}
	for _, header := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"},
		{"Origin", "https://evil.example"}, {"Origin", "http://127.0.0.1:9090"}, {"Origin", "null"}} {
		if w := post(header...); w.Code != http.StatusForbidden || task.references != 0 {
			t.Errorf("%v: %d %s", header, w.Code, w.Body)
		}
	}
	for i, header := range [][]string{nil, {"Sec-Fetch-Site", "same-origin"}, {"Origin", "http://127.0.0.1:8080"}} {
		if w := post(header...); w.Code != http.StatusOK || task.references != i+1 {
			t.Errorf("%v: %d %s", header, w.Code, w.Body)
		}
	}
	task.refuses = profile.ErrNoWindow
	if w := post(); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "it takes 10000 events") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	s.Token = "secret"
	guarded := &Server{Task: task, Token: "secret"}
	r := httptest.NewRequest("POST", "http://127.0.0.1:8080/profile/reference", nil)
	w := httptest.NewRecorder()
	if guarded.Handler().ServeHTTP(w, r); w.Code != http.StatusUnauthorized {
		t.Errorf("without the token: %d", w.Code)
	}
}

// testFields: the page has the fields, with what they hold as text.
func testFields(t *testing.T, b *browser) {
	task := newTask(t)
	task.set(func(st *board.Status) { st.Fields = profiled() })
	addr, _ := serve(t, &Server{Task: task, pageEvery: 200 * time.Millisecond})
	b.visit("http://" + addr + "/")
	b.wait(`document.querySelectorAll("#fields tbody tr").length === 5`)
	got := b.eval(`[...document.querySelectorAll("#fields tbody tr")[0].children].map((x) => x.textContent).join("|")`)
	if got != "<b>gone|rarer|0.0 %|–|–|–|-|1 ± 1 (-8 to 8)|-" {
		t.Error(got)
	}
	if got := b.eval(`document.getElementById("fields").innerText.includes("0.700 large")`); got != "true" {
		t.Error("no large shift:", got)
	}
	b.clean(addr)
}
