package source_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"rosenblatt/cmd/internal/source"
)

// The header row of a csv file has the columns. Each further row is a value.
func ExampleFrom() {
	file, err := source.From(strings.NewReader("price,note,class\n0.5,\"two\nlines\",UP\n\n0.7,,DOWN\n"), "prices.csv",
		source.Options{Format: "csv"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(file.Table().Columns)
	for {
		value, err := file.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("line %d: %q\n", file.Line(), value)
	}
	// Output:
	// [price note class]
	// line 2: "0.5,\"two\nlines\",UP"
	// line 5: "0.7,,DOWN"
}

// A file with an unknown ending needs a format.
func ExampleOpen() {
	_, err := source.Open("news.dat", source.Options{}, nil)
	fmt.Println(errors.Is(err, source.ErrFormat))
	// Output:
	// true
}
