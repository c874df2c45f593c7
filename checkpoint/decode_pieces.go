package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// openBase opens the file that this one builds on.
func (d *decoder) openBase(on *reference) (*File, error) {
	name := fileName(on.seq)
	// The numbers fall from file to file, so there is an end.
	if seq, ok := parseName(filepath.Base(d.path)); ok && seq <= on.seq {
		return nil, d.invalidBase("", "it builds on %s, which is not older", name)
	}
	path := filepath.Join(filepath.Dir(d.path), name)
	base, err := open(d.fs, path)
	var invalid *Invalid
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, d.invalidBase(path, "it builds on %s, which is not in its folder", name)
	case errors.As(err, &invalid):
		return nil, d.invalidBase(invalid.Missing, "it builds on %s, which is invalid: %s", name, invalid.fault())
	case err != nil:
		return nil, err
	//mutation:base-sum
	case base.sum != on.sum:
		return nil, d.invalidBase("", "it builds on a %s that ends with %08x, the file ends with %08x", name, on.sum,
			base.sum)
	}
	return base, nil
}

func (d *decoder) invalidBase(missing, format string, args ...any) error {
	return &Invalid{Path: d.path, Reason: fmt.Sprintf(format, args...), Missing: missing, base: true}
}

// section reads a section and its pieces, in the memory of the base's section where that is long enough.
func (d *decoder) section() (s Content, err error) {
	name, size, err := d.sectionName()
	if err != nil {
		return s, err
	}
	what := "section " + name
	if err := d.fill(d.word[:4], "the pieces of "+what); err != nil {
		return s, err
	}
	count, at := binary.LittleEndian.Uint32(d.word[:]), d.off
	if err := d.sum("the start of " + what); err != nil {
		return s, err
	}
	var old []byte
	if d.base != nil {
		old, _ = d.base.Section(name)
	}
	if size > uint64(len(old)) {
		if err := d.holds(size-uint64(len(old)), what); err != nil {
			return s, err
		}
	}
	if err := d.fits(size, what); err != nil {
		return s, err
	}
	p := pieceReader{decoder: d, what: "a piece of " + what, held: min(int64(len(old)), int64(size))}
	if p.data = old[:p.held]; int64(size) > p.held {
		p.data = append(p.data, make([]byte, int64(size)-p.held)...)
	}
	for range count {
		if err := p.next(); err != nil {
			return s, err
		}
	}
	//mutation:piece-missing
	if end := max(p.end, p.held); end < int64(size) {
		return s, d.invalid(at, "bytes %d to %d of %s are in no piece", end, size, what)
	}
	return Content{Name: name, Data: p.data, Changed: p.changed}, nil
}

// pieceReader reads the pieces of one section.
type pieceReader struct {
	*decoder
	what    string // the piece
	data    []byte // of the section
	held    int64  // so many of these bytes are the base's
	end     int64  // of the piece before
	full    bool   // that had the maximal length
	changed [][2]int64
}

func (p *pieceReader) next() error {
	p.part = 0
	at := p.off
	if err := p.fill(p.word[:pieceHead], "the start of "+p.what); err != nil {
		return err
	}
	offset, n := binary.LittleEndian.Uint64(p.word[:]), int64(binary.LittleEndian.Uint32(p.word[8:]))
	size := int64(len(p.data))
	if n < 1 || n > maxPiece || offset > uint64(size) || n > size-int64(offset) {
		return p.invalid(at, "%s of %d bytes has %d bytes at %d", p.what, size, n, offset)
	}
	from := int64(offset)
	joins := from == p.end && p.end > 0
	switch {
	case from < p.end, joins && !p.full:
		return p.invalid(at, "%s begins at %d, the one before ends at %d", p.what, from, p.end)
	case from > max(p.end, p.held):
		return p.invalid(at, "%s begins at %d, no piece has the bytes from %d on", p.what, from, max(p.end, p.held))
	}
	if err := p.fill(p.data[from:from+n], p.what); err != nil {
		return err
	}
	p.end, p.full = from+n, n == maxPiece
	if last := len(p.changed) - 1; joins {
		p.changed[last][1] = p.end
	} else {
		p.changed = append(p.changed, [2]int64{from, p.end})
	}
	return p.sum(p.what)
}
