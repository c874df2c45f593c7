package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/event"
)

func newProfile(t testing.TB, reference *Reference) *Profile {
	t.Helper()
	p, err := New(event.Defaults(event.JSON), reference)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// row is an event of fields whose values are JSON.
type row map[string]string

// stationary makes events whose fields never change: the number of the event decides nothing but the id.
func stationary(r *rand.Rand, n int) row {
	number := func(v float64) string { return fmt.Sprintf("%.4f", v) }
	e := row{
		"amount": number(math.Exp(r.NormFloat64())), "heat": number(20 + 3*r.NormFloat64()), "same": "7",
		"count": fmt.Sprint(min(r.IntN(9), r.IntN(9))), "user": fmt.Sprintf(`"u%d"`, r.IntN(1_000_000)),
		"country": fmt.Sprintf(`"c%d"`, min(r.IntN(30), r.IntN(30))), "open": fmt.Sprint(r.IntN(3) == 0),
		"left": number(r.NormFloat64()), "right": number(r.NormFloat64()),
		"tags": fmt.Sprintf(`["t%d","t%d"]`, r.IntN(5), r.IntN(5)), "shop": fmt.Sprintf(`{"size":%d}`, r.IntN(100)),
		"id": fmt.Sprintf(`"e%d"`, n), "label": fmt.Sprint(r.IntN(2)),
	}
	if r.IntN(20) == 0 {
		e["rareNumber"], e["rareWord"] = number(r.NormFloat64()), fmt.Sprintf(`"r%d"`, r.IntN(4))
	}
	if r.IntN(100) == 0 {
		e["rarest"] = "1"
	}
	return e
}

func (e row) json() []byte {
	names := make([]string, 0, len(e))
	for name := range e {
		names = append(names, name)
	}
	slices.Sort(names)
	var b bytes.Buffer
	for i, name := range names {
		fmt.Fprintf(&b, "%c%q:%s", ",{"[min(1, 1/(i+1))], name, e[name])
	}
	return append(b.Bytes(), '}')
}

// feed profiles windows of events that change makes others, and returns what alerts after each window.
func feed(t testing.TB, p *Profile, r *rand.Rand, windows int, change func(row)) (alerts []string) {
	t.Helper()
	for range windows {
		for range Window {
			e := stationary(r, int(p.Events()))
			if change != nil {
				change(e)
			}
			if !p.Add(&event.Record{Value: e.json()}) {
				t.Fatalf("%s is rejected", e.json())
			}
		}
		var now []string
		for _, f := range p.Report().Fields {
			if f.Alert != "" {
				now = append(now, f.Name+" "+string(f.Alert))
			}
		}
		slices.Sort(now)
		alerts = append(alerts, strings.Join(now, ", "))
	}
	return alerts
}

// TestNoAlertWithoutChange: streams that do not change never alert.
func TestNoAlertWithoutChange(t *testing.T) {
	windows := 35
	if testing.Short() {
		windows = 3
	}
	for i, alerts := range feed(t, newProfile(t, nil), rand.New(rand.NewPCG(1, 2)), windows, nil) {
		if alerts != "" {
			t.Errorf("window %d: %s", i, alerts)
		}
	}
}

// TestFaults breaks a field in each way, also one that 5 % of the events have: it alerts in the first whole window, and
// no other field does.
func TestFaults(t *testing.T) {
	r, before := rand.New(rand.NewPCG(3, 4)), [][]byte(nil)
	for i := range 2 * Window {
		before = append(before, stationary(r, i).json())
	}
	set := func(name, value string) func(row) { return func(e row) { e.replace(name, value) } }
	for _, test := range []struct {
		name   string
		change func(row)
		want   string
	}{
		{"unit", func(e row) { e.replace("amount", e["amount"]+"e2") }, "amount shifted"},
		{"unit of a rare one", func(e row) { e.replace("rareNumber", e["rareNumber"]+"e2") }, "rareNumber shifted"},
		{"absent", func(e row) { delete(e, "heat") }, "heat rarer"},
		{"null", set("heat", "null"), "heat rarer"},
		{"absent, a rare one", func(e row) { delete(e, "rareWord") }, "rareWord rarer"},
		{"absent, the rarest", func(e row) { delete(e, "rarest") }, "rarest rarer"},
		{"new word", set("country", `"new"`), "country shifted"},
		{"new word in a rare one", set("rareWord", `"new"`), "rareWord shifted"},
		{"frozen", set("heat", "20.5"), "heat shifted"},
		{"frozen, a rare one", set("rareNumber", "0.5"), "rareNumber shifted"},
		{"no longer the same", set("same", "6.5"), "same shifted"},
		{"text in place of numbers", set("heat", `"warm"`), "heat shifted"},
		{"swapped columns", func(e row) { e["amount"], e["heat"] = e["heat"], e["amount"] },
			"amount shifted, heat shifted"},
		{"swapped columns of one shape", func(e row) { e["left"], e["right"] = e["right"], e["left"] }, ""},
		{"new field", func(e row) { e["fresh"] = "1" }, "fresh oftener"},
		{"always there", func(e row) { e["rarest"] = "1" }, "rarest oftener"},
		{"elements", set("tags", `["t1","t9"]`), "tags shifted"},
		{"within an object", set("shop", `{"size":1000}`), "shop.size shifted"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProfile(t, nil)
			for _, e := range before {
				p.Add(&event.Record{Value: e})
			}
			if alerts := feed(t, p, r, 1, test.change)[0]; alerts != test.want {
				t.Errorf("%q alert, want %q", alerts, test.want)
			}
			var began []string
			for _, c := range p.Report().Changes {
				began = append(began, c.Field+" "+string(c.Alert))
				if c.From != 2*Window+1 || c.To != 3*Window || c.Text() == "" {
					t.Errorf("%+v", c)
				}
			}
			if slices.Sort(began); strings.Join(began, ", ") != test.want {
				t.Errorf("%q began, want %q", began, test.want)
			}
		})
	}
}

