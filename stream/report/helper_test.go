package report

import (
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
)

func untrained(t *testing.T) *model.Processor {
	t.Helper()
	p, err := model.NewProcessor(model.Config{Decode: event.Defaults(event.JSON)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
