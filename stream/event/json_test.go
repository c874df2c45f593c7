package event

import (
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
				forget(d)
				agree(t, d, []byte(event))
				agree(t, d, []byte(event[:n]+event[n+1:]))
			}
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
