package event

import (
	"fmt"
	"strings"
	"testing"
)

// TestJSONTemplate checks which events are read in a single pass behind others, and that the result is the same.
func TestJSONTemplate(t *testing.T) {
	const before = `{"id":"e1","label":1,"features":{"a":1.5,"b":-2}}`
	for _, c := range []struct {
		before, event string
		fits          bool
	}{
		{before, `{"id":"another","label":-1,"features":{"a":0.25,"b":1e3}}`, true},
		{before, `{"id":17,"label":true,"features":{"a":0.25,"b":1}}`, true},
		{before, `{"id":null,"label":null,"features":{"a":0.25,"b":1}}`, true},
		{before, `{"id":"","label":"1","features":{"a":0.25}}`, true},
		{`{"ts":12,"who":"me","features":{"a":1.5},"ok":true,"label":0}`,
			`{"ts":1e999,"who":"you","features":{"a":2},"ok":null,"label":1}`, true},
		{` { "label" : 1 , "features" : { "a":1.5 } } `, ` { "label" : -1 , "features" : { "a":1.25 } } `, true},
		{` { "label" : 1 , "features" : { "a":1.5} } `, ` { "label" : -1 , "features" : { "a":1.25} } `, true},
		{`{"label":1,"weight":2,"features":{"a":1.5}}`, `{"label":1,"weight":0.5,"features":{"a":1.5}}`, true},
		{`{"label":1,"weight":2,"features":{"a":1.5}}`, `{"label":1,"weight":-2,"features":{"a":1.5}}`, false},
		{`{"é":1,"\ud83d\ude00":2,"label":1,"features":{"ü":1.5}}`,
			`{"é":2,"\ud83d\ude00":3,"label":1,"features":{"ü":2.5}}`, true},
		{`{"a.long.name.of.a.field":1,"features":{"a.long.name.of.a.feature":1.5}}`,
			`{"a.long.name.of.a.field":"x","features":{"a.long.name.of.a.feature":7.25}}`, true},
		{`{"a.long.name.of.a.field":1,"features":{"a.long.name.of.a.feature":1.5}}`,
			`{"a.long.nameXof.a.field":"x","features":{"a.long.name.of.a.feature":7.25}}`, false},
		{before, `{"id":"é","label":1,"features":{"a":1.5,"b":-2}}`, true},
		{before, `{"id":"a\"","label":1,"features":{"a":1.5,"b":-2}}`, true},
		{before, `{"id":"\ud83d","label":1,"features":{"a":1.5,"b":-2}}`, false},
		{before, `{"id":"\xff","label":1,"features":{"a":1.5,"b":-2}}`, false},
		{before, "{\"id\":\"\xff\",\"label\":1,\"features\":{\"a\":1.5}}", false},
		{before, "{\"id\":\"\t\",\"label\":1,\"features\":{\"a\":1.5}}", false},
		{before, `{"id":{},"label":1,"features":{"a":1.5,"b":-2}}`, false},
		{before, `{"id":[1],"label":1,"features":{"a":1.5,"b":-2}}`, false},
		{before, `{"id":"e","label":2,"features":{"a":1.5,"b":-2}}`, false},
		{before, `{"id":"e","label":1,"features":{"b":1.5,"a":-2}}`, false},
		{before, `{"id":"e","label":1,"features":{"a":1.5,"b":-2,"c":1}}`, false},
		{before, `{"id":"e","label":1,"features":{}}`, false},
		{before, `{"id":"e","label":1,"features":{"a":1.5,"a":-2}}`, false},
		{before, `{"id":"e","label":1,"features":{"a":1.5,"b":2e30}}`, false},
		{before, `{"id":"e","label":1,"features":{"a":1.5,"b":-2}},`, false},
		{before, `{"id":"e","label":1,"features":{"a":1.5,"b":-2}`, false},
		{before, `{"id":"e","label":1,"features":null}`, false},
		{before, `{"label":1,"id":"e","features":{"a":1.5,"b":-2}}`, false}, {before, `{"id":"e`, false},
		{before, `{"id":`, false},
		{before, `{"id":"e","label":1,"features":{"a":1.5,"b":-2}, "x":1}`, false},
		{before, `{"id":"e","label":1,"features":{"a":1.5,"b":-2},"id":1}`, false}, {before, ``, false},
		{before, `{"id":tru,"label":1,"features":{"a":1.5,"b":-2}}`, false},
		{before, `{"id":01,"label":1,"features":{"a":1.5,"b":-2}}`, false},
		{before, `{"id":1x,"label":1,"features":{"a":1.5,"b":-2}}`, false},
		{`{"label":1,"a":1.5}`, `{"label":1,"a":1.5}`, true},
		{`{"label":1,"more":{"x":1},"features":{"a":1.5}}`, `{"label":1,"more":{"x":1},"features":{"a":1.5}}`,
			true},
		{`{"label":1,"features":{"a":1.5,"w":"x"}}`, `{"label":1,"features":{"a":1.5,"w":"x"}}`, true},
		{`{"label":1,"features":{"a":1.5,"no":1}}`, `{"label":1,"features":{"a":1.5,"no":2}}`, true},
		{`{"ts":1,"features":{"a":1.5}}`, `{"ts":{"x":1},"features":{"a":1.5}}`, true},
		{`{"ts":1,"features":{"a":1.5}}`, `{"ts":["é"],"features":{"a":1.5}}`, true},
		{`{"label":1,"label":1,"features":{"a":1.5}}`, `{"label":1,"label":1,"features":{"a":1.5}}`, false},
		{`{"label":1,"text":"","features":{"a":1.5}}`, `{"label":1,"text":"a word","features":{"a":1.5}}`, false},
		{`{"label":1,"text":"two words","features":{"a":1.5}}`, `{"label":1,"text":"other words","features":{"a":1.5}}`,
			false},
		{`{"a":1,"b":2,"c":3}`, `{"a":1,"c":3}`, true}, {`{"a":1,"b":2,"c":3}`, `{"a":1,"b":2}`, true},
		{`{"a":1,"b":2,"c":3}`, `{"b":2,"c":3}`, false}, {`{"a":1,"b":2,"c":3}`, `{"a":1,"c":3,"b":2}`, false},
		{`{"a":{"x":1,"y":2},"b":3}`, `{"a":{"x":1},"b":3}`, true},
		{`{"a":{"x":1,"y":2},"b":3}`, `{"a":{"x":1,"y":2}}`, false},
		{`{"a":{"x":1,"y":2},"b":3}`, `{"a":{"x":1,"y":2}`, false}, {`{"a":[1,2],"b":3}`, `{"a":[3,4],"b":3}`, true},
		{`{"a":[1,2],"b":3}`, `{"a":[1],"b":3}`, false}, {`{"a":[1,2],"b":3}`, `{"a":[1,"x"],"b":3}`, false},
		{`{"a":"x","b":true,"c":null}`, `{"a":1,"b":"\u00e9","c":false}`, true},
		{`{"a":"x","b":1}`, `{"a":null,"b":null}`, false}, {`{"a=b":1,"a":2}`, `{"a=b":1,"a":"b"}`, false},
		{`{"a":"x","a=b":"c"}`, `{"a":"b=c","a=b":"c"}`, false}, {`{"a":"x"}`, `{"a":"\ud800"}`, false},
		{`{"a":"x"}`, "{\"a\":\"\xff\"}", false}, {`{"a":["x"]}`, `{"a":["x"]}`, false},
		{`{"tags":["x"],"features":{"a":1}}`, `{"tags":["y","é"],"features":{"a":1}}`, true},
		{`{"tags":["x"],"features":{"a":1}}`, `{"tags":["\ud800"],"features":{"a":1}}`, false},
		{`{"a":1.5,"b":2}`, `{"a":0.30000000000000004,"b":1.234567e-05}`, true},
	} {
		o := Defaults(JSON)
		o.WeightField, o.TextField, o.Ignore = "weight", "text", []string{"no"}
		d := decoder(t, o)
		agree(t, d, []byte(c.before))
		fits, _ := fitsTemplate(d, c.event)
		if fits != c.fits {
			t.Errorf("%s behind %s: %v, want %v", c.event, c.before, fits, c.fits)
		}
		for range 2 {
			agree(t, d, []byte(c.event))
			eager(d)
		}
	}
}

