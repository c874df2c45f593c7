package stops_test

import (
	"fmt"
	"strings"

	"rosenblatt/stream/stops"
)

// An error says what was found, what is safe and what to do.
func ExampleInputGoneAt() {
	text := stops.InputGoneAt("events", 3, 100, 250).Error()
	fmt.Println(strings.NewReplacer(": ", ":\n", "; ", ";\n", ". ", ".\n").Replace(text))
	// Output:
	// error=input-gone:
	// topic events partition 3 begins at offset 250, the model's position is 100:
	// 150 records are gone that were not read yet or have to be learned again.
	// Safe:
	// all that was predicted and learned before.
	// To do:
	// restore the records;
	// or go on at the log's start without them with --accept input-gone;
	// and raise the topic's retention
}
