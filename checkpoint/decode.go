package checkpoint

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"path/filepath"
	"slices"
)

// File is a valid checkpoint. The caller owns it.
type File struct {
	Path     string
	Version  int       // of the format
	Seq      uint64    // from the name; 0 if the name is not checkpoint-<seq>
	Header   []byte    // JSON
	Sections []Content // in the order of the file
	Bytes    int64     // size of the file
	BuildsOn []string  // paths of the files that hold the rest, the newest first
	Base     Base      // what the next Save may build on: this file, or the one that Content.Changed refers to

	sum uint32 // its last 4 bytes
}

// Content is a section as a whole.
type Content struct {
	Name    string
	Data    []byte
	Changed [][2]int64 // ranges from..to outside of which it is as in File.Base
}

// Section returns the data of a section.
func (f *File) Section(name string) (data []byte, ok bool) {
	i := slices.IndexFunc(f.Sections, func(s Content) bool { return s.Name == name })
	if i < 0 {
		return nil, false
	}
	return f.Sections[i].Data, true
}

// Open reads a file, and those that it builds on, from the same folder. The error is an *Invalid if it is not a
// checkpoint or lacks one that it builds on, an *OtherVersion if one is of another format, and another one if one could
// not be read. A nil fsys means OS.
func Open(fsys FS, path string) (*File, error) {
	return open(cmp.Or[FS](fsys, OS{}), path)
}

func open(fsys FS, path string) (*File, error) {
	h, err := fsys.Open(path)
	if err != nil {
		return nil, explain("opening a checkpoint", filepath.Dir(path), err)
	}
	defer func() { _ = h.Close() }() // it was only read
	info, err := h.Stat()
	if err != nil {
		return nil, fmt.Errorf("size of a checkpoint: %w", err)
	}
	d := &decoder{fs: fsys, path: path, r: bufio.NewReaderSize(h, 1<<16), left: info.Size()}
	f, err := d.file()
	if err != nil {
		return nil, err
	}
	f.Path, f.Bytes, f.sum = path, info.Size(), d.total
	f.Seq, _ = parseName(filepath.Base(path))
	f.setBase(d.base)
	return f, nil
}

// decoder reads a file sequentially. It checks each length before it allocates memory.
type decoder struct {
	fs    FS
	path  string
	base  *File // that this one builds on, or nil
	r     *bufio.Reader
	off   int64  // of the next byte
	left  int64  // bytes from off to the end
	total uint32 // CRC32C of the bytes up to off, without the parts' sums
	part  uint32 // CRC32C of the current part up to off
	word  [pieceHead]byte
}

func (d *decoder) file() (*File, error) {
	version, on, err := d.line()
	if err != nil {
		return nil, err
	}
	f := &File{Version: version}
	if on != nil {
		if d.base, err = d.openBase(on); err != nil {
			return nil, err
		}
	}
	count, err := d.header(f)
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for range count {
		at := d.off
		s, err := d.section()
		if err != nil {
			return nil, err
		}
		if seen[s.Name] {
			return nil, d.invalid(at, "duplicate section %s", s.Name)
		}
		seen[s.Name] = true
		f.Sections = append(f.Sections, s)
	}
	return f, d.trailer()
}

func (d *decoder) invalid(at int64, format string, args ...any) error {
	return &Invalid{Path: d.path, Offset: at, Reason: fmt.Sprintf(format, args...)}
}

// take reads the next n bytes; what names them in errors.
func (d *decoder) take(n uint64, what string) ([]byte, error) {
	if err := d.holds(n, what); err != nil {
		return nil, err
	}
	p := make([]byte, n)
	return p, d.fill(p, what)
}

// holds refuses more bytes than are left.
func (d *decoder) holds(n uint64, what string) error {
	if n > uint64(d.left) {
		return d.invalid(d.off, "%s takes %d bytes, the file has %d more", what, n, d.left)
	}
	return d.fits(n, what)
}

func (d *decoder) fits(n uint64, what string) error {
	if n > math.MaxInt {
		return fmt.Errorf("reading %s: %s of %d bytes is too large for this machine", d.path, what, n)
	}
	return nil
}

