package event

import (
	"bytes"
	"strings"

	"rosenblatt/stream/internal/number"
)

// headerRow finds rows that are the names of the columns again, as in files that were put together and in topics to
// which whole files are sent.
type headerRow struct {
	names  [][]byte
	firsts [256]bool // bytes that such a row may begin with

	// Of names in another order or case, where all are words.
	places map[string]int // of the names in lower case; nil: a name may be a value
	begins [256]bool      // bytes that such a row may begin with
	seen   []uint64       // by place, the row in which it was last
	row    uint64
	low    []byte // scratch
}

func newHeaderRow(columns []string, c *cellReader) *headerRow {
	if len(columns) < 2 {
		return nil
	}
	h := &headerRow{}
	for _, name := range columns {
		h.names = append(h.names, []byte(name))
	}
	for _, b := range []int{int(columns[0][0]), c.quote, ' ', '\t', '#'} {
		if b != none {
			h.firsts[b] = true
		}
	}
	if columns[0][0] == 'c' { // the name may be one by its place, and the header have none there
		h.firsts[c.delimiter], h.firsts[columns[1][0]] = true, true
	}
	h.fold(columns)
	return h
}

// fold prepares finding the names in another order or case. A name that is a number may be a value.
func (h *headerRow) fold(columns []string) {
	places := map[string]int{}
	for i, name := range columns {
		if _, kind := number.Text([]byte(name)); kind == number.Finite || byPlace([]byte(name)) {
			return
		}
		low := string(appendLower(nil, []byte(name)))
		places[low] = i
		h.begins[low[0]], h.begins[strings.ToUpper(low[:1])[0]] = true, true
	}
	if len(places) == len(columns) {
		h.places, h.seen = places, make([]uint64, len(columns))
	}
}

// appendLower appends ASCII letters in lower case, and other bytes as they are.
func appendLower(to, text []byte) []byte {
	for _, b := range text {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		to = append(to, b)
	}
	return to
}

// heading is what a row says of the columns.
type heading uint8

const (
	noHeading    heading = iota
	sameHeading          // their names, in any case
	otherHeading         // their names in another order
)

const otherOrder = "the row names the columns in another order: rows behind it may be in that order, too, and are " +
	"read in that of the settings"

// heading reports whether a row, without its line end, has the names of the columns as its cells.
func (p *csvParser) heading(b []byte) heading {
	h := p.header
	if h == nil || len(b) == 0 {
		return noHeading
	}
	if h.begins[b[0]] && h.places != nil {
		if found := p.renamed(b); found != noHeading {
			return found
		}
	}
	if p.isHeader(b) {
		return sameHeading
	}
	return noHeading
}

// renamed finds the names in any order and case.
func (p *csvParser) renamed(b []byte) heading {
	h, found := p.header, sameHeading
	h.row++
	for n, i := 0, 0; ; n++ {
		cell, next := p.cells.next(b, i, &p.text)
		if next < 0 || n == len(h.names) {
			return noHeading
		}
		h.low = appendLower(h.low[:0], bytes.TrimSpace(cell))
		place, known := h.places[string(h.low)]
		if !known || h.seen[place] == h.row {
			return noHeading
		}
		//mutation:header-in-another-order
		if place != n {
			found = otherHeading
		}
		h.seen[place] = h.row
		if next < len(b) {
			i = next + 1
			continue
		}
		if n+1 < len(h.names) {
			return noHeading
		}
		return found
	}
}

// isHeader reports whether a row, without its line end, has the names of the columns as its cells. A column called by
// its place may have no name, or the first of them no cell.
func (p *csvParser) isHeader(b []byte) bool {
	h := p.header
	if !h.firsts[b[0]] {
		return false
	}
	return p.namesFrom(b, 0) || string(h.names[0]) == "c1" && p.namesFrom(b, 1)
}

// Skipped says why an event with Example.Skip gets no prediction.
func (o *Options) Skipped() string {
	if len(o.Columns) > 0 {
		return "the row names the columns"
	}
	return "there is null in place of the features (tombstones)"
}

// namesFrom reports whether the cells are the names from column n on.
func (p *csvParser) namesFrom(b []byte, n int) bool {
	names := p.header.names[n:]
	for i := 0; len(names) > 0; i++ {
		cell, next := p.cells.next(b, i, &p.text)
		if next < 0 {
			return false
		}
		cell = bytes.TrimSpace(cell)
		if n == 0 && i == 0 {
			cell = withoutHash(cell)
		}
		if !bytes.Equal(cell, names[0]) && (len(cell) > 0 || !byPlace(names[0])) {
			return false
		}
		if names = names[1:]; next == len(b) {
			return len(names) == 0
		}
		i = next
	}
	return false
}

// withoutHash returns a name without the # that begins a line of names.
func withoutHash(name []byte) []byte {
	if rest := bytes.TrimSpace(bytes.TrimPrefix(name, []byte("#"))); len(rest) > 0 {
		return rest
	}
	return name
}

// byPlace reports whether a name may be that of a column without one: c and its number.
func byPlace(name []byte) bool {
	return len(name) > 1 && name[0] == 'c' && len(bytes.Trim(name[1:], "0123456789_")) == 0
}
