package event

import (
	"fmt"
	"strings"
	"testing"
)

// readings are what a decoder makes of an event: at first, and by the template of the events before.
func readings(t *testing.T, d *Decoder, value string) string {
	t.Helper()
	text := func() string {
		var e Example
		arena := d.Decode(&Record{Value: []byte(value)}, nil, &e)
		if e.Rejected != nil {
			return e.Rejected.Reason.String()
		}
		var all []string
		for i, f := range walked(d, value) {
			if arena[i].Value != f.value || arena[i].Kind != f.kind {
				t.Errorf("%s: feature %d is %v, walked as %v", value, i, arena[i], f)
			}
			if strings.Contains(f.name, "=") && f.value == 1 {
				all = append(all, f.name)
			} else {
				all = append(all, fmt.Sprintf("%s:%g", f.name, f.value))
			}
		}
		return strings.Join(all, " ")
	}
	first := text()
	for range 3 {
		if again := text(); again != first {
			t.Errorf("%s: %q at first, then %q", value, first, again)
		}
	}
	return first
}

// TestKindsOfColumns: in a column of words all is a word, in one of numbers what is no number within the limits is an
// error, and in one of neither a number over the limit, such as a code of digits and an e, is a word.
func TestKindsOfColumns(t *testing.T) {
	o := Defaults(CSV)
	o.Columns = []string{"label", "w", "n", "a"}
	o.Categorical, o.Numeric = []string{"w"}, []string{"n"}
	d := decoder(t, o)
	for row, want := range map[string]string{
		"1,04e09220,2,":                          "w=04e09220 n:2",
		"1,1e5,,1e5":                             "w=1e5 a:100000",
		"1,inf,,3":                               "w=inf a:3",
		"1,-inf,3,":                              "w=-inf n:3",
		"1,007,007,007":                          "w=007 n:7 a:7",
		"1,1.0,1.0,1.0":                          "w=1.0 n:1 a:1",
		"1,1,1,1":                                "w=1 n:1 a:1",
		"1,NaN,?,NA":                             "",
		"1, 7 ,5,x":                              "w= 7  n:5 a=x",
		`1,"1e9999",5,"1e9999"`:                  "w=1e9999 n:5 a=1e9999",
		`1,"a""1",1,"3""e"`:                      `w=a"1 n:1 a=3"e`,
		"1,a,x,a":                                "w=a n=x a=a",
		"1,a,1,04e09220":                         "w=a n:1 a=04e09220",
		"1,a,1,-1e31":                            "w=a n:1 a=-1e31",
		"1,a,1,1e30":                             "w=a n:1 a:1e+30",
		"1,a,04e09220,a":                         "out-of-range",
		"1,a,1e31,1":                             "out-of-range",
		"1,a,inf,1":                              "not-finite",
		"1,a,1,inf":                              "not-finite",
		"1,1" + strings.Repeat("0", 400):         "syntax",
		"1,1" + strings.Repeat("0", 400) + ",1,": "w=1" + strings.Repeat("0", 400) + " n:1",
	} {
		if got := readings(t, d, row); got != want {
			t.Errorf("%s: %q, want %q", row, got, want)
		}
	}
}

// TestKindsOfJSON: numbers as words, as they are written, and strings as numbers, within the features object and
// without.
func TestKindsOfJSON(t *testing.T) {
	o := Defaults(JSON)
	o.Categorical, o.Numeric, o.Missing = []string{"zip", "geo.code", "ids."}, []string{"price", "m."}, MissingWords()
	for fields, want := range map[string]string{
		`"zip":2134,"price":"3.5"`:                        "zip=2134 price:3.5",
		`"zip":1,"price":"1e3"`:                           "zip=1 price:1000",
		`"zip":1.0,"price":" 2\t"`:                        "zip=1.0 price:2",
		`"zip":1e400,"price":" "`:                         "zip=1e400",
		`"zip":12345678901234567890123,"price":"NA"`:      "zip=12345678901234567890123",
		`"zip":"02134","price":7`:                         "zip=02134 price:7",
		`"zip":true,"price":false`:                        "zip=true price=false",
		`"zip":null,"price":null,"x":1`:                   "x:1",
		`"zip":-0,"price":"free"`:                         "zip=-0 price=free",
		`"zip":2134,"price":"\u0033"`:                     "zip=2134 price:3",
		`"zip":[1,1,1.0],"x":2`:                           "zip=1 zip=1.0 x:2",
		`"zip":["a","b","a"]`:                             "zip=a zip=b",
		`"zip":[1,"a"]`:                                   "bad-features",
		`"price":["1","2"],"x":1`:                         "price=1 price=2 x:1",
		`"price":[1,2]`:                                   "price[0]:1 price[1]:2",
		`"geo":{"code":7,"other":7}`:                      "geo=7 geo:7",
		`"ids":{"a":1,"b":{"c":2}},"m":{"x":"1","y":"z"}`: "ids.a=1 ids.b.c=2 m.x:1 m.y=z",
		`"ids.a":5,"m.x":"5"`:                             "ids.a=5 m.x:5",
		`"price":"inf"`:                                   "not-finite",
		`"price":"1e31"`:                                  "out-of-range",
		`"code":1e31`:                                     "out-of-range",
		`"x":"1.5"`:                                       "x=1.5",
	} {
		want = strings.NewReplacer("geo=7", "geo.code=7", "geo:7", "geo.other:7").Replace(want)
		flat, inner := decoder(t, o), decoder(t, o)
		flat.template.patience, inner.template.patience = 0, 0
		if got := readings(t, flat, "{"+fields+`,"label":1}`); got != want {
			t.Errorf("%s: %q, want %q", fields, got, want)
		}
		if got := readings(t, inner, `{"label":1,"zip":{"y":"a"},"features":{`+fields+"}}"); got != want {
			t.Errorf("%s within features: %q, want %q", fields, got, want)
		}
	}
}

