package checkpoint

import (
	"bytes"
	"errors"
	"testing"
)

// Open does not panic, whatever the bytes are, and accepts exactly what Save would write for the same header and
// sections: of a file that builds on none, and of one that builds on goldenWhole.
func FuzzOpen(f *testing.F) {
	f.Add([]byte{}, false)
	f.Add([]byte(firstLine(nil)), true)
	f.Add([]byte(firstLine(nil)), false)
	for _, g := range goldens {
		data := g.bytes(f)
		f.Add(data, g.base != "")
		for at := 5; at < len(data); at += 7 {
			mutated := bytes.Clone(data)
			mutated[at] ^= 0x80
			f.Add(mutated, g.base != "")
			f.Add(data[:at], g.base != "")
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, builds bool) {
		g, limit := goldenWhole, len(data)
		if builds {
			g, limit = goldenChanges, limit+len(goldenWhole.bytes(t))
		}
		file, err := g.open(t, data)
		var invalid *Invalid
		var other *OtherVersion
		if err != nil {
			if !errors.As(err, &invalid) && !errors.As(err, &other) {
				t.Fatalf("an error of the file system: %v", err)
			}
			return
		}
		held := len(file.Header)
		for _, s := range file.Sections {
			held += cap(s.Data)
		}
		if held > 2*limit {
			t.Fatalf("%d bytes held for files of %d", held, limit)
		}
		if len(file.Sections) > 0 && !bytes.Equal(again(t, file), data) {
			t.Fatal("accepted a file that Save would not write")
		}
	})
}

// again encodes a file anew.
func again(t *testing.T, f *File) []byte {
	var sections []Section
	for _, s := range f.Sections {
		section := Bytes(s.Name, s.Data)
		section.Changed = func(yield func(from, to int64) bool) {
			for _, r := range s.Changed {
				if !yield(r[0], r[1]) {
					return
				}
			}
		}
		if f.BuildsOn == nil {
			section = section.whole()
		}
		sections = append(sections, section)
	}
	var on *reference
	if f.BuildsOn != nil {
		on = &f.Base.reference
	}
	var out bytes.Buffer
	if _, _, err := encode(&out, f.Header, sections, on); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
