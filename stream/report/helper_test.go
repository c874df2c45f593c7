package report

import (
	"testing"

	"rosenblatt/stream"
	"rosenblatt/stream/decode"
)

func untrained(t *testing.T) *stream.Processor {
	t.Helper()
	p, err := stream.NewProcessor(stream.Fixed{Decode: decode.Defaults(decode.JSON)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
