package event

import (
	"strings"
	"testing"
)

// TestJSONAgainstOracle cuts each event at each byte. No proper prefix of a good event is good.
func TestJSONAgainstOracle(t *testing.T) {
	for _, o := range fuzzOptions() {
		d := decoder(t, o)
		for _, event := range jsonEvents {
			for n := range event {
				agree(t, d, []byte(event[:n]))
			}
			for n := range event { // and each part with the template of the whole
				d.template = featureTemplate{}
				agree(t, d, []byte(event))
				agree(t, d, []byte(event[:n]+event[n+1:]))
			}
		}
	}
}

// TestJSONTemplate decodes events that begin like the one before and then differ. It checks how many members fit the
// template, because the result does not show it.
func TestJSONTemplate(t *testing.T) {
	d := decoder(t, fuzzOptions()[0])
	first := `{"features":{"a":1,"b":-2.5,"c":3,"d":4}}`
	for _, c := range []struct {
		event   string
		follows int // how many members
	}{
		{first, 4}, {`{"label":1,"features":{"a":9,"b":8}}`, 2}, {`{"features":{ "a":9,"b":8,"c":7 }}`, 2},
		{`{"features":{"a":9,"b":8, "c":7}}`, 2},
		{`{"features":{"b":9,"a":8}}`, 0}, {`{"features":{"a":9,"b":"x","c":7}}`, 1},
		{`{"features":{"a":9,"b":1e31,"c":7}}`, 1},
		{`{"features":{"a":9,"b":8,"a":7,"b":6,"e":5}}`, 2}, {`{"features":{"a":9,"b":8,}}`, 2},
		{`{"features":{"a":9,"b":8`, 1}, {`{"features":{"a":01}}`, 0},
		{`{"features":{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7}}`, 4}, {`{"features":{}}`, 0},
		{`{"x":1,"features":{"a":1},"y":2}`, 1},
	} {
		d.template = featureTemplate{}
		agree(t, d, []byte(first))
		i := strings.Index(c.event, `s":{`) + 4
		d.value, d.arena, d.start = []byte(c.event), nil, 0
		for c.event[i] == ' ' {
			i++
		}
		d.parser.(*jsonParser).templateMembers(i)
		if d.template.matched != c.follows {
			t.Errorf("%s: %d members fitted the template, want %d", c.event, d.template.matched, c.follows)
		}
		agree(t, d, []byte(c.event))
	}
}

// TestJSONTemplateIsLearnedAgain after some events with other keys.
func TestJSONTemplateIsLearnedAgain(t *testing.T) {
	d := decoder(t, Defaults(JSON))
	decoded(d, `{"features":{"a":1,"b":2}}`)
	for n := range 2 * relearnAfter {
		decoded(d, `{"features":{"c":1,"d":2,"e":3}}`)
		s := &d.template
		if learned := string(s.text) == `"c":"d":"e":`; learned != (n >= relearnAfter-1) ||
			(s.misses == 0) != (n >= relearnAfter) {
			t.Fatalf("after %d events: %d misses, template %s", n+1, s.misses, s.text)
		}
	}
}

// TestJSONTemplateOfOthers: an event never gets the names of the one before.
func TestJSONTemplateOfOthers(t *testing.T) {
	events := []string{`"b":{"c":1}`, `"c":1`, `"a":{},"c":1`, `"\u0063":1`, `"c" :1`, `"c": 1`, `"":1`,
		`"a":"x","c":1`, `"c":1,"c":1,"d":2`, `"d":2,"c":1`, `"a":[1,2],"c":3`, `"a":null,"c":1`, `"":{"c":1}`}
	for _, first := range events {
		for _, second := range events {
			d := decoder(t, Defaults(JSON))
			decoded(d, `{"features":{`+first+`}}`)
			agree(t, d, []byte(`{"features":{`+second+`}}`))
		}
	}
}