// TestJSONTemplateLimits: limits hold in a single pass too, and a class is that of its event.
func TestJSONTemplateLimits(t *testing.T) {
	o := Defaults(JSON)
	o.MaxBytes, o.Task = 40, Multiclass
	d := decoder(t, o)
	for _, class := range []string{`"a"`, "1", "true", `"1"`, `"a\"b"`, `"x"`, `"x"`} {
		eager(d)
		if e := decoded(d, `{"label":`+class+`,"features":{"a":1.25}}`); string(AppendClassText(nil,
			e.Class)) != class {
			t.Errorf("%q, want %q", e.Class, class)
		}
	}
	var e Example
	event := `{"label":"x","features":{"a":1.25}}`
	if d.Decode(&Record{Value: []byte(strings.Replace(event, "x", "xxxxxxxxx", 1))}, nil, &e); e.reason() != TooLarge {
		t.Errorf("%v", e.reason())
	}
	if d.Decode(&Record{Key: []byte(strings.Repeat("k", 41)), Value: []byte(event)}, nil, &e); e.reason() != TooLarge {
		t.Errorf("%v", e.reason())
	}
	if fits, _ := fitsTemplate(d, event); !fits {
		t.Error("the template was lost")
	}
}

// TestTemplateIsBounded: an event of very many fields is read correctly and does not become a template.
func TestTemplateIsBounded(t *testing.T) {
	for _, fields := range []int{maxKeys - 1, maxKeys, 2 * maxKeys} {
		d := decoder(t, Defaults(JSON))
		event := strings.Builder{}
		for i := range fields {
			fmt.Fprintf(&event, `,"field%d":%d`, i, i)
		}
		value := `{"features":{"a":1.5}` + event.String() + "}"
		agree(t, d, []byte(value))
		if fits, _ := fitsTemplate(d, value); fits != (fields < maxKeys) || len(d.template.keys) > maxKeys {
			t.Errorf("%d fields: fits %v, %d keys", fields, fits, len(d.template.keys))
		}
	}
}