func (e row) replace(name, value string) {
	if _, ok := e[name]; ok {
		e[name] = value
	}
}

// TestUsualShift: the first shift of a field is no alert, since nothing is known of what is usual, and later ones are
// where they are three times the median.
func TestUsualShift(t *testing.T) {
	twice := sample(2, "even", Window)
	for i := range twice {
		twice[i] *= 2 // a shift of 1.06
	}
	for _, test := range []struct {
		usual []float64
		want  Alert
	}{
		{nil, ""}, {[]float64{0}, Shifted}, {[]float64{0, 0, 0.3, 0.4, 0.5}, Shifted}, {[]float64{0.5, 0, 0.4}, ""},
		{[]float64{0.3, 0.4}, Shifted}, {[]float64{0.4, 0.4}, ""},
	} {
		f := field{current: *counted("even", twice), shifts: test.usual}
		f.before = []*Summary{counted("even", sample(1, "even", Window)).summary(Window, false)}
		f.judge(Window, []int{Window})
		if f.judged.alert != test.want || len(f.shifts) != len(test.usual)+1 {
			t.Errorf("after %v: alert %q, shifts %v", test.usual, f.judged.alert, f.shifts)
		}
	}
}

// TestPresence: half as many or twice as many events are an alert where that is no chance.
func TestPresence(t *testing.T) {
	for _, test := range []struct {
		usual, now int
		want       Alert
	}{
		{5000, 2400, Rarer}, {5000, 2600, ""}, {4000, 8100, Oftener}, {4000, 7900, ""}, {26, 0, Rarer}, {20, 0, ""},
		{0, 20, ""}, {0, 30, Oftener}, {40, 81, ""}, {60, 125, Oftener}, {90, 40, Rarer}, {60, 29, ""}, {0, 0, ""},
	} {
		if got := presence(test.now, Window, &Summary{Events: Window, Present: test.usual}); got != test.want {
			t.Errorf("%d after %d: %q, want %q", test.now, test.usual, got, test.want)
		}
	}
}

func fieldNamed(t *testing.T, r *Report, name string) *Field {
	t.Helper()
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			return &r.Fields[i]
		}
	}
	t.Fatalf("no field %s", name)
	return nil
}

