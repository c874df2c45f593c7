package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
)

func (g *golden) wantInvalid(t *testing.T, data []byte, what string) *Invalid {
	t.Helper()
	f, err := g.open(t, data)
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
	for _, g := range goldens {
		data := g.bytes(t)
		for n := range data {
			g.wantInvalid(t, data[:n], fmt.Sprintf("%s cut to %d bytes", g.path, n))
		}
		g.wantInvalid(t, append(bytes.Clone(data), 0), "one byte more")
		g.wantInvalid(t, append(bytes.Clone(data), data...), "twice the file")
	}
}

func TestEveryFlippedBit(t *testing.T) {
	for _, g := range goldens {
		data := g.bytes(t)
		for bit := range len(data) * 8 {
			flipped := bytes.Clone(data)
			flipped[bit/8] ^= 1 << (bit % 8)
			g.wantInvalid(t, flipped, fmt.Sprintf("%s: bit %d of byte %d flipped", g.path, bit%8, bit/8))
		}
	}
}

// putSum computes a sum again after an edit, so that the checks behind the sums are reached.
func putSum(data []byte, from, to int) {
	binary.LittleEndian.PutUint32(data[to:], crc32.Checksum(data[from:to], castagnoli))
}

// resum computes all sums of a golden file again.
func (g *golden) resum(data []byte) {
	at := bytes.IndexByte(data, '\n') + 1
	header := at + 8 + len(g.header)
	putSum(data, at, header)
}

func TestInvalidWithValidSums(t *testing.T) {
	for _, c := range []struct {
		file         golden
		what, reason string
		edit         func(start, section int, data []byte)
	}{
		{goldenWhole, "header other than JSON", "not JSON", func(start, _ int, d []byte) { d[start+8] = '[' }},
		{goldenWhole, "count of sections too high", "a section's name takes",
			func(start, _ int, d []byte) { d[start+4] = 5 }},
		{goldenWhole, "count of sections too low", "the trailer says", func(start, _ int, d []byte) { d[start+4] = 2 }},
		{goldenWhole, "a billion sections", "more than 65536", func(start, _ int, d []byte) { d[start+7] = 0x40 }},
		{goldenWhole, "huge length of the header", "the file has", func(start, _ int, d []byte) { d[start+3] = 0xff }},
		{goldenWhole, "section without a name", "name has 0 bytes", func(_, at int, d []byte) { d[at] = 0 }},
		{goldenWhole, "name with a blank", "other than letter", func(_, at int, d []byte) { d[at+1] = ' ' }},
		{goldenWhole, "duplicate name", "duplicate section",
			func(_, _ int, d []byte) { renameSection(d, "names", "empty") }},
		{goldenWhole, "length in the trailer", "the trailer says", func(_, _ int, d []byte) { d[len(d)-12]++ }},
		{goldenWhole, "huge size", "the file has", editSize(0xff, 7)},
		{goldenWhole, "size a byte too large", "bytes 32 to 33 of section weights are in no piece", editSize(33, 0)},
		{goldenWhole, "size too small", "has 32 bytes at 0", editSize(31, 0)},
		{goldenWhole, "no piece", "are in no piece", editSection(8, 0)},
		{goldenWhole, "too many pieces", "has", editSection(8, 9)},
		{goldenWhole, "piece that ends behind the section", "has 32 bytes at 1", editPiece(0, 0, 1)},
		{goldenWhole, "piece beyond the end", "has 32 bytes at 255", editPiece(0, 0, 255)},
		{goldenWhole, "piece at a huge offset", "has 32 bytes at", editPiece(0, 7, 255)},
		{goldenWhole, "piece without bytes", "has 0 bytes at 0", editPiece(0, 8, 0)},
		{goldenWhole, "piece that is too long", "has 65568 bytes at 0", editPiece(0, 10, 1)},
		{goldenChanges, "size too large", "bytes 32 to 34 of section weights are in no piece", editSize(34, 0)},
		{goldenChanges, "pieces that overlap", "begins at 15, the one before ends at 16", editPiece(1, 0, 15)},
		{goldenChanges, "pieces that could be one", "begins at 16, the one before ends at 16", editPiece(1, 0, 16)},
		{goldenChanges, "pieces in the wrong order", "begins at 0, the one before ends at 16", editPiece(1, 0, 0)},
	} {
		data := c.file.bytes(t)
		start := bytes.IndexByte(data, '\n') + 1
		c.edit(start, start+8+len(c.file.header)+4, data)
		c.file.resum(data)
		if got := c.file.wantInvalid(t, data, c.what); !strings.Contains(got.Reason, c.reason) {
			t.Errorf("%s: %v, want %q", c.what, got, c.reason)
		}
	}
}

const startOfWeights = 1 + len("weights")

// editSize sets a byte of the size of the first section.
func editSize(value byte, at int) func(start, section int, d []byte) { return editSection(at, value) }