// TestTemplateIsRelearned: the template of a new kind of event is learned, a single other event does not replace it,
// and two kinds in turn do not cause a template to be learned for each event.
func TestTemplateIsRelearned(t *testing.T) {
	d := decoder(t, Defaults(JSON))
	one, other := `{"label":1,"features":{"a":1.5}}`, `{"features":{"a":1.5},"label":1}`
	fits := func(event string) bool { fits, _ := fitsTemplate(d, event); return fits }
	decoded(d, one)
	if decoded(d, other); !fits(one) {
		t.Error("a single event of another kind replaces the template")
	}
	for range relearnAfter {
		decoded(d, other)
	}
	if !fits(other) {
		t.Error("the other kind of event is not learned")
	}
	learned, n := 0, 5*relearnRarely
	for range n {
		decoded(d, `{"a":["`+"a words array"+`"]}`) // never becomes a template
		if d.template.waited == 0 {
			learned++
		}
	}
	if learned > 12 {
		t.Errorf("in %d events that no template can hold one was learned %d times", n, learned)
	}
}

// FuzzJSONTemplate compares an event behind another one, both read several times, with the oracle.
func FuzzJSONTemplate(f *testing.F) {
	for i, event := range jsonEvents {
		f.Add([]byte(event), []byte(jsonEvents[(i+1)%len(jsonEvents)]))
	}
	f.Add([]byte(`{"id":"e1","label":1,"weight":2,"features":{"a":1.5,"b":-2},"t":0}`),
		[]byte(`{"id":"e2","label":-1,"weight":1,"features":{"a":0.25,"b":1e3},"t":"x"}`))
	f.Fuzz(func(t *testing.T, before, event []byte) {
		o := Defaults(JSON)
		o.WeightField, o.TextField = "weight", "text"
		d := decoder(t, o)
		for range 2 {
			eager(d)
			agree(t, d, before)
			agree(t, d, before)
			agree(t, d, event)
			agree(t, d, event)
		}
	})
}

// TestFieldsChangeTheirKind: what a field is in one event says nothing of the next one, whatever its role.
func TestFieldsChangeTheirKind(t *testing.T) {
	values := []string{"7", "-1e400", `"-1"`, `"Free money"`, "true", "null", "[1,2]", `["a","a"]`, `{"x":1}`, "[{}]"}
	for _, set := range []func(o *Options){
		func(o *Options) { o.TextField = "f" },
		func(o *Options) { o.TextField = "features.f" },
		func(o *Options) { o.TextField = "x.f" },
		func(o *Options) { o.LabelField = "f" },
		func(o *Options) { o.IDField = "f" },
		func(o *Options) { o.WeightField = "features.f" },
		func(o *Options) { o.Ignore = []string{"f"} },
		func(o *Options) { o.SkipUnknown = true },
	} {
		o := Defaults(JSON)
		set(&o)
		for _, format := range []string{`{"f":#,"y":2}`, `{"y":2,"features":{"f":#,"z":1}}`, `{"y":2,"x":{"f":#}}`,
			`{"y":2,"features":#}`} {
			for _, was := range values {
				for _, is := range values {
					d := decoder(t, o)
					for _, v := range []string{was, was, is, is, was} {
						agree(t, d, []byte(strings.ReplaceAll(format, "#", v)))
					}
				}
			}
		}
	}
}
