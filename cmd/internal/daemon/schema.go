package daemon

import (
	"bufio"
	"bytes"
	"os"

	"rosenblatt/stream/avro"
)

// SchemaText returns the schema in a file, in the one form that schemas of the same values have. A container file has
// one in its header. An empty path has none.
func SchemaText(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if bytes.HasPrefix(text, []byte("Obj\x01")) {
		c, err := avro.NewContainer(bufio.NewReader(bytes.NewReader(text)))
		if err != nil {
			return "", err
		}
		return c.Schema(), nil
	}
	return avro.Normalize(string(text))
}
