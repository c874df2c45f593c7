package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// WriteFile writes a result to a file, or to standard output for "-"; an empty path means none.
func (p *Program) WriteFile(path string, write func(io.Writer) error) error {
	switch path {
	case "":
		return nil
	case "-":
		return write(p.Stdout)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		_ = f.Close() // the first error is reported
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}

// WriteJSON writes a value as indented JSON.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
