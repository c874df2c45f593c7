package event

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner"
)

// cross makes the crosses of the oracle: all choices, and then those that come once.
func (w *wanted) cross() {
	made := 0
	w.made = true
	plain := slices.Clone(w.features)
	for _, text := range w.o.Cross {
		parts := strings.Split(text, "*")
		choices := [][]int{nil}
		for i, part := range parts {
			takes := regexp.MustCompile(`(?s)^` + regexp.QuoteMeta(part) + `(=.*|\[[0-9]+\])?$`)
			var longer [][]int
			for _, chosen := range choices {
				for n, f := range plain {
					group := strings.HasSuffix(part, ".") && strings.HasPrefix(f.name, part)
					if i > 0 && parts[i-1] == part && n < chosen[i-1] || !group && !takes.MatchString(f.name) {
						continue
					}
					longer = append(longer, append(slices.Clone(chosen), n))
				}
			}
			choices = longer
		}
		for _, chosen := range choices {
			var names []string
			v, k := 1.0, learner.Indicator
			for _, n := range chosen {
				names = append(names, plain[n].name)
				v *= plain[n].value
				if plain[n].kind == learner.Numeric {
					k = learner.Numeric
				}
			}
			if made++; made > w.o.MaxFeatures {
				w.reject(TooManyFeatures)
				return
			}
			if w.add(strings.Join(names, "*"), v, k, false); len(w.reasons) > 0 {
				return
			}
			if len(w.features) > w.o.MaxFeatures {
				w.reject(TooManyFeatures)
				return
			}
		}
	}
}

func TestCrosses(t *testing.T) {
	o := Defaults(JSON)
	o.TextField = "msg"
	for _, c := range []struct{ cross, fields, want string }{
		{"country*device", `"country":"de","device":"ios"`, "country=de device=ios country=de*device=ios"},
		{"device*country", `"country":"de","device":"ios"`, "country=de device=ios device=ios*country=de"},
		{"price*country", `"country":"de","price":2.5`, "country=de price:2.5 price*country=de:2.5"},
		{"user.age*item.price", `"user":{"age":3},"item":{"price":-2}`,
			"user.age:3 item.price:-2 user.age*item.price:-6"},
		{"a*b*c", `"a":2,"b":true,"c":0.5`, "a:2 b=true c:0.5 a*b=true*c"},
		{"a*b", `"a":[2,3],"b":["x","y"]`, "a[0]:2 a[1]:3 b=x b=y a[0]*b=x:2 a[0]*b=y:2 a[1]*b=x:3 a[1]*b=y:3"},
		{"a.*a.", `"a":{"x":2,"y":3,"z":"w"}`, "a.x:2 a.y:3 a.z=w a.x*a.x:4 a.x*a.y:6 a.x*a.z=w:2 a.y*a.y:9 " +
			"a.y*a.z=w:3 a.z=w*a.z=w"},
		{"a.*b*a.", `"a":{"x":2,"y":3},"b":1`, "a.x:2 a.y:3 b:1 a.x*b*a.x:4 a.x*b*a.y:6 a.y*b*a.x:6 a.y*b*a.y:9"},
		{"a*b", `"a":1,"x":2`, "a:1 x:2"},
		{"a*b", `"a":null,"b":2`, "b:2"},
		{"a*b", `"a":0,"b":2`, "a:0 b:2 a*b:0"},
		{"a*b", `"ab":1,"b":2,"a]":1,"a[x]":2,"a[":3`, "ab:1 b:2 a]:1 a[x]:2 a[:3"},
		{"a*b", `"a":1,"b":2,"a":2`, ""},
		{"a.b*c", `"a":{"b":1},"c":2,"a.b":2`, "a.b:3 c:2 a.b*c:6"},
		{"a*b", `"a":1e20,"b":1e20`, "out-of-range"},
		{"msg*b", `"b":"x","msg":"Buy now"`, "b=x msg=buy msg=now msg=buy*b=x msg=now*b=x"},
		{"a*b a.*b", `"a":2,"b":3,"a*b":5`, "a:2 b:3 a*b:11"},
	} {
		o.Cross = strings.Fields(c.cross)
		d := decoder(t, o)
		eager(d)
		if c.want == "" {
			c.want = "duplicate-field"
		}
		if got := readings(t, d, "{"+c.fields+`,"label":1}`); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.cross, c.fields, got, c.want)
		}
	}
}

// TestCrossesOfTables: columns, indices of libsvm and namespaces of vw are crossed as fields of json are.
func TestCrossesOfTables(t *testing.T) {
	table := Defaults(CSV)
	timed, dotted := Defaults(CSV), Defaults(CSV)
	timed.Columns, timed.TimeParts = []string{"label", "y", "x"}, []string{"y"}
	dotted.Columns = []string{"label", "y.", "y.a", "x"}
	table.Columns, table.Categorical = []string{"label", "day", "hour", "x"}, []string{"day"}
	for _, c := range []struct {
		o                 Options
		cross, line, want string
	}{
		{table, "day*hour", "1,2,3,4", "day=2 hour:3 x:4 day=2*hour:3"},
		{table, "hour*x", "1,2,a,4", "day=2 hour=a x:4 hour=a*x:4"},
		{timed, "y.hour*x", "1,7200,3", "y.hour=2 y.weekday=thu x:3 y.hour=2*x:3"},
		{dotted, "y.*x", "1,2,3,4", "y.:2 y.a:3 x:4 y.*x:8"},
		{table, "hour*x", "1,2,,4", "day=2 x:4"},
		{Defaults(LIBSVM), "1*2", "1 1:2 2:3 12:4", "1:2 2:3 12:4 1*2:6"},
		{Defaults(VW), "a^*b^", "1 |a x:2 y |b z:3 k=1:0.5",
			"a^x:2 a^y:1 b^z:3 b^k=1:0.5 a^x*b^z:6 a^x*b^k=1 a^y*b^z:3 a^y*b^k=1:0.5"},
		{Defaults(VW), "a^*a^", "1 |a x:2 y:3 |b z:3", "a^x:2 a^y:3 b^z:3 a^x*a^x:4 a^x*a^y:6 a^y*a^y:9"},
		{Defaults(VW), "a^*b^*b^", "1 |a x:2 |b z:3 k:0.5",
			"a^x:2 b^z:3 b^k:0.5 a^x*b^z*b^z:18 a^x*b^z*b^k:3 a^x*b^k*b^k:0.5"},
		{Defaults(VW), "a^x*a^c", "1 |a x:2 c:de", "a^x:2 a^c=de a^x*a^c=de:2"},
	} {
		c.o.Cross = []string{c.cross}
		d := decoder(t, c.o)
		eager(d)
		if got := readings(t, d, c.line); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.cross, c.line, got, c.want)
		}
	}
}

