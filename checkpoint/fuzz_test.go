package checkpoint

import (
	"bytes"
	"errors"
	"testing"
)

// Open does not panic, whatever the bytes are, and accepts exactly what Save would write for the same header and
// sections.
func FuzzOpen(f *testing.F) {
	data := golden(f)
	f.Add(data)
	f.Add([]byte{})
	f.Add([]byte(firstLine(1)))
	f.Add([]byte(firstLine(2)))
	for _, at := range []int{5, 22, 30, 33, 37, 60, 70, 75, 100, 150, 180, 189} {
		mutated := bytes.Clone(data)
		mutated[at] ^= 0x80
		f.Add(mutated)
		f.Add(data[:at])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := openBytes(t, data)
		var invalid *Invalid
		var newer *NewerVersion
		if err != nil {
			if !errors.As(err, &invalid) && !errors.As(err, &newer) {
				t.Fatalf("an error of the file system: %v", err)
			}
			return
		}
		var sections []Section
		held := len(file.Header)
		for _, s := range file.Sections {
			sections = append(sections, raw(s.Name, s.Data))
			held += cap(s.Data)
		}
		if held > len(data) {
			t.Fatalf("%d bytes held for a file of %d", held, len(data))
		}
		var again bytes.Buffer
		if _, err := encode(&again, file.Header, sections); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again.Bytes(), data) {
			t.Fatal("accepted a file that Save would not write")
		}
	})
}
