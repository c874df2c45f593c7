package source

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
)

// tabEnding is the ending of tables whose columns are separated by tabs.
const tabEnding = ".tsv"

// Table describes the rows of a file.
type Table struct {
	Columns []string // the names in the first row, or without a header as in Options; nil if this is no table
	event.Dialect
	NoHeader bool // the first row is an event

	Schema string // of an Avro file, that of its objects

	// Of an ARFF file, whose events are json: the fields with the label and with the weight of a row, and of each
	// attribute the values that are declared.
	Label, Weight string
	Values        map[string][]string
}

// Table returns the table of the file.
func (s *File) Table() Table {
	t := s.table
	t.Columns = slices.Clone(t.Columns)
	return t
}

// Notes says what was guessed, and what may be wrong with the first rows, a sentence each.
func (s *File) Notes() []string { return slices.Clone(s.notes) }

func (s *File) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// beginTable reads what is before the first event.
func (s *File) beginTable() error {
	if s.table.Columns != nil { // Rewind keeps what was found
		for s.read < s.body {
			if _, err := s.line(); err != nil {
				return s.reading(err)
			}
		}
		return nil
	}
	s.table = Table{Dialect: s.chosenDialect(), NoHeader: s.options.NoHeader}
	s.setRows()
	comment, err := s.preamble()
	if err != nil {
		return err
	}
	rows := s.peek(2)
	if len(rows) == 0 {
		if err := s.later; !errors.Is(err, io.EOF) {
			return s.reading(err)
		}
		if s.read == 0 {
			return &Error{Path: s.path, Err: fmt.Errorf("%w: %w: %s", ErrEmpty, ErrFirstRow, s.wantedRow())}
		}
		return &Error{Path: s.path, Err: fmt.Errorf("%w: %s", ErrFirstRow, s.wantedRow())}
	}
	s.first = s.read + 1
	s.chooseDelimiter(rows)
	cells, err := s.cells(rows[0])
	if err != nil {
		return s.fault(fmt.Errorf("%w: %s; --delimiter says what separates columns, --quote what encloses them (%w)",
			ErrFirstRow, s.wantedRow(), err))
	}
	if err := s.header(comment, cells); err != nil {
		return err
	}
	s.table.Dialect, s.body = s.table.Short(), s.read
	return s.checkNames()
}

// checkNames refuses names of columns as files have them that are no text.
func (s *File) checkNames() error {
	for _, name := range s.table.Columns {
		switch {
		case strings.Contains(name, "\x00"):
			return s.fault(fmt.Errorf("%w, there is a zero byte in the first row", ErrNotText))
		case !utf8.ValidString(name) && s.lacking[s.first] != nil:
			return &cli.UsageError{Err: s.fault(fmt.Errorf("%w: %s", ErrFirstRow, s.lacking[s.first].Message()))}
		case !utf8.ValidString(name):
			return &cli.UsageError{Err: s.fault(fmt.Errorf("%w: the name %q is not UTF-8; --encoding cp1252, or the "+
				"name of another one as gbk, reads a file that is not", ErrFirstRow, name))}
		}
	}
	return nil
}

// setRows has lines joined to rows by the dialect.
func (s *File) setRows() {
	if s.format.Quoted {
		s.rows = s.table.Rows()
	}
}

func (s *File) cells(row []byte) ([]string, error) { return s.format.Cells(row, s.table.Dialect) }

func (s *File) wantedRow() string {
	if s.options.NoHeader {
		return "it must be an event"
	}
	return "it must name the columns"
}

// header names the columns by the comment or the cells of the first row, and reads that row unless it is an event.
func (s *File) header(comment string, cells []string) error {
	if s.options.NoHeader {
		return s.nameGiven(cells)
	}
	if names := s.commented(comment, cells); names != nil {
		s.note("the line with # above the first row has as many names as that has cells: it names the columns")
		s.table.Columns = s.nameBlank(names)
		return nil
	}
	if _, err := s.skipBlank(); err != nil {
		return s.reading(err)
	}
	if s.replaced(cells) {
		return nil
	}
	s.table.Columns = s.nameBlank(s.rowNames(cells))
	switch value := s.again(cells); {
	case value != "":
		s.note("the first row, %s, is taken as the names of the columns, but other rows have %s in the same column, "+
			"too: if it is an event, say --no-header", excerpt(strings.Join(cells, ",")), excerpt(value))
	case slices.ContainsFunc(cells, isNumber):
		s.note("the first row, %s, is taken as the names of the columns, but there are numbers in it: if it is an "+
			"event, say --no-header", excerpt(strings.Join(cells, ",")))
	}
	return nil
}

