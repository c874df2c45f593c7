package event

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"rosenblatt/learner"
)

var wholeTime = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:(?:[0-5]\d|60)(?:\.\d+)?)?)?` +
	`(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$`)

// time is a value of a feature that is a time.
func (w *wanted) time(name string, v *node) {
	var at time.Time
	hour := true
	switch s := v.scalar.(type) {
	case string:
		m := wholeTime.FindStringSubmatch(s)
		if m == nil {
			w.noTime()
			return
		}
		layout, text := "2006-01-02 15:04", m[1]+" "+m[2]
		if hour = m[2] != ""; !hour {
			layout, text = "2006-01-02", m[1]
		}
		var err error
		if at, err = time.Parse(layout, text); err != nil {
			w.noTime()
			return
		}
	case json.Number:
		f := numberOf(s)
		for _, unit := range []float64{1, 1e3, 1e6, 1e9} {
			if math.Abs(f) < 1e11*unit || unit == 1e9 {
				f = math.Floor(f / unit)
				break
			}
		}
		if math.Abs(f) >= 1e11 {
			w.noTime()
			return
		}
		at = time.Unix(int64(f), 0).UTC()
	default:
		if v.scalar != nil || v.array {
			w.noTime()
		}
		return
	}
	if hour {
		w.add(fmt.Sprintf("%s.hour=%d", name, at.Hour()), 1, learner.Indicator, false)
	}
	w.add(name+".weekday="+strings.ToLower(at.Format("Mon")), 1, learner.Indicator, false)
}

func (w *wanted) noTime() {
	if !w.o.SkipUnknown {
		w.reject(BadFeatures)
	}
}

func TestTimeParts(t *testing.T) {
	o, lenient, table := Defaults(JSON), Defaults(JSON), Defaults(CSV)
	o.TimeParts, lenient.TimeParts, lenient.SkipUnknown = []string{"at", "on."}, []string{"at"}, true
	table.Columns, table.TimeParts, table.Missing = []string{"label", "at", "x"}, []string{"at"}, MissingWords()
	for _, c := range []struct {
		o           Options
		value, want string
	}{
		{o, `{"at":"2026-11-26T22:05:00Z"}`, "at.hour=22 at.weekday=thu"},
		{o, `{"at":"2026-11-26 00:05"}`, "at.hour=0 at.weekday=thu"},
		{o, `{"at":"2026-11-29T09:59:60.125+05:30","x":2}`, "at.hour=9 at.weekday=sun x:2"},
		{o, `{"at":"2024-02-29"}`, "at.weekday=thu"},
		{o, `{"at":"2024-02-29Z"}`, "at.weekday=thu"},
		{o, `{"at":"2024-02-29+02:00"}`, "at.weekday=thu"},
		{o, `{"on":{"a":"2026-11-28T23:00","b":null}}`, "on.a.hour=23 on.a.weekday=sat"},
		{o, `{"at":1764194700}`, "at.hour=22 at.weekday=wed"},
		{o, `{"at":1764194700123}`, "at.hour=22 at.weekday=wed"},
		{o, `{"at":1764194700123456}`, "at.hour=22 at.weekday=wed"},
		{o, `{"at":1764194700123456789}`, "at.hour=22 at.weekday=wed"},
		{o, `{"at":-1}`, "at.hour=23 at.weekday=wed"},
		{o, `{"at":0.5,"at.x":3}`, "at.hour=0 at.weekday=thu at.x:3"},
		{o, `{"at":{"x":3}}`, "at.x:3"},
		{o, `{"at":"2023-02-29"}`, "bad-features"}, {o, `{"at":"2026-11-26T24:00"}`, "bad-features"},
		{o, `{"at":"2026-11-26T22:5"}`, "bad-features"}, {o, `{"at":"2026-11-26T22:05:00."}`, "bad-features"},
		{o, `{"at":"2026-11-26T22:05:00 Z"}`, "bad-features"}, {o, `{"at":"2026-11-26T"}`, "bad-features"},
		{o, `{"at":"2026-11-26z"}`, "bad-features"},
		{o, `{"at":"now"}`, "bad-features"}, {o, `{"at":""}`, "bad-features"},
		{o, `{"at":1e20}`, "bad-features"}, {o, `{"at":true}`, "bad-features"}, {o, `{"at":[1]}`, "bad-features"},
		{lenient, `{"at":"now","x":2}`, "x:2"}, {lenient, `{"at":[1],"x":2}`, "x:2"},
		{lenient, `{"at":[],"x":2}`, "x:2"}, {lenient, `{"at":1e20,"x":2}`, "x:2"}, {o, `{"at":[]}`, "bad-features"},
		{lenient, `{"at":false,"x":2}`, "x:2"},
		{table, "1,2026-11-26 22:05,3", "at.hour=22 at.weekday=thu x:3"},
		{table, "1, 1764194700 ,3", "at.hour=22 at.weekday=wed x:3"},
		{table, "1,NA,3", "x:3"}, {table, "1,,3", "x:3"}, {table, "1,x,3", "bad-features"},
	} {
		d := decoder(t, c.o)
		eager(d)
		if got := readings(t, d, c.value); got != c.want {
			t.Errorf("%s: %q, want %q", c.value, got, c.want)
		}
	}
	o.Cross = []string{"at.hour*x"}
	d := decoder(t, o)
	eager(d)
	decoded(d, `{"label":1,"features":{"at":5,"x":2,"y":3}}`)
	value := `{"label":0,"features":{"at":"2026-11-26T22:05:00Z","x":3.5,"y":1}}`
	if fits, _ := fitsTemplate(d, value); !fits {
		t.Errorf("%s does not fit", value)
	}
	want := "at.hour=22 at.weekday=thu x:3.5 y:1 at.hour=22*x:3.5"
	if got := readings(t, d, value); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o.MaxFeatures = 4
	if d = decoder(t, o); readings(t, d, value) != "too-many-features" {
		t.Error("five features are more than four")
	}
}

// TestTimesNeedRoom: of an event of times alone each key makes two features, and a number may follow them.
func TestTimesNeedRoom(t *testing.T) {
	o := Defaults(JSON)
	o.TimeParts = []string{"t."}
	d := decoder(t, o)
	eager(d)
	var times strings.Builder
	for i := range 40 {
		times.WriteString(`"t.` + strings.Repeat("x", i) + `":1,`)
	}
	if got := strings.Count(readings(t, d, "{"+times.String()+`"y":1,"z":2,"label":1}`), ".hour=0 "); got != 40 {
		t.Errorf("%d hours", got)
	}
}
