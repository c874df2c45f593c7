package report

import (
	"testing"

	"rosenblatt/stream"
	"rosenblatt/stream/event"
)

func untrained(t *testing.T) *stream.Processor {
	t.Helper()
	p, err := stream.NewProcessor(stream.Fixed{Decode: event.Defaults(event.JSON)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