// again returns a cell of the first row that other rows have in its column, as a label; empty if there is none. Rows
// that are the header again do not count.
func (s *File) again(names []string) string {
	const some = 100
	for _, row := range s.peek(some) {
		cells, err := s.cells(row)
		if err != nil || len(cells) != len(names) || slices.Equal(cells, names) {
			continue
		}
		for i, cell := range cells {
			//mutation:label-in-the-header
			if cell != "" && strings.TrimSpace(cell) == strings.TrimSpace(names[i]) {
				return cell
			}
		}
	}
	return ""
}

// nameGiven names the columns of a table without a header.
func (s *File) nameGiven(cells []string) error {
	given := s.options.Columns
	switch {
	case len(given) == 0:
		for i := range cells {
			s.table.Columns = append(s.table.Columns, placeName(i))
		}
		return nil
	case len(given) != len(cells) && !s.fits(len(given)):
		err := fmt.Errorf("columns: %d names, but the first row has %d cells", len(given), len(cells))
		return &cli.UsageError{Err: s.fault(err)}
	}
	s.table.Columns = given
	return nil
}

// replaced takes the names that are given in place of a header that has not one for each cell.
func (s *File) replaced(header []string) bool {
	given := s.options.Columns
	if len(given) == 0 || len(given) == len(header) || !s.fits(len(given)) {
		return false
	}
	s.note("the first row, %s, has %d cells and is no event: --columns names the columns", excerpt(strings.Join(header,
		",")), len(header))
	s.table.Columns = given
	return true
}

// lookahead is how many rows are examined.
const lookahead = 20

// fits reports whether one of the next rows has this many cells.
func (s *File) fits(width int) bool {
	return slices.ContainsFunc(s.peek(lookahead), func(row []byte) bool {
		cells, err := s.cells(row)
		return err == nil && len(cells) == width
	})
}

// rowNames adds a column without a name where all rows have one cell more than the header: before the others, as R
// writes names of rows, or at the end where each row ends in a delimiter.
func (s *File) rowNames(header []string) []string {
	rows, first := s.peek(lookahead), false
	for _, row := range rows {
		cells, err := s.cells(row)
		//mutation:row-names
		if err != nil || len(header) < 2 || len(cells) != len(header)+1 {
			return header
		}
		first = first || strings.TrimSpace(cells[len(header)]) != ""
	}
	switch {
	case len(rows) == 0:
		return header
	case first:
		s.note("the first row has a name less than the others have cells, as R writes tables: the first column has " +
			"none")
		return append([]string{""}, header...)
	}
	s.note("the first row has a name less than the others have cells, which end in %s: the last column has none",
		s.table.DelimiterWord())
	return append(header, "")
}

// nameBlank trims names, and gives columns without one, as of the row numbers that pandas writes, one by their place.
func (s *File) nameBlank(cells []string) []string {
	var named []string
	for i, cell := range cells {
		if cells[i] = strings.TrimSpace(cell); cells[i] == "" {
			cells[i] = placeName(i)
			for slices.Contains(cells[:i], cells[i]) || slices.Contains(cells[i+1:], cells[i]) {
				cells[i] += "_"
			}
			named = append(named, cells[i])
		}
	}
	if len(named) > 0 {
		s.note("the first row has no name for a column, which is called %s: if it only numbers the rows, say --ignore "+
			"%s", strings.Join(named, ", "), strings.Join(named, ","))
	}
	return cells
}

// placeName names column i by its place, from 1.
func placeName(i int) string { return "c" + strconv.Itoa(i+1) }

func isNumber(cell string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
	return err == nil
}

// excerpt is the beginning of a row.
func excerpt(row string) string {
	const most = 60
	if runes := []rune(row); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return row
}
