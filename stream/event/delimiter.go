package event

import "fmt"

// otherDelimiters are the values of Options.Delimiter, besides none for a comma.
var otherDelimiters = []string{";", "\t", "|"}

const delimiterChoice = `";", "|" or tab`

// ParseDelimiter returns the delimiter that a user means, as in Options.Delimiter: "," is a comma, and "tab" and "\t"
// are a tab. Options.Validate reports what is none.
func ParseDelimiter(text string) string {
	switch text {
	case ",":
		return ""
	case "tab", `\t`:
		return "\t"
	}
	return text
}

// DelimiterText returns a delimiter as it is in a row: Options.Delimiter, or a comma if that is empty.
func DelimiterText(delimiter string) string {
	if delimiter == "" {
		return ","
	}
	return delimiter
}

// DelimiterSetting returns a delimiter as users write it.
func DelimiterSetting(delimiter string) string {
	if delimiter == "\t" {
		return "tab"
	}
	return DelimiterText(delimiter)
}

// Blanks returns the bytes of a line that is blank. Tabs that separate cells make a row of blank cells.
func Blanks(delimiter string) string {
	if delimiter == "\t" {
		return " "
	}
	return " \t"
}

// delimiterName is a delimiter in an error.
func delimiterName(delimiter byte) string {
	switch delimiter {
	case ',':
		return "a comma"
	case '\t':
		return "a tab"
	}
	return fmt.Sprintf("%q", string(rune(delimiter)))
}
