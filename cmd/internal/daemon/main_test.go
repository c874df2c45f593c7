package daemon

import (
	"os"
	"testing"

	"rosenblatt/stream/streamtest"
)

func TestMain(m *testing.M) {
	streamtest.RunBeside(4)
	os.Exit(m.Run())
}
