package board

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// TestDriftsAreLoggedOnce: each drift of this process has a line, and what was there at its start has none.
func TestDriftsAreLoggedOnce(t *testing.T) {
	var text bytes.Buffer
	log, d := zerolog.New(&text), drifts{}
	o := event.Defaults(event.JSON)
	o.Bits = 6
	c := model.Config{Decode: o}
	c.Learner.Bits = 6
	rule, err := c.SetDrift("adwin:delta=0.9,clock=2", "none")
	if err != nil {
		t.Fatal(err)
	}
	p, err := model.NewProcessor(c)
	if err != nil {
		t.Fatal(err)
	}
	p.DetectBy(&c, rule)
	decode, err := event.New(o)
	if err != nil {
		t.Fatal(err)
	}
	learn := func(n, every int) { // an example is a mistake each time
		for i := range n {
			r := topics.Record{Value: fmt.Appendf(nil, `{"label":%d,"features":{"x":1}}`, 2*(i%every&1)-1)}
			var e event.Example
			arena := decode.Decode(&r, nil, &e)
			out, rejected := p.Predict(&e, e.Features(arena))
			if rejected != nil {
				t.Fatal(rejected)
			}
			p.Learn(&r, out)
		}
	}
	for range 2 { // a stretch of one label, then labels in turn
		learn(100, 1)
		learn(100, 2)
	}
	if r := d.report(&log, p); r.Drifts != 2 || text.Len() > 0 {
		t.Fatalf("%+v: %s", r, &text)
	}
	learn(100, 1)
	learn(100, 2)
	for range 2 {
		d.report(&log, p)
	}
	if n := strings.Count(text.String(), `"message":"a drift: the model makes more mistakes than before"`); n != 1 {
		t.Errorf("%d lines: %s", n, &text)
	}
}
