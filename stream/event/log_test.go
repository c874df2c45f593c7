package event

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestLogs: numbers of all formats, before those of one name add up, in a single pass and by the parser.
func TestLogs(t *testing.T) {
	ln := func(x float64) string { return fmt.Sprintf("%g", math.Log(x)) }
	json, table, numbers := Defaults(JSON), Defaults(CSV), Defaults(JSON)
	table.Columns = []string{"label", "a", "x"}
	numbers.Numeric = []string{"a"}
	for _, c := range []struct {
		o                Options
		log, value, want string
	}{
		{json, "a", `{"a":6,"x":6}`, "a:" + ln(7) + " x:6"},
		{json, "a", `{"a":-6,"x":0}`, "a:-" + ln(7) + " x:0"},
		{json, "a", `{"a":[6,0],"x":[6]}`, "a[0]:" + ln(7) + " a[1]:0 x[0]:6"},
		{json, "a", `{"a":"6","x":true}`, "a=6 x=true"},
		{json, "u.", `{"u":{"a":6,"b":{"c":[6]}},"x":6}`, "u.a:" + ln(7) + " u.b.c[0]:" + ln(7) + " x:6"},
		{json, "u.a", `{"u":{"a":6},"u.a":6}`, "u.a:" + fmt.Sprintf("%g", 2*math.Log(7))},
		{json, "a", `{"a":1e31}`, "out-of-range"},
		{json, "a", `{"a[x]":6,"ab":6,"a[":6}`, "a[x]:6 ab:6 a[:6"},
		{numbers, "a", `{"a":"6","x":"6"}`, "a:" + ln(7) + " x=6"},
		{table, "a", "1,6,6", "a:" + ln(7) + " x:6"},
		{table, "a", "1,six,6", "a=six x:6"},
		{Defaults(LIBSVM), "3", "1 3:6 4:6", "3:" + ln(7) + " 4:6"},
		{Defaults(VW), "f^", "1 |f a:6 b:w |g c:6", "f^a:" + ln(7) + " f^b=w g^c:6"},
		{Defaults(VW), "f^a", "1 |f:2 a:3", "f^a:" + ln(7)},
	} {
		c.o.Log = []string{c.log}
		d := decoder(t, c.o)
		eager(d)
		if got := readings(t, d, c.value); got != c.want {
			t.Errorf("log of %s, %s: %q, want %q", c.log, c.value, got, c.want)
		}
	}
	json.Log, json.Cross = []string{"a"}, []string{"a*x", "a*a"}
	d := decoder(t, json)
	eager(d)
	want := fmt.Sprintf("a:%g x:3 a*x:%g a*a:%g", math.Log(7), 3*math.Log(7), math.Log(7)*math.Log(7))
	if got := readings(t, d, `{"a":6,"x":3}`); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLogsAreValidated(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"log: an empty name":       func(o *Options) { o.Log = []string{""} },
		`log: "label" is no featu`: func(o *Options) { o.Log = []string{"label"} },
		`"a" is categorical`:       func(o *Options) { o.Log, o.Categorical = []string{"a"}, []string{"a"} },
		`"a.b" is categorical`:     func(o *Options) { o.Log, o.Categorical = []string{"a."}, []string{"a.b"} },
		`of log "a" is named twic`: func(o *Options) { o.Log = []string{"a", "a"} },
		`log: "q" is none of the`: func(o *Options) {
			*o = Defaults(CSV)
			o.Columns, o.Log = []string{"x"}, []string{"q"}
		},
		"not UTF-8": func(o *Options) { o.Log = []string{"\xff"} },
	} {
		o := Defaults(JSON)
		change(&o)
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
