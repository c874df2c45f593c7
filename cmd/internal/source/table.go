package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
)

// tabEnding is the ending of tables whose columns are separated by tabs.
const tabEnding = ".tsv"

// Table describes the rows of a file.
type Table struct {
	Columns   []string // the names in the first row, or without a header as in Options; nil if this is no table
	Delimiter string   // as in event.Options
	NoHeader  bool     // the first row is an event
}

// Table returns the table of the file.
func (s *File) Table() Table {
	t := s.table
	t.Columns = slices.Clone(t.Columns)
	return t
}

// Notes says what was guessed, and what may be wrong with the first row, a sentence each.
func (s *File) Notes() []string { return slices.Clone(s.notes) }

// beginTable reads the first row.
func (s *File) beginTable() error {
	first := s.table.Columns == nil // Rewind keeps what was found
	if first {
		s.table = Table{Delimiter: s.chosenDelimiter(), NoHeader: s.options.NoHeader}
	}
	row, err := s.Next()
	if errors.Is(err, io.EOF) {
		return &Error{Path: s.path, Err: fmt.Errorf("%w: %s", ErrFirstRow, s.wantedRow())}
	}
	if err != nil {
		return err
	}
	if s.options.NoHeader {
		s.ahead = bytes.Clone(row)
	}
	if !first {
		return nil
	}
	cells, err := s.firstCells(append(bytes.Clone(row), "\r\n"...))
	if err != nil {
		return s.fault(fmt.Errorf("%w: %s; --delimiter says what separates columns (%w)", ErrFirstRow,
			s.wantedRow(), err))
	}
	return s.name(cells)
}

func (s *File) wantedRow() string {
	if s.options.NoHeader {
		return "it must be an event"
	}
	return "it must name the columns"
}

// chosenDelimiter returns the delimiter that the options or the ending name, else a comma.
func (s *File) chosenDelimiter() string {
	if s.options.Delimiter == "" {
		if _, left := packing(s.path); strings.EqualFold(filepath.Ext(left), tabEnding) {
			return "\t"
		}
	}
	return event.ParseDelimiter(s.options.Delimiter)
}

// firstCells splits the first row. Where commas give one column, and nothing says that they are the delimiter, others
// are tried; where commas give fewer than another one, that is noted.
func (s *File) firstCells(row []byte) ([]string, error) {
	cells, err := s.format.Cells(row, s.table.Delimiter)
	if s.options.Delimiter != "" || s.table.Delimiter != "" {
		return cells, err
	}
	most, best := cells, ""
	for _, delimiter := range []string{";", "\t", "|"} {
		if other, failed := s.format.Cells(row, delimiter); failed == nil && len(other) > max(1, len(most)) {
			most, best = other, delimiter
		}
	}
	switch {
	case best == "":
		return cells, err
	case len(cells) > 1:
		s.notes = append(s.notes, fmt.Sprintf("commas give %d columns, but %s would give %d: if those are meant, say "+
			"--delimiter '%s'", len(cells), delimiterWord(best), len(most), event.DelimiterSetting(best)))
		return cells, err
	}
	s.table.Delimiter = best
	s.notes = append(s.notes, fmt.Sprintf("the columns are separated by %s, not by commas (guessed; --delimiter "+
		"overrides it)", delimiterWord(best)))
	return most, nil
}

// name gives the columns their names.
func (s *File) name(cells []string) error {
	given := s.options.Columns
	switch {
	case !s.options.NoHeader:
		s.table.Columns = s.nameBlank(cells)
		if slices.ContainsFunc(cells, isNumber) {
			s.notes = append(s.notes, fmt.Sprintf("the first row, %s, is taken as the names of the columns, but "+
				"there are numbers in it: if it is an event, say --no-header", excerpt(strings.Join(cells, ","))))
		}
	case len(given) == 0:
		s.table.Columns = make([]string, 0, len(cells))
		for i := range cells {
			s.table.Columns = append(s.table.Columns, placeName(i))
		}
	case len(given) != len(cells):
		err := fmt.Errorf("columns: %d names, but the first row has %d cells", len(given), len(cells))
		return &cli.UsageError{Err: s.fault(err)}
	default:
		s.table.Columns = given
	}
	return nil
}

// nameBlank gives columns without a name, as of the row numbers that pandas writes, one by their place.
func (s *File) nameBlank(cells []string) []string {
	var named []string
	for i, cell := range cells {
		if strings.TrimSpace(cell) == "" {
			cells[i] = placeName(i)
			named = append(named, cells[i])
		}
	}
	if len(named) > 0 {
		s.notes = append(s.notes, fmt.Sprintf("the first row has no name for a column, which is called %s: if it only "+
			"numbers the rows, say --ignore %s", strings.Join(named, ", "), strings.Join(named, ",")))
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

// delimiter returns the byte between cells.
func (s *File) delimiter() byte { return event.DelimiterText(s.table.Delimiter)[0] }

func delimiterWord(delimiter string) string {
	if delimiter == "\t" {
		return "tabs"
	}
	return strconv.Quote(delimiter)
}
