package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"strings"
	"testing"
)

// goldenParts returns the content of testdata/format-1.checkpoint, which a program independent of this package wrote
// after the layout in format.go. The file never changes: later versions must read it.
func goldenParts() (header []byte, sections []Section) {
	var weights []byte
	for _, w := range []float64{1.5, -0.25, 0, 1e-300} {
		weights = binary.LittleEndian.AppendUint64(weights, math.Float64bits(w))
	}
	return []byte(`{"seq":42,"model":"fraud@3"}`),
		[]Section{raw("weights", weights), raw("names", []byte("price\nmarket=vic\n")), raw("empty", nil)}
}

func golden(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/format-1.checkpoint")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestGoldenFileIsWhatSaveWrites(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	header, sections := goldenParts()
	n, err := s.Save(42, header, sections)
	if err != nil {
		t.Fatal(err)
	}
	want := golden(t)
	if got := get(t, s.FS, testDir+"/checkpoint-42"); !bytes.Equal(got, want) || n != int64(len(want)) {
		t.Errorf("Save wrote %d bytes\n%q\nwant\n%q", n, got, want)
	}
}

func TestGoldenFileIsRead(t *testing.T) {
	f, err := Open(nil, "testdata/format-1.checkpoint")
	if err != nil {
		t.Fatal(err)
	}
	header, sections := goldenParts()
	if !bytes.Equal(f.Header, header) || f.Version != 1 || f.Seq != 0 || f.Bytes != 190 ||
		len(f.Sections) != len(sections) {
		t.Errorf("read %+v", f)
	}
	for _, s := range sections {
		var want bytes.Buffer
		if err := s.Write(&want); err != nil {
			t.Fatal(err)
		}
		if got, ok := f.Section(s.Name); !ok || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("section %s: %q, %v", s.Name, got, ok)
		}
	}
	if _, ok := f.Section("absent"); ok {
		t.Error("found a section that does not exist")
	}
}

// openBytes opens bytes as a file.
func openBytes(t testing.TB, data []byte) (*File, error) {
	t.Helper()
	fsys := newMem()
	put(t, fsys, testDir+"/checkpoint-42", data)
	return Open(fsys, testDir+"/checkpoint-42")
}

func wantInvalid(t *testing.T, data []byte, what string) *Invalid {
	t.Helper()
	f, err := openBytes(t, data)
	var invalid *Invalid
	if !errors.As(err, &invalid) || f != nil {
		t.Fatalf("%s: %v, %v", what, f, err)
	}
	if invalid.Offset < 0 || invalid.Offset > int64(len(data)) || invalid.Reason == "" {
		t.Fatalf("%s: an offset outside of the file or no reason: %v", what, invalid)
	}
	return invalid
}

func TestCutAtEveryByte(t *testing.T) {
	data := golden(t)
	for n := range data {
		wantInvalid(t, data[:n], fmt.Sprintf("cut to %d bytes", n))
	}
	wantInvalid(t, append(bytes.Clone(data), 0), "one byte more")
	wantInvalid(t, append(bytes.Clone(data), data...), "twice the file")
}

func TestEveryFlippedBit(t *testing.T) {
	data := golden(t)
	for bit := range len(data) * 8 {
		flipped := bytes.Clone(data)
		flipped[bit/8] ^= 1 << (bit % 8)
		wantInvalid(t, flipped, fmt.Sprintf("bit %d of byte %d flipped", bit%8, bit/8))
	}
}

// resum computes all sums again after an edit of the golden file, so that the checks behind the sums are reached.
func resum(data []byte, header int) {
	sum := func(from, to int) {
		binary.LittleEndian.PutUint32(data[to:], crc32.Checksum(data[from:to], castagnoli))
	}
	start := len(firstLine(Version))
	sum(start, start+8+header)
	sum(0, len(data)-4)
}

func TestInvalidWithValidSums(t *testing.T) {
	start := len(firstLine(Version))
	header, _ := goldenParts()
	section := start + 8 + len(header) + 4
	for _, c := range []struct {
		what, reason string
		edit         func(data []byte)
	}{
		{"header other than JSON", "not JSON", func(d []byte) { d[start+8] = '[' }},
		{"count of sections too high", "a section's name takes 190 bytes", func(d []byte) { d[start+4] = 4 }},
		{"count of sections too low", "the trailer says", func(d []byte) { d[start+4] = 2 }},
		{"a billion sections", "more than 65536", func(d []byte) { d[start+7] = 0x40 }},
		{"huge length of the header", "the file has", func(d []byte) { d[start+3] = 0xff }},
		{"huge length of a section", "the file has", func(d []byte) { d[section+1+7+7] = 0xff }},
		{"section without a name", "name has 0 bytes", func(d []byte) { d[section] = 0 }},
		{"name with a blank", "other than letter", func(d []byte) { d[section+1] = ' ' }},
		{"duplicate name", "duplicate section", func(d []byte) { renameSection(d, "names", "empty") }},
		{"length in the trailer", "the trailer says", func(d []byte) { d[len(d)-12]++ }},
	} {
		data := golden(t)
		c.edit(data)
		resum(data, len(header))
		if got := wantInvalid(t, data, c.what); !strings.Contains(got.Reason, c.reason) {
			t.Errorf("%s: %v, want %q", c.what, got, c.reason)
		}
	}
}

