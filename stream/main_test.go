package stream_test

import (
	"os"
	"testing"

	"rosenblatt/stream/streamtest"
)

func TestMain(m *testing.M) {
	streamtest.RunBeside(8)
	os.Exit(m.Run())
}
