package survey

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"rosenblatt/stream/event"
	"rosenblatt/stream/internal/number"
)

// FixKinds adds the columns of words and of numbers to the options of a table, by the cells of its first rows: those
// of features that the options say nothing of. A column that is neither, with some words among its numbers, is in
// neither list; so is one that is blank. What it does depends on the options and the rows alone.
func FixKinds(o *event.Options, rows [][]byte) {
	format, _ := event.FindFormat(o.Format)
	if format.Cells == nil {
		return
	}
	s := Survey{options: *o}
	columns := make([]cells, len(o.Columns))
	for _, row := range rows {
		row, err := format.Cells(row, o.Dialect)
		if err != nil || len(row) != len(columns) || slices.EqualFunc(row, o.Columns, isName) {
			continue // the decoder rejects it, or skips the names of the columns
		}
		for i, cell := range row {
			columns[i].add(o, strings.Trim(cell, " \t\r\n"))
		}
	}
	var words, numbers []string
	for i, name := range o.Columns {
		if s.role(name, name) != feature || o.HasKind(name) {
			continue
		}
		switch columns[i].kind() {
		case holdsWords:
			words = append(words, name)
		case holdsNumbers:
			numbers = append(numbers, name)
		}
	}
	o.Categorical, o.Numeric = slices.Concat(o.Categorical, words), slices.Concat(o.Numeric, numbers)
}

func isName(cell, column string) bool { return strings.TrimSpace(cell) == column }

// holds is what the cells of a column are.
type holds uint8

const (
	holdsNothing holds = iota
	holdsNumbers
	holdsWords
	holdsBoth // words among numbers
)

// cells counts the cells of a column that are neither blank nor a word for a missing value.
type cells struct {
	all     int
	numbers int // within the limit
	codes   int // numbers, of any size, as no program writes a quantity: 04e09220, or 31 digits
	padded  int // with zeros: 007
	signed  int // numbers with a sign or a point
	names   int // words with a digit, as a99f214a
	words   int // words without one, as red
	amounts int // words that people read as a number (1,103.50, 5+, $7), or that stand for a missing value (-, unknown)

	distinctNumbers, distinctWords counts
}

func (c *cells) add(o *event.Options, cell string) {
	if cell == "" || slices.Contains(o.Missing, cell) {
		return
	}
	c.all++
	v, k := o.Number([]byte(cell))
	switch {
	case k == number.Finite:
		c.addNumber(cell, v)
	case k == number.NotFinite:
	case isAmount(cell):
		c.amounts++
	case strings.ContainsAny(cell, "0123456789"):
		c.names++
	default:
		c.words++
		c.distinctWords.add(cell, Most)
	}
}

func (c *cells) addNumber(cell string, v float64) {
	const codeSize = 6 // 1e5 may be a number, 04e092 is none
	digits := strings.Trim(cell, "0123456789eE") == "" && cell[0] != 'e' && cell[0] != 'E'
	exponent := strings.ContainsAny(cell, "eE")
	switch {
	case !digits:
		c.signed++
	case exponent && len(cell) >= codeSize, !exponent && v > number.Large:
		c.codes++
	case len(cell) > 1 && cell[0] == '0':
		c.padded++
	}
	if math.Abs(v) <= number.Large {
		c.numbers++
		c.distinctNumbers.add(cell, Most)
	}
}

// Of the cells of a column that holds numbers and words:
const (
	someNames = 100 // one in so many is a word with a digit, or a code: all are codes
	fewWords  = 10  // distinct words without a digit that may be remarks among numbers
	fewValues = 20  // distinct whole numbers that repeat, beside words: all are categories
)

// kind says what a column holds. Without a word it holds numbers, unless all are made of digits and e as codes are.
// With words it holds words, unless most of its cells are quantities and the words are few: remarks among numbers, as
// unknown.
func (c *cells) kind() holds {
	texts := c.names + c.words + c.amounts
	switch {
	//mutation:kind-of-each-cell
	case c.all == 0:
		return holdsNothing
	case texts == 0 && c.codes > 0 && c.signed == 0:
		return holdsWords
	case texts == 0:
		return holdsNumbers
	case c.numbers == 0, (c.names+c.codes+c.padded)*someNames >= c.all:
		return holdsWords
	case c.words == 0:
		return holdsBoth
	case c.words >= c.numbers, len(c.distinctWords.names) > fewWords:
		return holdsWords
	case c.signed == 0 && len(c.distinctNumbers.names) <= fewValues && 2*len(c.distinctNumbers.names) <= c.numbers:
		return holdsWords
	}
	return holdsBoth
}

// isAmount reports whether a word stands for a number or for none.
func isAmount(cell string) bool {
	if isNumber(cell) || isNumber(strings.Trim(cell, "<>=~+$€£% ")) {
		return true
	}
	return !strings.ContainsFunc(cell, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) ||
		slices.Contains([]string{"unknown", "none", "missing", "undefined", "nil", "null", "na", "n/a", "nan", "#n/a",
			"not available"}, strings.ToLower(cell))
}
