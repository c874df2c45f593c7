package event

import (
	"fmt"
	"strings"
	"testing"
)

// TestJSONSinglePass checks which events are read in a single pass behind others, and that the result is the same.
func TestJSONSinglePass(t *testing.T) {
	const before = `{"id":"e1","label":1,"features":{"a":1.5,"b":-2}}`
	for _, c := range []struct {
		before, event string
		quick         bool
	}{
		{before, `{"id":"another","label":-1,"features":{"a":0.25,"b":1e3}}`, true},
		{before, `{"id":17,"label":true,"features":{"a":0.25,"b":1}}`, true},
		{before, `{"id":null,"label":null,"features":{"a":0.25,"b":1}}`, true},
		{before, `{"id":"","label":"1","features":{"a":0.25}}`, true},
		{`{"ts":12,"who":"me","features":{"a":1.5},"ok":true,"label":0}`,
			`{"ts":1e999,"who":"you","features":{"a":2},"ok":null,"label":1}`, true},
		{` { "label" : 1 , "features" : { "a":1.5 } } `, ` { "label" : -1 , "features" : { "a":1.25 } } `, false},
		{` { "label" : 1 , "features" : { "a":1.5} } `, ` { "label" : -1 , "features" : { "a":1.25} } `, true},
		{`{"label":1,"weight":2,"features":{"a":1.5}}`, `{"label":1,"weight":0.5,"features":{"a":1.5}}`, true},
		{`{"label":1,"weight":2,"features":{"a":1.5}}`, `{"label":1,"weight":-2,"features":{"a":1.5}}`, false},
		{`{"é":1,"\ud83d\ude00":2,"label":1,"features":{"ü":1.5}}`,
			`{"é":2,"\ud83d\ude00":3,"label":1,"features":{"ü":2.5}}`, true},
		{`{"a.long.name.of.a.field":1,"features":{"a.long.name.of.a.feature":1.5}}`,
			`{"a.long.name.of.a.field":"x","features":{"a.long.name.of.a.feature":7.25}}`, true},
		{`{"a.long.name.of.a.field":1,"features":{"a.long.name.of.a.feature":1.5}}`,
			`{"a.long.nameXof.a.field":"x","features":{"a.long.name.of.a.feature":7.25}}`, false},
		{before, `{"id":"é","label":1,"features":{"a":1.5,"b":-2}}`, false},
		{before, `{"id":"a\"","label":1,"features":{"a":1.5,"b":-2}}`, false},
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
		{`{"label":1,"a":1.5}`, `{"label":1,"a":1.5}`, false},
		{`{"label":1,"more":{"x":1},"features":{"a":1.5}}`, `{"label":1,"more":{"x":1},"features":{"a":1.5}}`,
			false},
		{`{"label":1,"features":{"a":1.5,"w":"x"}}`, `{"label":1,"features":{"a":1.5,"w":"x"}}`, false},
		{`{"label":1,"features":{"a":1.5,"no":1}}`, `{"label":1,"features":{"a":1.5,"no":2}}`, false},
		{`{"ts":1,"features":{"a":1.5}}`, `{"ts":{"x":1},"features":{"a":1.5}}`, false},
		{`{"ts":1,"features":{"a":1.5}}`, `{"ts":["é"],"features":{"a":1.5}}`, false},
		{`{"label":1,"label":1,"features":{"a":1.5}}`, `{"label":1,"label":1,"features":{"a":1.5}}`, false},
		{`{"label":1,"text":"","features":{"a":1.5}}`, `{"label":1,"text":"a word","features":{"a":1.5}}`, false},
		{`{"label":1,"text":"two words","features":{"a":1.5}}`, `{"label":1,"text":"other words","features":{"a":1.5}}`,
			false},
	} {
		o := Defaults(JSON)
		o.WeightField, o.TextField, o.Ignore = "weight", "text", []string{"no"}
		d := decoder(t, o)
		for range 3 {
			agree(t, d, []byte(c.before))
		}
		var e Example
		if got := d.ready && d.singlePass.parseSinglePass(nil, []byte(c.event), nil, &e); got != c.quick {
			t.Errorf("%s behind %s: %v, want %v", c.event, c.before, got, c.quick)
		}
		if all := d.template.matched == len(d.template.keys); c.quick && (e.Names != 0) != all {
			t.Errorf("%s behind %s: list of names %d", c.event, c.before, e.Names)
		}
		for range 3 {
			agree(t, d, []byte(c.before))
			jsonOf(d).wait = 0
			agree(t, d, []byte(c.event))
		}
	}
}

