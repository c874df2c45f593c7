package daemon

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rosenblatt/stream/avro"
	"rosenblatt/stream/event"
	"rosenblatt/stream/protobuf"
)

// SchemaOf returns the schema of a format in a file, in the one form that schemas of the same values have, and of
// protobuf the full name of a message. Where the format is not known, the ending of the file tells it. An empty path
// and the name of a subject have no schema.
func SchemaOf(format, path, message string) (text, name string, err error) {
	ending := strings.ToLower(filepath.Ext(path))
	byEnding := format == "" && slices.Contains([]string{".proto", ".desc", ".binpb"}, ending)
	switch {
	case path == "" || subjectOf(path) != "":
		return "", message, nil
	case format == event.Protobuf || byEnding:
		return protobuf.Bundle(path, message)
	}
	text, err = avroSchema(path)
	return text, message, err
}

// subjectOf returns the subject of a registry that the setting of a schema names, as SUBJECT or SUBJECT:VERSION; empty
// where it names a file, which has an ending of schemas, or is there.
func subjectOf(setting string) string {
	switch strings.ToLower(filepath.Ext(setting)) {
	case ".avsc", ".avro", ".proto", ".desc", ".binpb":
		return ""
	}
	if _, err := os.Stat(setting); err == nil || strings.ContainsAny(setting, `/\`) {
		return ""
	}
	return setting
}

// avroSchema returns the schema in a file. A container file has one in its header.
func avroSchema(path string) (string, error) {
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
