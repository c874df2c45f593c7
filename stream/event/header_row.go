package event

import "bytes"

// headerRow finds rows that are the names of the columns again, as in files that were put together and in topics to
// which whole files are sent.
type headerRow struct {
	names  [][]byte
	firsts [256]bool // bytes that such a row may begin with
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
	return h
}

// isHeader reports whether a row, without its line end, has the names of the columns as its cells. A column called by
// its place may have no name, or the first of them no cell.
func (p *csvParser) isHeader(b []byte) bool {
	h := p.header
	if h == nil || len(b) == 0 || !h.firsts[b[0]] {
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