// TestJSONSinglePassLimits: limits hold in a single pass too, and a class is that of its event.
func TestJSONSinglePassLimits(t *testing.T) {
	o := Defaults(JSON)
	o.MaxBytes, o.Task = 40, Multiclass
	d := decoder(t, o)
	for _, class := range []string{`"a"`, "1", "true", `"1"`, `"a\"b"`, `"x"`, `"x"`} {
		jsonOf(d).wait = 0
		if e := decoded(d, `{"label":`+class+`,"features":{"a":1.25}}`); string(AppendClassText(nil,
			e.Class)) != class {
			t.Errorf("%q, want %q", e.Class, class)
		}
	}
	var e Example
	event := `{"label":"x","features":{"a":1.25}}`
	if d.Decode(nil, []byte(strings.Replace(event, "x", "xxxxxxxxx", 1)), nil, &e); e.reason() != TooLarge {
		t.Errorf("%v", e.reason())
	}
	if d.Decode([]byte(strings.Repeat("k", 41)), []byte(event), nil, &e); e.reason() != TooLarge {
		t.Errorf("%v", e.reason())
	}
	if !d.ready || !d.singlePass.parseSinglePass(nil, []byte(event), nil, &e) {
		t.Error("the template was lost")
	}
}

// TestJSONTemplateIsBounded: an event of very many fields is read correctly and does not become a template.
func TestJSONTemplateIsBounded(t *testing.T) {
	for _, fields := range []int{maxMembers, maxMembers + 1, 5000} {
		d := decoder(t, Defaults(JSON))
		event := strings.Builder{}
		for i := range fields - 1 {
			fmt.Fprintf(&event, `,"field%d":%d`, i, i)
		}
		for range 3 {
			agree(t, d, []byte("{"+event.String()[1:]+`,"features":{"a":1.5}}`))
		}
		if d.ready != (fields <= maxMembers) || len(jsonOf(d).members) > maxMembers {
			t.Errorf("%d fields: ready %v, %d parts", fields, d.ready, len(jsonOf(d).members))
		}
	}
}

// TestJSONTemplateIsRelearned: the template of a new kind of event is learned, but two kinds in turn do not cause a
// template to be learned for each event.
func TestJSONTemplateIsRelearned(t *testing.T) {
	d := decoder(t, Defaults(JSON))
	one, other := []byte(`{"label":1,"features":{"a":1.5}}`), []byte(`{"features":{"a":1.5},"label":1}`)
	quick := func(event []byte) bool {
		var e Example
		d.Decode(nil, event, nil, &e)
		return d.ready
	}
	for range 3 * relearnAfter {
		quick(one)
	}
	if quick(other); !quick(other) || string(jsonOf(d).tail) != "}" || jsonOf(d).members[0].role != featuresRole {
		t.Error("the other kind of event is not learned")
	}
	learned := 0
	for range 10 * relearnAfter {
		for _, event := range [][]byte{one, other} {
			if was := jsonOf(d).wait; quick(event) && jsonOf(d).wait > was {
				learned++
			}
		}
	}
	if learned < 5 || learned > 20 {
		t.Errorf("in %d events of two kinds in turn %d templates were learned", 20*relearnAfter, learned)
	}
}

// FuzzJSONSinglePass compares an event behind another one, both read several times, with the oracle.
func FuzzJSONSinglePass(f *testing.F) {
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
			jsonOf(d).wait = 0
			agree(t, d, before)
			agree(t, d, before)
			agree(t, d, event)
			agree(t, d, event)
		}
	})
}
