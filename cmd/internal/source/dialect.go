package source

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rosenblatt/stream/event"
)

// chosenDialect returns the dialect of the options, with the delimiter that the ending names unless one is meant.
func (s *File) chosenDialect() event.Dialect {
	d := s.options.Dialect
	if _, left := byEnding(s.path); !s.options.DelimiterGiven && strings.EqualFold(filepath.Ext(left), tabEnding) {
		d = d.With("\t")
		s.options.DelimiterGiven = true
	}
	return d
}

// preamble reads what is above the first row: lines that begin with #, of which it returns the last one without that,
// and Excel's line that names the delimiter.
func (s *File) preamble() (comment string, err error) {
	count := 0
	for {
		rows := s.peek(1)
		if len(rows) == 0 {
			break
		}
		text := strings.TrimSpace(string(rows[0]))
		delimiter, ok := excelDelimiter(text)
		switch {
		case ok && s.read == 0:
			s.excel(delimiter)
		case strings.HasPrefix(text, "#"):
			comment = text
			count++
		default:
			s.noteComments(count)
			return comment, nil
		}
		if _, err := s.skipBlank(); err != nil {
			return "", s.reading(err)
		}
	}
	s.noteComments(count)
	return comment, nil
}

func (s *File) noteComments(count int) {
	if count > 0 {
		s.note("lines that begin with # above the first row are skipped: %d", count)
	}
}

// excelDelimiter returns the delimiter that a line as sep=; names.
func excelDelimiter(line string) (delimiter string, ok bool) {
	const name = "sep="
	line = strings.Trim(line, `"`)
	if len(line) > len(name)+1 || len(line) < len(name) || !strings.EqualFold(line[:len(name)], name) {
		return "", false
	}
	if delimiter = line[len(name):]; delimiter == "" {
		delimiter = "\t" // a blank to TrimSpace
	}
	return delimiter, true
}

// excel takes the delimiter that the file names, unless another is meant.
func (s *File) excel(delimiter string) {
	d := s.table.With(event.ParseDialect(delimiter, "", "", "").Delimiter)
	if s.options.DelimiterGiven {
		s.note("the line sep= is skipped")
		return
	}
	s.note("%s separates the columns, as the line sep= says", strings.TrimPrefix(d.DelimiterWord(), "a "))
	s.table.Dialect, s.options.DelimiterGiven = d, true
	s.setRows()
}

// chooseDelimiter guesses by the first rows what separates cells where nothing says it: what gives more than one column
// where commas do not; blanks only where the second row has as many, too. With decimal commas, commas come last. Where
// commas give fewer columns than another one, that is noted.
func (s *File) chooseDelimiter(rows [][]byte) {
	if s.options.DelimiterGiven {
		return
	}
	commas, most, best := s.wide(rows[0], ""), 1, s.table.Dialect
	first := commas
	if s.table.Decimal == event.DecimalComma {
		first = 1
	}
	for _, delimiter := range event.GuessedDelimiters {
		n := s.wide(rows[0], delimiter)
		if delimiter == event.Blanks && (most > 1 || first > 1 || !s.blanks(rows, n)) {
			continue
		}
		if n > max(most, first) {
			most, best = n, s.table.With(delimiter)
		}
	}
	//mutation:blanks-within-cells
	if n := s.wide(rows[0], event.Blanks); first == 1 && most > 1 && s.blanks(rows, n) && s.numbersInCell(rows, best) {
		most, best = n, s.table.With(event.Blanks)
	}
	switch {
	case most == 1:
		return
	case first > 1:
		s.note("commas give %d columns, but %s would give %d: if those are meant, say %s", commas,
			delimiterWord(best), most, best.DelimiterFlag())
		return
	}
	s.table.Dialect = best
	s.setRows()
	s.note("the columns are separated by %s, not by commas (guessed; --delimiter overrides it)", delimiterWord(best))
}

// numbersInCell reports whether each row has a cell of several numbers with blanks between them: that is no column.
func (s *File) numbersInCell(rows [][]byte, d event.Dialect) bool {
	for _, row := range rows {
		cells, err := s.format.Cells(row, d)
		several := func(cell string) bool {
			parts := strings.Fields(cell)
			return len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return !isNumber(p) })
		}
		if err != nil || !slices.ContainsFunc(cells, several) {
			return false
		}
	}
	return true
}

// wide is how many cells a row has with a delimiter; 0 if it is malformed.
func (s *File) wide(row []byte, delimiter string) int {
	cells, err := s.format.Cells(row, s.table.With(delimiter))
	if err != nil {
		return 0
	}
	return len(cells)
}

// blanks reports whether n columns that blanks give to the first row are some: the second row has as many, or one more.
func (s *File) blanks(rows [][]byte, n int) bool {
	if len(rows) < 2 {
		return false
	}
	second := s.wide(rows[1], event.Blanks)
	return second == n || second == n+1
}

// commented returns the names of columns in a comment above the first row, as NumPy writes them; nil if there are none.
func (s *File) commented(comment string, first []string) []string {
	text := strings.TrimSpace(strings.TrimLeft(comment, "#"))
	if text == "" || len(first) < 2 {
		return nil
	}
	names, err := s.cells([]byte(text))
	if err != nil || len(names) != len(first) {
		return nil
	}
	if strings.TrimSpace(names[0]) == "" {
		names[0] = "#"
		return names
	}
	for _, cell := range first {
		if isNumber(cell) {
			return names
		}
	}
	return nil
}

// delimiterWord is a delimiter in a sentence, of many places.
func delimiterWord(d event.Dialect) string {
	switch d.Delimiter {
	case "\t":
		return "tabs"
	case event.Blanks:
		return "blanks"
	}
	return fmt.Sprintf("%q", d.DelimiterText())
}
