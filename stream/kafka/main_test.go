package kafka_test

import (
	"testing"

	"go.uber.org/goleak"

	"rosenblatt/stream/streamtest"
)

func TestMain(m *testing.M) {
	streamtest.RunBeside(4)
	goleak.VerifyTestMain(m)
}
