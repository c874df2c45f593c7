package avro

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"
)

// packed returns a container file of n objects.
func packed(t *testing.T, codec ocf.Codec, schema string, n int, object func(i int) any) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := ocf.NewWriter(&b, avro.MustParse(schema), ocf.WithCodec(codec), ocf.WithBlockBytes(100))
	for i := 0; i < n && err == nil; i++ {
		err = w.Encode(object(i))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const pair = `{"type":"record","name":"R","fields":[{"name":"i","type":"int"},{"name":"s","type":"string"}]}`

// objects reads all of a container file.
func objects(file []byte) (all []string, err error) {
	c, err := NewContainer(bufio.NewReader(bytes.NewReader(file)))
	for err == nil {
		var object []byte
		if object, err = c.Next(); err == nil {
			all = append(all, string(object))
		}
	}
	return all, err
}

// TestContainer reads what the library writes with each codec, and what it writes alone.
func TestContainer(t *testing.T) {
	for name, codec := range map[string]ocf.Codec{"deflate": ocf.DeflateCodec(6), "snappy": ocf.SnappyCodec(),
		"zstandard": ocf.MustZstdCodec(nil, nil)} {
		file := packed(t, codec, pair, 300, func(i int) any {
			return map[string]any{"i": i, "s": strings.Repeat("x", i%40)}
		})
		all, err := objects(file)
		if !errors.Is(err, io.EOF) || len(all) != 300 {
			t.Fatalf("%s: %d objects, %v", name, len(all), err)
		}
		for i, object := range all {
			want, err := avro.MustParse(pair).Encode(map[string]any{"i": i, "s": strings.Repeat("x", i%40)})
			if object != string(want) || err != nil {
				t.Fatalf("%s: object %d: %x, want %x", name, i, object, want)
			}
		}
	}
	file := packed(t, ocf.DeflateCodec(1), `{"type":"map","values":"long"}`, 50, func(i int) any {
		return map[string]any{"a": i, "b": 2}
	})
	if all, err := objects(file); len(all) != 50 || !errors.Is(err, io.EOF) {
		t.Errorf("maps: %d, %v", len(all), err)
	}
}

// TestContainerBroken: a file that is cut anywhere but behind a block is an error, and so is one with a byte changed
// in what its blocks are made of.
func TestContainerBroken(t *testing.T) {
	file := packed(t, ocf.SnappyCodec(), pair, 20, func(i int) any { return map[string]any{"i": i, "s": "abc"} })
	whole := 0
	for i := range file {
		all, err := objects(file[:i])
		if errors.Is(err, io.EOF) && !errors.Is(err, ErrContainer) {
			whole++
		} else if !errors.Is(err, ErrContainer) {
			t.Errorf("cut at %d: %d objects, %v", i, len(all), err)
		}
	}
	if whole < 1 || whole > 3 { // behind the header and between two blocks
		t.Errorf("%d cuts are complete files", whole)
	}
	for i := range file {
		broken := bytes.Clone(file)
		broken[i] ^= 1
		if all, err := objects(broken); errors.Is(err, io.EOF) && !errors.Is(err, ErrContainer) && len(all) > 20 {
			t.Errorf("byte %d: %d objects", i, len(all))
		}
	}
	for text, want := range map[string]string{"": "does not begin with Obj", `{"x":1}`: "does not begin with Obj",
		"Obj\x01": "its header", "Obj\x01\x00" + strings.Repeat("s", 16): "its schema"} {
		if _, err := objects([]byte(text)); !errors.Is(err, ErrContainer) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
