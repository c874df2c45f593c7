package event

import (
	"fmt"
	"strings"
	"testing"
)

// labelCases are label records with what they say: "id label weight", or a reason.
var labelCases = []struct{ format, value, want string }{
	{JSON, `{"id":"e1","label":1}`, `"e1 1 -1`},
	{JSON, `{"label":-1,"id":7,"weight":2.5}`, `7 -1 2.5`},
	{JSON, `{"id":"7","label":true}`, `"7 1 -1`},
	{JSON, `{"id":"a\u0062\"","label":0,"weight":0}`, `"ab" -1 0`},
	{JSON, `{"id":"e1","label":1,"features":[[1]],"who":{"name":["a",1]},"why":null}`, `"e1 1 -1`},
	{JSON, `{"id":"e1"}`, "no-label"},
	{JSON, `{"id":"e1","label":null}`, "no-label"},
	{JSON, `{"label":1}`, "no-id"},
	{JSON, `{"id":null,"label":1}`, "no-id"},
	{JSON, `{}`, "no-id"},
	{JSON, `{"id":"e1","label":"maybe"}`, "bad-label"},
	{JSON, `{"label":"maybe"}`, "bad-label"},
	{JSON, `{"id":"e1","label":[1]}`, "bad-label"},
	{JSON, `{"id":{},"label":1}`, "syntax"},
	{JSON, `{"id":"e1","label":1,"weight":-1}`, "bad-weight"},
	{JSON, `{"id":"e1","label":1,"weight":1e31}`, "out-of-range"},
	{JSON, `{"id":"e1","id":"e1","label":1}`, "duplicate-field"},
	{JSON, `{"id":"e1","label":1,"x":1,"x":1}`, "duplicate-field"},
	{JSON, `7`, "syntax"},
	{JSON, "{\"id\":\"\xff\",\"label\":1}", "encoding"},
	{JSON, ``, "empty"},
	{JSON, `{"id":"` + strings.Repeat("x", 1<<20) + `","label":1}`, "too-large"},
	{JSON, `{"id":"e1","label":1,"x":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`, "too-deep"},
	{CSV, `e1,1,2,note`, `"e1 1 2`},
	{CSV, `7,0,,`, `"7 -1 -1`},
	{CSV, `"a""b",true,,`, `"a"b 1 -1`},
	{CSV, `,1,,`, "no-id"},
	{CSV, `e1,,3,`, "no-label"},
	{CSV, `e1,1`, "syntax"},
	{CSV, `e1,1,inf,`, "not-finite"},
	{CSV, `e1,up,,`, "bad-label"},
}

func labelOptions(format string) Options {
	o := Defaults(format)
	o.WeightField = "weight"
	if format == CSV {
		o.Columns = []string{"id", "label", "weight", "note"}
	}
	return o
}

// TestIDsAsText: an id that is a number, true or false is the text as which it is written, for events and labels, also
// behind many of their kind.
func TestIDsAsText(t *testing.T) {
	o := Defaults(JSON)
	o.TextIDs = true
	for _, c := range []struct{ id, key, written string }{{`7`, `"7`, `"7"`}, {`"7"`, `"7`, `"7"`},
		{`true`, `"true`, `"true"`}, {`7.0`, `"7.0`, `"7.0"`}, {`"a\u0062"`, `"ab`, `"a\u0062"`}} {
		d, err := NewLabels(o, false)
		if err != nil {
			t.Fatal(err)
		}
		for range 40 {
			var e Example
			if d.Decode(&Record{Value: []byte(`{"id":` + c.id + `,"label":1}`)}, nil, &e); e.Rejected != nil {
				t.Fatal(e.Rejected)
			}
			if key, id := AppendIDKey(nil, &e), AppendID(nil, &e); string(key) != c.key || string(id) != c.written {
				t.Fatalf("%s: key %s, written %s", c.id, key, id)
			}
		}
	}
}

// TestLabelRecords decodes each record at first, and behind many of its kind, when a template is used.
func TestLabelRecords(t *testing.T) {
	usual := map[string]string{JSON: `{"id":"e0","label":1,"weight":3}`, CSV: "e0,1,3,x"}
	for _, before := range []int{0, 40} {
		for _, c := range labelCases {
			d, err := NewLabels(labelOptions(c.format), false)
			if err != nil {
				t.Fatal(err)
			}
			var e Example
			for range before {
				d.Decode(&Record{Value: []byte(usual[c.format])}, nil, &e)
			}
			arena := d.Decode(&Record{Value: []byte(c.value)}, nil, &e)
			if got := said(&e); got != c.want || len(arena) != 0 {
				t.Errorf("%.100s: %s with %d features, want %s", c.value, got, len(arena), c.want)
			}
		}
	}
}