// TestKindsAreReadInASinglePass: events of all kinds fit the template of the events before.
func TestKindsAreReadInASinglePass(t *testing.T) {
	o := Defaults(JSON)
	o.Categorical, o.Numeric, o.Missing = []string{"zip"}, []string{"price"}, MissingWords()
	d := decoder(t, o)
	eager(d)
	decoded(d, `{"label":1,"features":{"zip":1,"price":"2","x":3}}`)
	for _, value := range []string{`{"label":0,"features":{"zip":22,"price":"4.25","x":-1}}`,
		`{"label":0,"features":{"zip":"a","price":"?","x":-1}}`,
		`{"label":0,"features":{"zip":1e999,"price":"no","x":1}}`} {
		if fits, _ := fitsTemplate(d, value); !fits {
			t.Errorf("%s does not fit", value)
		}
	}
	table := Defaults(CSV)
	table.Columns, table.Categorical, table.Numeric = []string{"label", "w", "n", "x"}, []string{"w"}, []string{"n"}
	d = decoder(t, table)
	for _, row := range []string{"1,04e09220,1,2", "1,7,1,04e09220", "0,inf,,", "1,,2,x"} {
		if fits, _ := fitsTemplate(d, row); !fits {
			t.Errorf("%s does not fit", row)
		}
	}
}

func TestKindsAreValidated(t *testing.T) {
	table := func(o *Options) { *o = Defaults(CSV); o.Columns = []string{"label", "x", "y.", "y.a"} }
	for want, change := range map[string]func(*Options){
		`"q" is none of the columns`: func(o *Options) { table(o); o.Categorical = []string{"q"} },
		`"q." is none of the colu`:   func(o *Options) { table(o); o.Numeric = []string{"q."} },
		`"label" is no feature`:      func(o *Options) { table(o); o.Numeric = []string{"label"} },
		`"x" is no feature`: func(o *Options) {
			table(o)
			o.Ignore, o.Categorical = []string{"x"}, []string{"x"}
		},
		`"x" is both`:    func(o *Options) { o.Categorical, o.Numeric = []string{"x"}, []string{"x"} },
		`"a.b" is both`:  func(o *Options) { o.Categorical, o.Numeric = []string{"a."}, []string{"a.b"} },
		`"a.b." is both`: func(o *Options) { o.Categorical, o.Numeric = []string{"a.b."}, []string{"a."} },
		`"a.b" is both categorical and a time`: func(o *Options) {
			o.Categorical, o.TimeParts = []string{"a."}, []string{"a.b"}
		},
		`"x" is both numeric and a time`: func(o *Options) { o.Numeric, o.TimeParts = []string{"x"}, []string{"x"} },
		"numeric and time-parts":         func(o *Options) { *o = Defaults(VW); o.TimeParts = []string{"x"} },
		`feature "x" is named twice`:     func(o *Options) { o.Categorical = []string{"x", "x"} },
		"an empty name":                  func(o *Options) { o.Numeric = []string{""} },
		`"id" is no feature`:             func(o *Options) { o.Categorical = []string{"id"} },
		"vw says of each value":          func(o *Options) { *o = Defaults(VW); o.Categorical = []string{"x"} },
		"libsvm says of each":            func(o *Options) { *o = Defaults(LIBSVM); o.Numeric = []string{"x"} },
		"not UTF-8":                      func(o *Options) { o.Numeric = []string{"\xff"} },
	} {
		o := Defaults(JSON)
		change(&o)
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	o := Defaults(CSV)
	o.Columns, o.Categorical = []string{"label", "y.", "y.a", "z.a", "z.b"}, []string{"y.", "z."}
	if got := readings(t, decoder(t, o), "1,1,2,3,4"); got != "y.=1 y.a:2 z.a=3 z.b=4" {
		t.Errorf("%s: the name of a column is that column's alone", got)
	}
	o.Format, o.Columns, o.Numeric, o.Missing = JSON, nil, []string{"s"}, []string{"NA"}
	if _, err := NewLabels(o, false); err != nil {
		t.Errorf("label records: %v", err)
	}
}