// TestReport: what a few events hold is there at once; the first of them are the reference.
func TestReport(t *testing.T) {
	p := newProfile(t, nil)
	for i := range 400 {
		e := fmt.Sprintf(`{"label":1,"a":%d,"b":"x%d","c":[1,2],"d":null,"e":true}`, i%4, i%2)
		if i%4 == 3 {
			e = `{"label":1,"a":"none"}`
		}
		if !p.Add(&event.Record{Value: []byte(e)}) || p.Add(&event.Record{Value: []byte(`{"a":`)}) {
			t.Fatal(e)
		}
	}
	r := p.Report()
	if r.Events != 400 || len(r.Fields) != 5 {
		t.Fatalf("%+v", r)
	}
	a, b, c, d, e := r.Fields[0].Now, r.Fields[1].Now, r.Fields[2].Now, r.Fields[3].Now, r.Fields[4].Now
	if a.Present != 400 || a.Numbers != 300 || a.Words != 100 || a.Mean != 1 || a.Least != 0 || a.Greatest != 2 ||
		math.Abs(a.Deviation-math.Sqrt(2.0/3)) > 1e-12 || !slices.Equal(a.Top, []Word{{"none", 100}}) {
		t.Errorf("a: %+v", a)
	}
	if b.Present != 300 || b.PresentRatio() != 0.75 || b.Distinct != 2 || b.Top[0] != (Word{"x0", 200}) {
		t.Errorf("b: %+v", b)
	}
	if c.Present != 300 || c.Numbers != 600 || d.Present != 0 || d.Nulls != 300 {
		t.Errorf("c: %+v, d: %+v", c, d)
	}
	if e.Booleans != 300 || !slices.Equal(e.Top, []Word{{"true", 300}}) {
		t.Errorf("e: %+v", e)
	}
	var text bytes.Buffer
	if err := r.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	ref, err := ReadReference(&text)
	if err != nil || ref.Events != 400 || len(ref.Fields) != 5 {
		t.Fatalf("%+v, %v", ref, err)
	}
	other := newProfile(t, ref)
	for range 300 {
		other.Add(&event.Record{Value: []byte(`{"label":1,"b":"x1","z":0}`)})
	}
	got := other.Report()
	if b := fieldNamed(t, got, "b"); b.Shift.Reference == nil || *b.Shift.Reference < 0.25 || *b.NewWords != 0 ||
		b.Reference.Present != 300 || b.Now.Present != 300 {
		t.Errorf("b: %+v", b)
	}
	if a, z := fieldNamed(t, got, "a"), got.Fields[5]; a.Now.Present != 0 || z.Name != "z" || z.Reference != nil {
		t.Errorf("a: %+v, z: %+v", a, z)
	}
	for range Window {
		other.Add(&event.Record{Value: []byte(`{"label":1,"b":"x5"}`)})
	}
	if b := fieldNamed(t, other.Report(), "b"); b.Reference.Events != 400 || *b.NewWords < 0.9 {
		t.Errorf("b: %+v: want the reference that was given, and new words", b)
	}
}

// TestAlertBegins: an alert that goes on is told once, and is over when what is new has become usual.
func TestAlertBegins(t *testing.T) {
	p := newProfile(t, nil)
	alerting := 0
	for window := range 40 {
		for i := range Window {
			e := fmt.Sprintf(`{"label":1,"b":"x%d"}`, i%3)
			if window >= 3 {
				e = fmt.Sprintf(`{"label":1,"a":%d}`, i%9)
			}
			p.Add(&event.Record{Value: []byte(e), Timestamp: int64(1e12 + 1000*window + i%1000)})
		}
		for _, f := range p.Report().Fields {
			if f.Alert != "" {
				alerting++
			}
			if since := f.Since; since.IsZero() != (f.Alert == "") || f.Alert != "" && since.UnixMilli() != 1e12+3000 {
				t.Errorf("window %d: %s alerts %q since %v", window, f.Name, f.Alert, since)
			}
			if span := f.Span; f.Alert == "" && span != (Span{}) || f.Alert != "" &&
				(span.NotBefore.UnixMilli() != 1e12+2000 || span.NotAfter.UnixMilli() != 1e12+3999) {
				t.Errorf("window %d: %s alerts %q: %v", window, f.Name, f.Alert, span)
			}
		}
	}
	r := p.Report()
	for _, c := range r.Changes { // b for thirty windows, until it is as rare before
		if until := c.Until.UnixMilli(); until < 1e12+4999 || until > 1e12+39999 {
			t.Errorf("the alert of %s is over at %v", c.Field, c.Until)
		}
	}
	if len(r.Changes) != 2 || r.Changes[0].Field != "b" ||
		r.Changes[0].Text() != "0 % of the events have it, 100 % before" || r.Changes[1].Alert != Oftener ||
		r.Fields[0].Alert != "" || r.Fields[1].Alert != "" || alerting < 20 {
		t.Errorf("%+v, %d windows with an alert", r.Changes, alerting)
	}
}

