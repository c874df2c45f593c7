package event

import (
	"strings"
	"testing"
)

// TestLongPrefixes: names with a long prefix in common have the hash of the whole name, also in containers in one
// another and within a features object that has such a path.
func TestLongPrefixes(t *testing.T) {
	events := []string{
		`{"K":{"a":1,"K":{"b":2,"":["x","yy"],"d":[1,2],"e":{}},"f":true,"h":{"i":1}},"g":[1],"K2":{"K":["a"]}}`,
		`{"K":{"a":1,"K":{"b":2,"":["x","yy"],"d":[1,2,[]],"e":{}},"f":true,"h":{"i":1}},"g":[1]}`,
		`{"K":{"t":"Two words","u":{"t":"Two words"},"v":1},"w":{"x":2}}`,
		`{"K":{"a":{"b":1},"features":{"a":{"b":1},"K":{"c":["d"],"t":3}},"t":"two words","z":{"y":1}},"x":1}`,
		`{"K":{"K":{"a":`,
	}
	for _, size := range []int{longPrefix - 2, longPrefix - 1, longPrefix, longPrefix + 1, 3*longPrefix + 7} {
		key := strings.Repeat("k", size)
		for seed := range uint64(2) {
			o := Defaults(JSON)
			o.Seed, o.TextField, o.FeaturesField = seed, key+".t", key+".features"
			d := decoder(t, o)
			for range 2 {
				for _, event := range events {
					event = strings.ReplaceAll(event, "K", key)
					agree(t, d, []byte(event))
					forget(d)
					agree(t, d, []byte(event))
				}
			}
			o = Defaults(VW)
			o.Seed = seed
			agreeText(t, decoder(t, o), []byte("1 |"+key+" a b:2 "+key+":3|c d|"+key+"2:0.5 a b:2"))
		}
	}
}
