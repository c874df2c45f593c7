package event

import (
	"slices"
	"testing"

	"rosenblatt/learner"
)

// decoder makes a decoder of options that must be right.
func decoder(t testing.TB, o Options) *Decoder {
	t.Helper()
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// named is a feature with its name.
type named struct {
	name  string
	value float64
	kind  learner.Kind
}

// walked lists the features of an event by name.
func walked(d *Decoder, value string) []named {
	var all []named
	d.Walk(&Record{Value: []byte(value)}, func(name []byte, f learner.Feature) {
		all = append(all, named{string(name), f.Value, f.Kind})
	})
	return all
}

// decoded decodes one event.
func decoded(d *Decoder, value string) Example {
	var e Example
	d.Decode(&Record{Value: []byte(value)}, nil, &e)
	return e
}

// listed holds for numbers of lists of names (Example.Names) the features they were seen with.
var listed = map[uint64][]learner.Feature{}

// agreeNames asks whether a number always stands for the same names.
func agreeNames(t *testing.T, names uint64, features []learner.Feature) {
	t.Helper()
	if names == 0 {
		return
	}
	if len(listed) > 10_000 {
		clear(listed)
	}
	same := func(a, b learner.Feature) bool { return a.Slot == b.Slot && a.Print == b.Print }
	if was, ok := listed[names]; ok && !slices.EqualFunc(was, features, same) {
		t.Fatalf("list of names %d: features %v, before %v", names, features, was)
	}
	listed[names] = slices.Clone(features)
}

// jsonEvents are events of all kinds, good and bad: seeds of the fuzz test, and cut at every byte.
var jsonEvents = []string{
	`{"id":"e1","label":1,"features":{"price":0.056,"market":"vic","open":true}}`,
	` { "id" : 17 , "label" : -1.0 , "weight" : 2.5e-1 , "x" : [ 1 , 2.5 , -3e2 ] ,` +
		` "y" : [ "a" , "b" , "a" ] , "z" : null } `,
	`{"label":"+1","features":{"a":1,"a":2,"b":{"c":{"d":-0},"e":[]},"a=b":1,"a":"b"}}`,
	`{"id":true,"label":false,"x":"caf\u00e9 \"\\\/\b\f\n\r\t","\u0061\ud83d\ude00":1,"é":2}`,
	`{"m":{"label":"UP","id":1.50,"x":1},"p":{"w":0.5,` +
		`"text":"Buy NOW, buy Élan2!","features":{"b":1,"c":2,"text":"é É"},"c":9}}`,
	`{"msg":"The cat, the CAT","features":{"msg":"b a b","x":1,"y":{"z":1,"w":2}},"label":"1.5"}`,
	`{"features":{"y":1,"m":{"w":2,"v":3},"u":1e-5}}`,
	`{"label":0,"label":1,"x":1}`,
	`{"label":2,"weight":-1,"features":[1]}`,
	`{"x":1e31,"y":[true],"label":null}`,
	`{"a":{"q":1},"b":2,"c":{"d":1,"e":[[1]]},"weight":1e400}`,
	`{"a":[[[[[[1]]]]]]}`,
	`{"id":{"a":1},"x":1}`,
	`{"x":"\ud800"}`, "{\"x\":\"\xff\"}", `{"x":"\u12"}`, `{"x":01}`, `{"x":1.}`, `{"x":nan}`, `{"x":+1}`, `{"x":1,}`,
	`[1]`, `null`, `1`, ``, `{}`, "{\"x\":\"\x01\"}",
	`{"a":0.1,"b":0.30000000000000004,"c":1.7976931348623157e308,"d":5e-324,"e":123456789012345678901234567890}`,
	`{"weight":-0,"x":-0}`, `{"p":{"text":"a","text":"b","features":{"x":1}}}`,
	`{"a":{"b":1},"p":{"features":{"x":1},"y":2},"c":{"d":3},"e":4}`,
	`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":{"i":1}}`,
	`{"x":1,"items":[{"sku":"a","n":[2]},{}],"y":[1,"b"],"z":["b",null],"u":[1,2],"w":[true],"v":["a","a"]}`,
	`{"label":"odd","x":1,"features":null,"y":[[1]]}`, `{"features":null,"id":[1]}`, `{"features":null`,
	`{"features":nul}`,
	`{"m":{"label":"odd","id":7},"p":{"w":2,"features":null,"text":"a"},"weight":-1,"a":[{"b":1}]}`,
	`{"features":{"y":[{"z":1}]},"label":1}`,
	`{"x":007}`, `{"x":7,"n":1e5,"s":" 2.5\t","z":"1e400"}`, `{"x":"7","n":1.0,"s":"x\u0041","z":" ","price":"?"}`,
	`{"x":1e400,"n":12345678901234567890123,"s":"inf","y":{"a":"1","b":"-1e5"},"a":{"b":7,"c":[1,1.0,1],"d":{"e":1}}}`,
	`{"n":[1,1,"1"],"x":[1,2,1],"y":[true],"s":["1",""],"z":"\ufeff1","u":"é"}`, `{"n":[1],"n=1":2,"x":1,"x=1":3}`,
	`{"s":"+1","price":"0.1","label":1,"x":-0}`, `{"p":{"features":{"x":1,"s":"1","a":{"q":2}}},"x":5}`,
	`{"label":1,"x":NaN,"y":-Infinity,"z":[1,NaN,2],"s":"NaN","w":Infinity}`,
	`{"label":1,"x":5,"y":-1,"z":[1,3,2],"s":"NaN","w":-1.5}`,
	`{"label":NaN,"id":Infinity,"weight":-Infinity,"x":[NaN]}`,
	`{"features":NaN}`, `{"x":["a",NaN]}`, `{"x":-NaN}`, `{"x":NaNa}`, `{"x":1NaN}`, `{NaN:1}`, `NaN`,
	`{"x":[NaN,"a"]}`,
	`{"p":{"features":{"x":1,"y":"u","a":{"b":3,"c":"w"},"msg":"a b, A b"}},"label":1}`,
	`{"msg":"a b c","b":"z","x":-2,"n":4,"s":"q","y":3,"z":[1,2],"a":[1,2]}`, `{"x":1e20,"y":1e20,"a":["v","w"]}`,
	`{"x":"2026-11-26T22:05:00Z","n":1,"y":1764194700123,"a":{"b":"2026-02-30","c":"2026-11-26"}}`,
	`{"x":"1999-12-31 23:59:60.5-08:00","n":1,"y":true,"a":{"b":"2026-02-28"},"b":1}`, `{"x":[1],"y":-1e19}`,
	`{"x":2,"y":[1,3],"x*y[0]":5,"b":1}`,
	"\xef\xbb\xbf{\"label\":1,\"x\":2}", "\xef\xbb\xbf", "\xef\xbb{\"x\":2}",
}

// forget makes a decoder forget its template.
func forget(d *Decoder) {
	if !d.template.fixed {
		d.template = newTemplates()
	}
}

// eager makes a decoder learn a template from the next event that does not fit.
func eager(d *Decoder) { d.template.patience = 0 }

// inOnePass reports whether an event is read in a single pass.
func inOnePass(d *Decoder, event string, e *Example) bool {
	whole, content, _ := d.parser.open([]byte(event), nil)
	return d.parseSinglePass(&Record{}, whole, content, nil, e)
}

// parsed decodes an event without the template.
func parsed(d *Decoder, event []byte, arena []learner.Feature, e *Example) {
	whole, content, _ := d.parser.open(event, nil)
	d.decode(&Record{}, whole, content, arena, e)
}

// fitsTemplate reports whether an event is read in a single pass, and Example.Names.
func fitsTemplate(d *Decoder, event string) (fits bool, names uint64) {
	was := d.template
	var e Example
	fits = inOnePass(d, event, &e)
	d.template.misses, d.template.patience = was.misses, was.patience
	return fits, e.Names
}

// reason returns why the example is rejected, OK if it is not.
func (e *Example) reason() Reason {
	if e.Rejected == nil {
		return OK
	}
	return e.Rejected.Reason
}

// text returns the error's message, "" if the example is not rejected.
func (e *Example) text() string {
	if e.Rejected == nil {
		return ""
	}
	return e.Rejected.Message()
}
