package model

import (
	"testing"

	"rosenblatt/stream/event"
)

// TestFramedIsOfTheModel: a model that was begun without the rule keeps it out, and no setting differs.
func TestFramedIsOfTheModel(t *testing.T) {
	now := Config{Decode: event.Defaults(event.JSON), Late: &LateLabels{Decode: event.Defaults(event.JSON)}}
	old := Config{Decode: now.Decode, Late: &LateLabels{Decode: now.Decode}}
	old.Decode.Framed, old.Late.Decode.Framed = false, false
	if d, err := old.Diff(now); err != nil || len(d) > 0 {
		t.Errorf("%v, %v", d, err)
	}
	if got := now.For(old); got.Decode.Framed || got.Late.Decode.Framed || !now.Late.Decode.Framed {
		t.Errorf("%+v", got)
	}
	if got := now.For(now); !got.Decode.Framed || !got.Late.Decode.Framed {
		t.Errorf("%+v", got)
	}
	old.Decode = event.Defaults(event.VW)
	if got := now.For(old); !got.Decode.Framed { // another format is begun anew
		t.Errorf("%+v", got.Decode)
	}
}
