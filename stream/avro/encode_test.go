package avro

import (
	"fmt"
	"strings"
	"testing"
)

// TestAppend: what of JSON does not suit a schema, by the field.
func TestAppend(t *testing.T) {
	const schema = `{"type":"record","name":"R","fields":[{"name":"i","type":"int"},` +
		`{"name":"u","type":["null","string"]},` +
		`{"name":"d","type":["null",{"type":"bytes","logicalType":"decimal","precision":5,"scale":2}]},` +
		`{"name":"at","type":["null",{"type":"long","logicalType":"timestamp-micros"}]},` +
		`{"name":"raw","type":"bytes"},` +
		`{"name":"r","type":["null",{"type":"record","name":"S","fields":[{"name":"x","type":"float"}]}]},` +
		`{"name":"id","type":["null",{"type":"fixed","name":"U","size":16,"logicalType":"uuid"}]},` +
		`{"name":"e","type":["null",{"type":"enum","name":"E","symbols":["a","b"]}]},` +
		`{"name":"l","type":{"type":"array","items":["null","boolean"]}}]}`
	top, err := Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	for form, want := range map[string]string{
		`{"i":1,"l":[]}`: "02" + "00" + "00" + "00" + "00" + "00" + "00" + "00" + "00",
		`{"i":-1,"u":"a","d":-1.5,"at":1.5,"r":{"x":0.5},"e":"b","l":[true,null],` +
			`"id":"00112233-4455-6677-8899-aabbccddeeff"}`: "01" +
			"020261" + "0204ff6a" + "02b817" + "00" + "020000003f" + "0200112233445566778899aabbccddeeff" + "0202" +
			"0402010000",
		`{"i":1e3,"d":327.68,"l":[]}`:     "d00f" + "00" + "0206008000" + "00" + "00" + "00" + "00" + "00" + "00",
		`{"i":1.5,"l":[]}`:                `field "i": 1.5: it is no integer`,
		`{"i":2147483648,"l":[]}`:         "out of the range of int",
		`{"i":"1","l":[]}`:                `field "i": "1" does not suit int`,
		`{"l":[]}`:                        `field "i": it is missing`,
		`{"i":1}`:                         `field "l": it is missing`,
		`{"i":1,"l":[],"y":1}`:            `field "y": the schema has no such field`,
		`{"i":1,"i":1,"l":[]}`:            `field "i": it is there twice`,
		`{"i":1,"l":[1]}`:                 `field "l[0]": 1 does not suit boolean`,
		`{"i":1,"l":[],"raw":"a"}`:        `field "raw": bytes has no json form`,
		`{"i":1,"l":[],"d":0.001}`:        "more than 2 digits",
		`{"i":1,"l":[],"at":0.0001}`:      "more digits behind the point",
		`{"i":1,"l":[],"r":{"x":1e300}}`:  `field "r.x": 1e300 is out of the range of float`,
		`{"i":1,"l":[],"e":"c"}`:          "none of the symbols of E",
		`{"i":1,"l":[],"id":"0011"}`:      "no UUID",
		`{"i":1,"l":[],"at":1e999999999}`: "more digits behind",
		`[1]`:                             "does not suit R",
		`{`:                               "no json",
	} {
		b, err := Append(nil, top, []byte(form))
		if got := fmt.Sprintf("%x", b); err == nil && got != strings.ReplaceAll(want, " ", "") ||
			err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s, %v, want %s", form, got, err, want)
		}
	}
}