// fill reads as many bytes as p has. The file holds them.
func (d *decoder) fill(p []byte, what string) error {
	if err := d.holds(uint64(len(p)), what); err != nil {
		return err
	}
	if _, err := io.ReadFull(d.r, p); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF // the file was truncated after Stat: not proof of an invalid file
		}
		return fmt.Errorf("reading %s at byte %d: %w", d.path, d.off, err)
	}
	d.off += int64(len(p))
	d.left -= int64(len(p))
	d.total = crc32.Update(d.total, castagnoli, p)
	d.part = crc32.Update(d.part, castagnoli, p)
	return nil
}

func (d *decoder) line() (version int, on *reference, err error) {
	n := min(d.left, maxLine)
	head, err := d.r.Peek(int(n))
	if err != nil {
		return 0, nil, fmt.Errorf("reading %s: %w", d.path, err)
	}
	end := bytes.IndexByte(head, '\n')
	if end < 0 && bytes.HasPrefix(head, []byte("{")) { // json in one line
		end = len(head)
	}
	if end < 0 {
		return 0, nil, d.invalid(0, "no end of line in the first %d bytes", n)
	}
	version, on, wrong := parseLine(string(head[:end]))
	if wrong != "" {
		return 0, nil, d.invalid(0, "%s", wrong)
	}
	//mutation:other-format
	if version != Version {
		return 0, nil, &OtherVersion{Path: d.path, Version: version}
	}
	_, err = d.take(uint64(end+1), "the first line")
	return version, on, err
}

// header returns the number of sections.
func (d *decoder) header(f *File) (sections uint32, err error) {
	d.part = 0
	lengths, err := d.take(8, "the start of the header")
	if err != nil {
		return 0, err
	}
	at := d.off
	if f.Header, err = d.take(uint64(binary.LittleEndian.Uint32(lengths)), "the header"); err != nil {
		return 0, err
	}
	if err := d.sum("the header"); err != nil {
		return 0, err
	}
	if !json.Valid(f.Header) {
		return 0, d.invalid(at, "the header is not JSON")
	}
	sections = binary.LittleEndian.Uint32(lengths[4:])
	if sections > maxSections {
		return 0, d.invalid(at-4, "%d sections, more than %d", sections, maxSections)
	}
	return sections, nil
}

// sectionName reads the start of a section.
func (d *decoder) sectionName() (name string, size uint64, err error) {
	d.part = 0
	at := d.off
	length, err := d.take(1, "the start of a section")
	if err != nil {
		return "", 0, err
	}
	text, err := d.take(uint64(length[0]), "a section's name")
	if err != nil {
		return "", 0, err
	}
	name = string(text)
	if wrong := checkName(name); wrong != "" {
		return "", 0, d.invalid(at, "%s", wrong)
	}
	s, err := d.take(8, "the size of section "+name)
	if err != nil {
		return "", 0, err
	}
	return name, binary.LittleEndian.Uint64(s), nil
}

// sum reads and verifies the CRC32C at the end of a part.
func (d *decoder) sum(what string) error {
	found, at, total := d.part, d.off, d.total
	if err := d.fill(d.word[:sumSize], "a CRC32C"); err != nil {
		return err
	}
	d.total = total
	//mutation:checkpoint-crc
	if said := binary.LittleEndian.Uint32(d.word[:]); said != found {
		return d.invalid(at, "the CRC32C of %s is %08x, the file says %08x", what, found, said)
	}
	return nil
}

func (d *decoder) trailer() error {
	size, at := d.off+d.left, d.off
	p, err := d.take(8, "the trailer")
	if err != nil {
		return err
	}
	if said := binary.LittleEndian.Uint64(p); said != uint64(size) {
		return d.invalid(at, "the trailer says %d bytes, the file has %d", said, size)
	}
	d.part = d.total
	if err := d.sum("the file"); err != nil {
		return err
	}
	if d.left != 0 {
		return d.invalid(d.off, "%d bytes after the trailer", d.left)
	}
	return nil
}