// editSection sets a byte behind the name of the first section.
func editSection[V int | byte](at int, value V) func(start, section int, d []byte) {
	return func(_, section int, d []byte) {
		d[section+startOfWeights+at] = byte(value)
		putSum(d, section, section+startOfWeights+8+4)
	}
}

// editPiece sets a byte of the n-th piece of the first section.
func editPiece(n, at int, value byte) func(start, section int, d []byte) {
	return func(_, section int, d []byte) {
		piece := section + startOfWeights + 8 + 4 + 4
		for range n {
			piece += 8 + 4 + int(binary.LittleEndian.Uint32(d[piece+8:])) + 4
		}
		length := int(binary.LittleEndian.Uint32(d[piece+8:]))
		d[piece+at] = value
		putSum(d, piece, piece+8+4+length)
	}
}

// putLastSum computes the last sum of a golden file again.
func (g *golden) putLastSum(data []byte) {
	at := bytes.IndexByte(data, '\n') + 1
	sum := crc32.Checksum(data[:at], castagnoli)
	part := func(n int) {
		sum = crc32.Update(sum, castagnoli, data[at:at+n])
		at += n + 4
	}
	for part(8 + len(g.header)); at < len(data)-12; {
		head := 1 + int(data[at]) + 8 + 4
		pieces := binary.LittleEndian.Uint32(data[at+head-4:])
		part(head)
		for range pieces {
			part(8 + 4 + int(binary.LittleEndian.Uint32(data[at+8:])))
		}
	}
	sum = crc32.Update(sum, castagnoli, data[at:at+8])
	binary.LittleEndian.PutUint32(data[at+8:], sum)
}

// A trailer that counts the bytes after it.
func TestNothingFollowsTheTrailer(t *testing.T) {
	for _, g := range goldens {
		data := g.bytes(t)
		sum := len(data) - 4
		binary.LittleEndian.PutUint64(data[sum-8:], uint64(len(data)+5))
		g.putLastSum(data)
		got := g.wantInvalid(t, append(data, "again"...), "a trailer in the middle")
		if !strings.Contains(got.Reason, "after the trailer") {
			t.Error(got)
		}
	}
}

// renameSection renames a section of a golden file to a name of the same length and computes its sum
// again.
func renameSection(data []byte, from, to string) {
	at := bytes.Index(data, append([]byte{byte(len(from))}, from...))
	copy(data[at+1:], to)
	putSum(data, at, at+1+len(to)+8+4)
}

// lineOf makes a first line with a sum that fits.
func lineOf(text string) string {
	return fmt.Sprintf("%s %08x\n", text, crc32.Checksum([]byte(text), castagnoli))
}

func TestOtherVersionIsAStop(t *testing.T) {
	for version, line := range map[int]string{11: lineOf(magic + "11"), 12: lineOf(magic + "12 zstd of 7 pieces"),
		1: lineOf(magic + "1"), 3: lineOf(magic + "3 since 41 01234567")} {
		_, err := goldenWhole.open(t, []byte(line+"whatever follows"))
		wantOther(t, err, version, testDir+"/checkpoint-42")
	}
	for _, path := range []string{"testdata/format-2/checkpoint-42", "testdata/format-2/checkpoint-43"} {
		_, err := Open(nil, path)
		wantOther(t, err, 2, path)
	}
}

func wantOther(t *testing.T, err error, version int, path string) {
	t.Helper()
	var other *OtherVersion
	if !errors.As(err, &other) || other.Version != version || other.Path != path ||
		other.Older() != (version < Version) || !strings.Contains(err.Error(), "use the program that wrote it") {
		t.Errorf("version %d: %v", version, err)
	}
}

func TestUnsoundFirstLines(t *testing.T) {
	first := firstLine(nil)
	rest := string(goldenWhole.bytes(t)[len(first):])
	upper := strings.ToUpper(strings.TrimPrefix(first, magic))
	for _, line := range []string{
		"", "\n", magic, magic + "\n", magic + "10\n", magic + upper,
		strings.TrimSuffix(firstLine(nil), "\n") + " \n",
		lineOf(magic + "0"), lineOf(magic + "-2"), lineOf(magic + "02"), lineOf(magic + "+2"), lineOf(magic + "two"),
		lineOf(magic + "10 and more"), lineOf(magic + "99999999999999999999"), lineOf("rosenblatt checkpoint"),
		lineOf(magic + "10 " + strings.Repeat("x", maxLine)), lineOf("Rosenblatt checkpoint 2"),
		magic + strings.ToUpper(strings.TrimPrefix(firstLine(nil), magic)),
		lineOf(magic + "10 since 41 01234567 01234567"), lineOf(magic + "10 since 41"),
		lineOf(magic + "10 since 041 01234567"),
		lineOf(magic + "10 since 41 0123456A"), lineOf(magic + "10 since 41 1234567"),
		lineOf(magic + "10 upon 41 01234567"),
		lineOf(magic + "10 since -1 01234567"), lineOf(magic + "10 since 41 01234567 "),
	} {
		goldenWhole.wantInvalid(t, []byte(line+rest), fmt.Sprintf("first line %q", line))
	}
}
