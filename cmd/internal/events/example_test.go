package events_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"rosenblatt/cmd/internal/events"
)

// Reading a csv file: the header row apart, then a value for each row.
func ExampleFrom() {
	source, err := events.From(strings.NewReader("price,note,class\n0.5,\"two\nlines\",UP\n\n0.7,,DOWN\n"), "prices.csv", "csv")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(source.Columns())
	for {
		value, err := source.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("line %d: %q\n", source.Line(), value)
	}
	// Output:
	// [price note class]
	// line 2: "0.5,\"two\nlines\",UP"
	// line 5: "0.7,,DOWN"
}

// A file whose ending says nothing needs a word from the user.
func ExampleOpen() {
	_, err := events.Open("news.dat", "")
	fmt.Println(errors.Is(err, events.ErrFormat))
	// Output:
	// true
}
