package event

import (
	"strings"
	"testing"
)

// TestUnknownIsNamed: what rejects an event says which field it is, and which settings let the event pass.
func TestUnknownIsNamed(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{`{"items":[{"sku":1}],"x":1}`, `field "items": an array must hold only numbers or only strings, and no ` +
			`null; --ignore leaves the field out, --unknown skip all such values`},
		{`{"features":{"cart":{"items":[1,true]},"x":1}}`, `field "cart.items": an array`},
		{"\x00\x00\x00\x00\x11[\"x\",1]", `offset 0: an object like {"label":1,"features":{"x":0.5}} is expected; ` +
			`the value begins with the five bytes of a schema registry (0, schema 17)`},
		{"\x00\x00\x00\x01\x90\x02\xff", "is not UTF-8; the value begins with the five bytes of a schema " +
			"registry (0, schema 400)"},
		{"\x00", `an object like`},
	} {
		e := decoded(decoder(t, Defaults(JSON)), c.value)
		if e.Rejected == nil || !strings.Contains(e.Rejected.Message(), c.want) {
			t.Errorf("%q: %v, want %q", c.value, e.Rejected, c.want)
		}
	}
	for _, name := range []string{"items", "cart.items"} {
		o := Defaults(JSON)
		o.Ignore = []string{name}
		e := decoded(decoder(t, o), `{"features":{"items":[{}],"cart":{"items":[1,true]},"x":1}}`)
		if e.Rejected == nil {
			t.Errorf("--ignore %s: both are ignored", name)
		}
	}
}
