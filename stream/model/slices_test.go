package model_test

import (
	"fmt"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// sliceConfig is a configuration of a format.
func sliceConfig(format string) model.Config {
	o := event.Defaults(format)
	o.Bits = 8
	if format == event.CSV {
		o.Columns = []string{"id", "label", "x", "shop", "note"}
		o.Ignore = []string{"shop", "note"}
	}
	return model.Config{Learner: learner.Spec{Bits: 8}.WithDefaults(), Decode: o}
}

// TestSliceValues: what the values of fields are: words, booleans and whole numbers, at the top or within features,
// also of fields that are no features.
func TestSliceValues(t *testing.T) {
	for _, c := range []struct{ format, field, value, want string }{
		{event.JSON, "shop", `{"label":1,"shop":"berlin"}`, "berlin"},
		{event.JSON, "shop", `{"label":1,"shop":"\u0062erlin"}`, "berlin"},
		{event.JSON, "shop", `{"label":1,"shop":7}`, "7"},
		{event.JSON, "shop", `{"label":1,"shop":-7}`, "-7"},
		{event.JSON, "shop", `{"label":1,"shop":true}`, "true"},
		{event.JSON, "shop", `{"label":1,"shop":7.5}`, "other"},
		{event.JSON, "shop", `{"label":1,"shop":"4you"}`, "4you"},
		{event.JSON, "shop", `{"label":1,"shop":null}`, "(none)"},
		{event.JSON, "shop", `{"label":1,"shop":""}`, "(none)"},
		{event.JSON, "shop", `{"label":1,"x":2}`, "(none)"},
		{event.JSON, "shop", `{"label":1,"shop":["a"],"x":1}`, "(none)"},
		{event.JSON, "shop", `{"label":1,"features":{"shop":"in"}}`, "in"},
		{event.JSON, "shop", `{"label":1,"shop":"beside","features":{"x":1}}`, "beside"},
		{event.JSON, "place.shop", `{"label":1,"place":{"shop":"nested"}}`, "nested"},
		{event.JSON, "place.shop", `{"label":1,"features":{"place":{"shop":"nested"}}}`, "nested"},
		{event.CSV, "shop", `e1,1,0.5,berlin,"a, b"`, "berlin"},
		{event.CSV, "note", `e1,1,0.5,berlin,"a, b"`, "a, b"},
		{event.CSV, "x", `e1,1,0.5,berlin,`, "other"},
		{event.CSV, "x", `e1,1,12,berlin,`, "12"},
		{event.CSV, "note", `e1,1,12,berlin,`, "(none)"},
	} {
		config := sliceConfig(c.format)
		p, err := model.NewProcessor(config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.SliceBy(&config, []string{c.field}); err != nil {
			t.Fatal(err)
		}
		d, err := event.New(config.Decode)
		if err != nil {
			t.Fatal(err)
		}
		r := topics.Record{Value: []byte(c.value)}
		var e event.Example
		o, rejected := p.Predict(&e, e.Features(d.Decode(&r, nil, &e)))
		if rejected != nil && !strings.Contains(c.value, "[") {
			t.Fatal(c.value, rejected)
		}
		o.Labelled, o.Label = true, model.Positive
		p.Slice(&r, o)
		p.Learn(&r, o)
		rows := p.SliceRows()
		if len(rows) != 1 || rows[0].Value != c.want || rows[0].Field != c.field || rows[0].Examples() != 1 {
			t.Errorf("%s: %s: %+v, want %s", c.field, c.value, rows, c.want)
		}
	}
}

// TestSliceFields: what decisions cannot be counted by is said.
func TestSliceFields(t *testing.T) {
	classes := sliceConfig(event.JSON)
	classes.Decode.Task = event.Multiclass
	for _, c := range []struct {
		config model.Config
		fields string
		says   string
	}{
		{sliceConfig(event.JSON), "a b c d", ""},
		{sliceConfig(event.JSON), "a b c d e", "5 fields: want at most 4"},
		{sliceConfig(event.JSON), "a b a", `"a" is named twice`},
		{sliceConfig(event.JSON), "label", `"label" is the label`},
		{sliceConfig(event.CSV), "shop", ""},
		{sliceConfig(event.CSV), "shops", "none of the columns"},
		{sliceConfig(event.LIBSVM), "3", "no named fields"},
		{classes, "a", "several classes"},
	} {
		err := model.CheckSlices(&c.config, strings.Fields(c.fields))
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v, want %q", c.fields, err, c.says)
		}
	}
}
