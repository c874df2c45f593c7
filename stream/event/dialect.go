package event

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Dialect is how the rows of a table are written. The zero value is csv as in RFC 4180.
type Dialect struct {
	// Delimiter separates cells: one character, Blanks for runs of blanks, or a comma if it is empty.
	Delimiter string `json:"delimiter,omitempty"`
	// Quote begins and ends a cell that may hold delimiters and line ends; two of them within mean one. NoQuote is
	// none. Empty means a double quote or, where tabs separate cells, none.
	Quote string `json:"quote,omitempty"`
	// Escape is a character that takes its meaning from the one after it; empty for none.
	Escape string `json:"escape,omitempty"`
	// Decimal is DecimalComma, or empty for a point.
	Decimal string `json:"decimal,omitempty"`
}

// Values of the fields of a Dialect.
const (
	Blanks       = " "     // of Delimiter: a run of blanks and tabs; those at both ends of a row separate nothing
	NoQuote      = "none"  // of Quote
	DecimalComma = "comma" // of Decimal: numbers have a comma instead of a point
)

const doubleQuote = `"`

// GuessedDelimiters are the delimiters, besides a comma, that a table may have of which nothing is known, likeliest
// first.
var GuessedDelimiters = []string{";", "\t", "|", Blanks}

// AppendRow appends a row of cells, without a line end. Where the dialect has neither quotes nor an escape, a cell with
// a delimiter cannot be written, and is two.
func (d Dialect) AppendRow(dst []byte, cells ...string) []byte {
	c := d.reader()
	for i, cell := range cells {
		if i > 0 {
			dst = append(dst, d.DelimiterText()...)
		}
		dst = c.appendCell(dst, cell)
	}
	return dst
}

// ParseDialect returns the dialect that a user means. A delimiter may be called comma, tab or blanks, an escape
// backslash, and all but the delimiter none. Options.Validate reports what is none.
func ParseDialect(delimiter, quote, escape, decimal string) Dialect {
	d := Dialect{delimiter, quote, escape, decimal}
	if character, ok := delimiters[delimiter]; ok {
		d.Delimiter = character
	}
	if escape == "none" {
		d.Escape = ""
	}
	if escape == "backslash" {
		d.Escape = `\`
	}
	if decimal == "point" {
		d.Decimal = ""
	}
	return d
}

var delimiters = map[string]string{",": "", "comma": "", "tab": "\t", `\t`: "\t", "blanks": Blanks, `\x01`: "\x01"}

// With returns the dialect with another delimiter.
func (d Dialect) With(delimiter string) Dialect {
	d.Delimiter = delimiter
	return d
}

// Short returns the dialect without a quote that is the usual one, so that equal dialects are the same.
func (d Dialect) Short() Dialect {
	if d.Quote == d.usualQuote() {
		d.Quote = ""
	}
	return d
}

func (d Dialect) usualQuote() string {
	//mutation:tab-quotes
	if d.Delimiter == "\t" {
		return NoQuote // a quote is a character (IANA, text/tab-separated-values)
	}
	return doubleQuote
}

// quote returns the character, or NoQuote.
func (d Dialect) quote() string {
	if d.Quote == "" {
		return d.usualQuote()
	}
	return d.Quote
}

// DelimiterText returns the delimiter as it is in a row.
func (d Dialect) DelimiterText() string {
	if d.Delimiter == "" {
		return ","
	}
	return d.Delimiter
}

// BlankBytes are the bytes of a line that is blank. Tabs that separate cells make a row of blank cells.
func (d Dialect) BlankBytes() string {
	if d.Delimiter == "\t" {
		return " "
	}
	return " \t"
}

// DelimiterFlag is the delimiter as a flag in a shell.
func (d Dialect) DelimiterFlag() string { return "--delimiter " + ShellWord(d.DelimiterSetting()) }

// Flags returns the flags of what differs from csv: --delimiter ';' --quote none.
func (d Dialect) Flags() string { return d.FlagsBeside(Dialect{}) }

// FlagsBeside returns the flags that make another dialect this one.
func (d Dialect) FlagsBeside(other Dialect) string {
	var out []string
	if d.Delimiter != other.Delimiter {
		out = append(out, d.DelimiterFlag())
	}
	add := func(flag, value, others string) {
		if value != others {
			out = append(out, "--"+flag+" "+ShellWord(value))
		}
	}
	add("quote", d.quote(), other.With(d.Delimiter).quote())
	add("escape", cmp.Or(d.Escape, "none"), cmp.Or(other.Escape, "none"))
	add("decimal", cmp.Or(d.Decimal, "point"), cmp.Or(other.Decimal, "point"))
	return strings.Join(out, " ")
}

// ShellWord quotes what a shell would not take as it is.
func ShellWord(s string) string {
	if s != "" && strings.Trim(s, plainBytes) == "" {
		return s
	}
	if s == "'" {
		return `"'"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// ShellList is the value of a flag that takes several names, for a shell.
func ShellList(names ...string) string {
	var escaped []string
	for _, name := range names {
		escaped = append(escaped, strings.ReplaceAll(name, ",", `\,`))
	}
	return ShellWord(strings.Join(escaped, ","))
}

// plainBytes are what a shell takes as it is.
const plainBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-+:/@,^"

// DelimiterSetting returns the delimiter as users write it.
func (d Dialect) DelimiterSetting() string {
	switch d.Delimiter {
	case "\t":
		return "tab"
	case Blanks:
		return "blanks"
	case "\x01":
		return `\x01`
	}
	return d.DelimiterText()
}

// DelimiterWord is the delimiter in a sentence, of one place.
func (d Dialect) DelimiterWord() string {
	switch d.Delimiter {
	case "":
		return "a comma"
	case "\t":
		return "a tab"
	case Blanks:
		return "a blank"
	}
	return strconv.Quote(d.Delimiter)
}

var errQuote = errors.New("quote: want one character other than a letter, a digit or the delimiter, or none")

// validate reports what is wrong with the dialect.
func (d Dialect) validate() error {
	switch delimiter, quote := d.DelimiterText(), d.quote(); {
	case !delimits(delimiter):
		return fmt.Errorf("delimiter %q: want a comma, \";\", \"|\", tab, blanks or another character that is "+
			"neither a letter nor part of a number", d.Delimiter)
	case quote != NoQuote && (!marks(quote) || quote == delimiter):
		return fmt.Errorf("%w, not %q", errQuote, quote)
	case d.Escape != "" && (!marks(d.Escape) || d.Escape == delimiter):
		return fmt.Errorf("escape %q: want one character other than a letter, a digit or the delimiter, as a "+
			"backslash, or none", d.Escape)
	case d.Escape != "" && d.Escape == quote:
		return fmt.Errorf("escape %q: it is the quote, and two quotes within a cell always mean one: leave it out",
			d.Escape)
	case d.Decimal != "" && d.Decimal != DecimalComma:
		return fmt.Errorf("decimal %q: want point or comma", d.Decimal)
	}
	return nil
}

// delimits reports whether a character can separate cells: numbers do not have it.
func delimits(s string) bool {
	return s == "\t" || s == Blanks || s == "\x01" || marks(s) && !slices.Contains([]string{".", "+", "-", "_"}, s)
}

// marks reports whether a text is one visible ASCII character that is neither a letter nor a digit.
func marks(s string) bool {
	return len(s) == 1 && s[0] > ' ' && s[0] < 0x7f && !(s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z') &&
		!(s[0] >= '0' && s[0] <= '9')
}