// TestKeyedLabels: the key is the id, and a value may be the label alone.
func TestKeyedLabels(t *testing.T) {
	column := labelOptions(CSV)
	column.Columns = []string{"label"}
	column.WeightField = ""
	for _, c := range []struct {
		o                Options
		key, value, want string
	}{
		{labelOptions(JSON), "k", ` 1 `, `"k 1 -1`},
		{labelOptions(JSON), "7", `"1"`, `"7 1 -1`},
		{labelOptions(JSON), "k", `{"id":8,"label":false,"weight":2}`, `"k -1 2`},
		{labelOptions(JSON), "k", `{}`, "no-label"},
		{labelOptions(JSON), "k", `null`, "no-label"},
		{labelOptions(JSON), "", `1`, "no-id"},
		{labelOptions(JSON), "k", `1 1`, "syntax"},
		{labelOptions(JSON), "k", `nothing`, "syntax"},
		{labelOptions(JSON), "k", `[1]`, "bad-label"},
		{labelOptions(JSON), "k", `17`, "bad-label"},
		{column, "k", `0`, `"k -1 -1`},
	} {
		d, err := NewLabels(c.o, true)
		if err != nil {
			t.Fatal(err)
		}
		var key []byte
		if c.key != "" {
			key = []byte(c.key)
		}
		var e Example
		for range 40 { // at last with a template
			d.Decode(&Record{Key: key, Value: []byte(c.value)}, nil, &e)
			if got := said(&e); got != c.want {
				t.Fatalf("%s %s: %s, want %s", c.key, c.value, got, c.want)
			}
		}
	}
}

func said(e *Example) string {
	if e.Rejected != nil {
		return e.Rejected.Reason.String()
	}
	return fmt.Sprintf("%s %d %g", AppendIDKey(nil, e), e.Label, e.Weight)
}

// A template of label records is used: it makes decoding twice as fast, and its checks are the same.
func TestLabelTemplate(t *testing.T) {
	d, err := NewLabels(labelOptions(JSON), false)
	if err != nil {
		t.Fatal(err)
	}
	var e Example
	for i := range 40 {
		d.Decode(&Record{Value: fmt.Appendf(nil, `{"id":"e%d","label":1}`, i)}, nil, &e)
	}
	if !inOnePass(d, `{"id":"x","label":0}`, &e) || string(e.ID) != `"x"` || e.Label != -1 {
		t.Errorf("no template is used: %+v", e)
	}
	if inOnePass(d, `{"id":"x","label":null}`, &e) {
		t.Error("a template accepts a record without a label")
	}
}

// An event is decoded as before beside label records.
func TestLabelClasses(t *testing.T) {
	o := labelOptions(JSON)
	o.Task, o.LabelField, o.IDField = Multiclass, "what.class", "what.id"
	d, err := NewLabels(o, false)
	if err != nil {
		t.Fatal(err)
	}
	var e Example
	d.Decode(&Record{Value: []byte(`{"what":{"id":9,"class":"spam","x":1},"id":"e1"}`)}, nil, &e)
	if e.Rejected != nil || string(e.Class) != "spam" || string(e.ID) != "9" {
		t.Errorf("%+v", e)
	}
	if e, err = d.ReadLabel("ham"); err != nil || string(e.Class) != "ham" || e.Weight != NoWeight {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestNewLabelsOptions(t *testing.T) {
	table := labelOptions(CSV)
	table.Columns = []string{"id", "weight"}
	unnamed := labelOptions(JSON)
	unnamed.IDField = ""
	for _, o := range []Options{Defaults(VW), Defaults(LIBSVM), table, unnamed} {
		if _, err := NewLabels(o, false); err == nil {
			t.Errorf("no error for %+v", o)
		}
	}
	d, err := NewLabels(labelOptions(JSON), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"", "UP"} {
		if _, err := d.ReadLabel(label); err == nil {
			t.Errorf("label %q: no error", label)
		}
	}
}

func TestFieldReader(t *testing.T) {
	table := Defaults(CSV)
	table.Columns = []string{"t", "x"}
	for _, c := range []struct {
		o                  Options
		field, value, want string
	}{
		{Defaults(JSON), "t", `{"t":17,"x":1}`, "17"},
		{Defaults(JSON), "t", `{"t":"2026-01-31T18:00:00\u005a"}`, "2026-01-31T18:00:00Z"},
		{Defaults(JSON), "at.t", `{"at":{"t":[]}}`, "error"},
		{Defaults(JSON), "at.t", `{"id":[],"at":{"t":1.5}}`, "1.5"},
		{Defaults(JSON), "t", `{"x":1}`, ""},
		{Defaults(JSON), "t", `{"x":`, "error"},
		{table, "t", `17,2`, "17"},
		{table, "t", `,2`, ""},
		{table, "t", `2`, "error"},
	} {
		r, err := NewFieldReader(c.o, c.field)
		if err != nil {
			t.Fatal(err)
		}
		text, failed := r.Read(&Record{Value: []byte(c.value)})
		if (failed != nil) != (c.want == "error") || failed == nil && string(text) != c.want {
			t.Errorf("%s of %s: %q, %v, want %q", c.field, c.value, text, failed, c.want)
		}
	}
	if _, err := NewFieldReader(table, "y"); err == nil {
		t.Error("no error for a column that is missing")
	}
}