// A trailer that counts the bytes after it.
func TestNothingFollowsTheTrailer(t *testing.T) {
	data := golden(t)
	sum := len(data) - 4
	binary.LittleEndian.PutUint64(data[sum-8:], uint64(len(data)+5))
	binary.LittleEndian.PutUint32(data[sum:], crc32.Checksum(data[:sum], castagnoli))
	wantInvalid(t, append(data, "again"...), "a trailer in the middle")
}

// renameSection renames a section of the golden file to a name of the same length and computes its sum again.
func renameSection(data []byte, from, to string) {
	at := bytes.Index(data, append([]byte{byte(len(from))}, from...))
	copy(data[at+1:], to)
	size := int(binary.LittleEndian.Uint64(data[at+1+len(to):]))
	end := at + 1 + len(to) + 8 + size
	binary.LittleEndian.PutUint32(data[end:], crc32.Checksum(data[at:end], castagnoli))
}

// lineOf makes a first line with a sum that fits.
func lineOf(text string) string {
	return fmt.Sprintf("%s %08x\n", text, crc32.Checksum([]byte(text), castagnoli))
}

func TestNewerVersionIsAStop(t *testing.T) {
	for _, line := range []string{firstLine(2), lineOf("rosenblatt checkpoint 12 zstd of 7 pieces")} {
		_, err := openBytes(t, []byte(line+"whatever follows"))
		var newer *NewerVersion
		if !errors.As(err, &newer) || newer.Version < 2 || newer.Path != testDir+"/checkpoint-42" {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestUnsoundFirstLines(t *testing.T) {
	rest := string(golden(t)[len(firstLine(1)):])
	upper := strings.ToUpper(strings.TrimPrefix(firstLine(1), magic))
	for _, line := range []string{
		"", "\n", magic, magic + "\n", magic + "2\n", magic + upper, strings.TrimSuffix(firstLine(2), "\n") + " \n",
		lineOf(magic + "0"), lineOf(magic + "-2"), lineOf(magic + "02"), lineOf(magic + "+2"), lineOf(magic + "two"),
		lineOf(magic + "1 and more"), lineOf(magic + "99999999999999999999"), lineOf("rosenblatt checkpoint"),
		lineOf(magic + "2 " + strings.Repeat("x", maxLine)), lineOf("Rosenblatt checkpoint 2"),
		magic + strings.ToUpper(strings.TrimPrefix(firstLine(2), magic)),
	} {
		wantInvalid(t, []byte(line+rest), fmt.Sprintf("first line %q", line))
	}
}

func TestSaveRefusesWhatItCannotWrite(t *testing.T) {
	fsys := newMem()
	put(t, fsys, testDir+"/other", nil)
	s := &Store{FS: fsys, Dir: testDir}
	header := []byte(`{}`)
	write := func(size int64, pieces ...string) []Section {
		return []Section{{Name: "a", Size: size, Write: func(w io.Writer) error {
			for _, p := range pieces {
				_, _ = io.WriteString(w, p) // a writer that does not look is found out as well
			}
			return nil
		}}}
	}
	failing := []Section{{Name: "a", Size: 1, Write: func(io.Writer) error { return errors.New("no weights") }}}
	for what, c := range map[string]struct {
		header   []byte
		sections []Section
	}{
		"no header": {nil, nil}, "header": {[]byte("{"), nil}, "name": {header, []Section{raw("a b", nil)}},
		"no name":   {header, []Section{raw("", nil)}},
		"long name": {header, []Section{raw(strings.Repeat("a", 65), nil)}},
		"twice":     {header, []Section{raw("a", nil), raw("a", nil)}},
		"size":      {header, []Section{{Name: "a", Size: -1}}},
		"short":     {header, write(3, "ab")}, "long": {header, write(3, "abcd")},
		"long by a second write": {header, write(3, "abc", "d")},
		"short after a long":     {header, write(3, "ab", "cd", "e")}, "failing": {header, failing},
		"count": {header, make([]Section, maxSections+1)},
	} {
		if n, err := s.Save(1, c.header, c.sections); err == nil || n != 0 {
			t.Errorf("%s: %d bytes, no error", what, n)
		}
	}
	wantNames(t, s, "other")
}

func TestRoundTripAcrossTheBuffer(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	for seq, size := range []int{0, 1, bufferSize - 100, bufferSize - 1, bufferSize, bufferSize + 1, 3*bufferSize + 7} {
		want := bytes.Repeat([]byte("0123456"), size/7+1)[:size]
		small := Section{Name: "small", Size: int64(size), Write: func(w io.Writer) error {
			for p := want; len(p) > 0; p = p[min(5, len(p)):] {
				if _, err := w.Write(p[:min(5, len(p))]); err != nil {
					return err
				}
			}
			return nil
		}}
		n, err := s.Save(uint64(seq), []byte(`{}`), []Section{small, raw("large", want)})
		if err != nil {
			t.Fatal(err)
		}
		f, aside, err := s.Newest()
		if err != nil || len(aside) > 0 || f.Seq != uint64(seq) || f.Bytes != n {
			t.Fatalf("size %d: %+v, %v, %v", size, f, aside, err)
		}
		for _, got := range f.Sections {
			if !bytes.Equal(got.Data, want) {
				t.Errorf("size %d: section %s differs", size, got.Name)
			}
		}
	}
}