// TestCrossesAreReadInASinglePass: crosses do not have events read by the parser, nor memory allocated.
func TestCrossesAreReadInASinglePass(t *testing.T) {
	o := Defaults(JSON)
	o.Cross = []string{"c*d", "x*c", "x*y"}
	d := decoder(t, o)
	eager(d)
	decoded(d, `{"label":1,"features":{"c":"a","x":1,"y":2,"d":"b","z":3}}`)
	other := `{"label":0,"features":{"c":"q","x":-1.5,"y":7,"d":"true","z":2}}`
	if fits, _ := fitsTemplate(d, other); !fits {
		t.Errorf("%s does not fit", other)
	}
	want := "c=q x:-1.5 y:7 d=true z:2 c=q*d=true x*c=q:-1.5 x*y:-10.5"
	if got := readings(t, d, other); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var e Example
	var arena []learner.Feature
	value := &Record{Value: []byte(other)}
	if n := testing.AllocsPerRun(100, func() { arena = d.Decode(value, arena[:0], &e) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// TestManyCrosses: neither many choices, of one name or not, nor long names take time or memory without a bound.
func TestManyCrosses(t *testing.T) {
	o := Defaults(JSON)
	o.MaxBytes, o.MaxFeatures, o.Cross = 1<<22, 5000, []string{"a.*b*a.*b"}
	var same, long strings.Builder
	for i := range 2000 {
		if i < 100 {
			same.WriteString(`"a.x` + strings.Repeat("*b*a.x", i) + `":1,`)
		}
		long.WriteString(`,"` + strings.Repeat("z", i%3) + strings.Repeat("x", i/3) + `":1`)
	}
	for _, value := range []string{
		"{" + same.String() + `"b":1,"label":1}`,
		`{"b":1,"a":{"` + strings.Repeat("n", 1<<19) + `":{"":1` + long.String() + `}},"label":1}`,
	} {
		if got := readings(t, decoder(t, o), value); got != TooManyFeatures.String() {
			t.Errorf("%.60s: %.200s", value, got)
		}
	}
}

func TestCrossesAreValidated(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"want 2 to 4 names":       func(o *Options) { o.Cross = []string{"a"} },
		"want 2 to 4 names with":  func(o *Options) { o.Cross = []string{"a*b*c*d*e"} },
		`"" is no name`:           func(o *Options) { o.Cross = []string{"a*"} },
		`"a b" is no name`:        func(o *Options) { o.Cross = []string{"a b*c"} },
		"17 crosses":              func(o *Options) { o.Cross = make([]string, 17) },
		`cross "a*b" is named`:    func(o *Options) { o.Cross = []string{"a*b", "a*b"} },
		`"label" is no feature`:   func(o *Options) { o.Cross = []string{"a*label"} },
		`"b*a*b" and "b*b*a" are`: func(o *Options) { o.Cross = []string{"a*b", "b*a*b", "b*b*a"} },
		`"a*b" is named twice`:    func(o *Options) { o.Cross = []string{"a*b", "a*b"} },
		`"x" is no feature`:       func(o *Options) { o.Cross, o.Ignore = []string{"a*x"}, []string{"x"} },
		`"q" is none of the colu`: func(o *Options) {
			*o = Defaults(CSV)
			o.Columns, o.Cross = []string{"x"}, []string{"x*q"}
		},
		"not UTF-8":               func(o *Options) { o.Cross = []string{"a*\xff"} },
		"want 2 to 5":             func(o *Options) { o.NGrams, o.TextField = 6, "msg" },
		"ngrams are of the words": func(o *Options) { o.NGrams = 2 },
		"libsvm has no text":      func(o *Options) { *o = Defaults(LIBSVM); o.NGrams = 2 },
	} {
		o := Defaults(JSON)
		change(&o)
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	o := Defaults(JSON)
	o.Cross, o.NGrams, o.TextField = []string{"a*msg"}, 2, "msg"
	if _, err := NewLabels(o, false); err != nil {
		t.Errorf("label records: %v", err)
	}
}

func TestRunsOfWords(t *testing.T) {
	o := Defaults(JSON)
	o.TextField, o.NGrams = "msg", 3
	want := "msg=buy msg=now msg=go msg=buy now msg=now buy msg=now go msg=buy now buy msg=now buy now msg=buy now go"
	if got := readings(t, decoder(t, o), `{"msg":"Buy, now! buy now; GO"}`); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	table := Defaults(CSV)
	table.Columns, table.TextField, table.NGrams = []string{"label", "msg"}, "msg", 2
	if got := readings(t, decoder(t, table), "1,Buy now"); got != "msg=buy msg=now msg=buy now" {
		t.Errorf("%q", got)
	}
}
