package generate_test

import (
	"fmt"

	"rosenblatt/cmd/internal/generate"
)

// A small stream, and another one that continues it.
func ExampleHyperplane() {
	stream := generate.Hyperplane{Features: 3, Noise: 0.05, Drift: 0.001, Seed: 1}
	for range 2 {
		fmt.Printf("%s\n", stream.AppendJSON(nil))
	}
	again := generate.Hyperplane{Features: 3, Noise: 0.05, Drift: 0.001, Seed: 1}
	again.SkipTo(stream.Position())
	fmt.Printf("%s\n", again.AppendJSON(nil))
	// Output:
	// {"id":"e0","label":-1,"features":{"f0":-0.8368,"f1":-0.5663,"f2":-0.7895}}
	// {"id":"e1","label":1,"features":{"f0":0.3939,"f1":0.3248,"f2":0.8899}}
	// {"id":"e2","label":-1,"features":{"f0":0.8208,"f1":0.7018,"f2":-0.2903}}
}