// TestReportChangesNothing: a report within the first window leaves what comes after it as it is.
func TestReportChangesNothing(t *testing.T) {
	asked, other := newProfile(t, nil), newProfile(t, nil)
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 2*Window + 1 {
		e := event.Record{Value: fmt.Appendf(nil, `{"label":1,"a":%.4f,"b":"x%d"}`, r.NormFloat64(), i%3)}
		asked.Add(&e)
		other.Add(&e)
		if i%1000 == 500 {
			asked.Report()
		}
	}
	var a, b bytes.Buffer
	if err := errors.Join(asked.Report().WriteJSON(&a), other.Report().WriteJSON(&b)); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Errorf("%s\nwant\n%s", &a, &b)
	}
}

// TestManyFields: those of the reference and the first that come are profiled, the others are counted.
func TestManyFields(t *testing.T) {
	p := newProfile(t, nil)
	for i := range 150 {
		p.Add(&event.Record{Value: fmt.Appendf(nil, `{"a%d":1,"b%d":1,"%s":1}`, i, i, strings.Repeat("é", 200))})
	}
	r := p.Report()
	if len(r.Fields) != MaxFields || r.More != 101 || len(r.Fields[2].Name) != maxName {
		t.Errorf("%d fields, %d more, %d bytes", len(r.Fields), r.More, len(r.Fields[2].Name))
	}
}

// TestHostileReference refuses what no profile writes.
func TestHostileReference(t *testing.T) {
	good := `{"fields":[{"name":"a","reference":{"events":9,"present":9,"numbers":9,"bounds":[1],"bins":[4,5]}}]}`
	if _, err := ReadReference(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"events":9`, `"events":0`}, {`"present":9`, `"present":10`}, {`"present":9`, `"present":-1`},
		{`"numbers":9`, `"numbers":8`}, {`[1]`, `[1,2]`}, {`[4,5]`, `[10,-1]`},
		{`"bounds":[1],"bins":[4,5]`, `"words":0`},
		{`"bins"`, `"seen":"AAA=","bins"`}, {`"bins"`, `"top":[{"word":"x","count":3}],"bins"`}, {`{"fields"`, `{"x"`},
		{`}}]`, `}},{"name":"a","reference":{"events":9}}]`}, {`}}]`, `}},{"name":"b","reference":{"events":8}}]`},
		{`"name":"a"`, `"name":"` + strings.Repeat("a", 300) + `"`}, {good, ""}, {good, "[]"},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if _, err := ReadReference(strings.NewReader(bad)); err == nil || bad == good {
			t.Errorf("%s is taken", bad)
		}
	}
}

// BenchmarkAdd is an event of 30 numbers and a word, with its part of the ends of windows.
func BenchmarkAdd(b *testing.B) {
	p, r := newProfile(b, nil), rand.New(rand.NewPCG(1, 2))
	var records []event.Record
	for range 1000 {
		features := map[string]any{"country": fmt.Sprint("c", r.IntN(30))}
		for i := range 30 {
			features[fmt.Sprint("f", i)] = r.NormFloat64()
		}
		text, err := json.Marshal(map[string]any{"id": "e1", "label": 1, "features": features})
		if err != nil {
			b.Fatal(err)
		}
		records = append(records, event.Record{Value: text})
	}
	b.ReportAllocs()
	for i := range b.N {
		p.Add(&records[i%len(records)])
	}
}
