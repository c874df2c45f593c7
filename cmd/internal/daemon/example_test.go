package daemon_test

import (
	"fmt"

	"rosenblatt/cmd/internal/daemon"
)

// Settings begin with the defaults; what follows from others is filled in when they are resolved.
func ExampleSettings_Resolve() {
	s := daemon.Defaults()
	s.Brokers = []string{"localhost:9092"}
	s.Input = "payments"
	s.Learner = "perceptron:rate=0.5"
	r, err := s.Resolve()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Settings.Output, r.Settings.DeadLetter, r.Task.ModelConfig.Learner)

	s.Tombstones, s.Bits = "keep", 40
	_, err = s.Resolve()
	fmt.Println(err)
	// Output:
	// payments.predictions payments.dlq perceptron:rate=0.5
	// tombstones: "keep": want reject or skip
	// bits: 40: want 1 to 30
}
