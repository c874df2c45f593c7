package survey

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rosenblatt/stream/event"
	"rosenblatt/stream/internal/number"
)

func format(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// usuallyMissing reports whether a text is one that stands for a missing value in many files.
func usuallyMissing(s string) bool { return slices.Contains(event.MissingWords(), s) }

// isNumber reports whether a text reads as a number to people: 78.87, 78,87, 1,234.50, 1 234,50, +3, 1e-5, $7, -7 €,
// (7.00), 3%.
func isNumber(s string) bool {
	s = bare(s)
	if s == "" || strings.Trim(s, "0123456789.,+-eE") != "" || !strings.ContainsAny(s[:1], "0123456789.,+-") {
		return false
	}
	if strings.Contains(s, ".") || strings.Count(s, ",") > 1 {
		s = strings.ReplaceAll(s, ",", "") // between thousands
	}
	_, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	return err == nil
}

// isDecimalComma reports whether a number has a comma where others have a point: 2,6, and not 1,234, which may be
// either.
func isDecimalComma(s string) bool {
	whole, fraction, found := strings.Cut(strings.TrimLeft(s, "+-"), ",")
	return found && whole != "" && digits(whole) && digits(fraction) && len(fraction) != 3
}

// isPlain reports whether a text is a number to the decoder.
func isPlain(s string) bool {
	_, kind := number.Text([]byte(s))
	return kind == number.Finite
}

// bare returns a number without what people write around it: a sign of a currency or %, the parentheses that mean a
// minus, and the blanks or quotes between thousands.
func bare(s string) string {
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		s = s[1 : len(s)-1]
	}
	sign := ""
	if s != "" && (s[0] == '+' || s[0] == '-') {
		sign, s = s[:1], s[1:]
	}
	for _, unit := range []string{"$", "€", "£", "¥", "₹", "%"} {
		if short := strings.TrimSuffix(strings.TrimPrefix(s, unit), unit); short != s {
			s = strings.TrimSpace(short)
			break
		}
	}
	return sign + thousands.ReplaceAllStringFunc(s, func(group string) string { return group[len(group)-3:] })
}

// thousands are digits behind what separates them in French, Swiss and other writing.
var thousands = regexp.MustCompile("[ \u00a0\u202f'’][0-9]{3}\\b")

// isDate reports whether a text begins with a date of four digits for the year, in any order: 2026-01-31T18:00,
// 31.1.2026, 1/31/2026.
func isDate(s string) bool {
	day, _, _ := strings.Cut(s, "T")
	day, _, _ = strings.Cut(day, " ")
	for _, separator := range []string{"-", "/", "."} {
		parts := strings.Split(day, separator)
		if len(parts) == 3 && (years(parts[0]) && days(parts[1]) && days(parts[2]) ||
			days(parts[0]) && days(parts[1]) && years(parts[2])) {
			return true
		}
	}
	return false
}

func years(s string) bool { return len(s) == 4 && (s[0] == '1' || s[0] == '2') && digits(s) }
func days(s string) bool  { return (len(s) == 1 || len(s) == 2) && digits(s) }

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }
