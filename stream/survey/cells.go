package survey

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"rosenblatt/stream/event"
	"rosenblatt/stream/internal/number"
)

// addCells adds the cells of a row.
func (s *Survey) addCells(value []byte) {
	cells, err := s.format.Cells(value, s.options.Dialect)
	if err != nil || len(cells) > len(s.options.Columns) {
		return
	}
	for i, cell := range cells {
		name := s.options.Columns[i]
		x := s.fields.field(name, name, s.role(name, name))
		if x == nil {
			continue
		}
		word := strings.Trim(cell, " \t\r\n")
		s.addCell(x, word, word, s.options.IsWord(name), s.options.IsNumber(name))
	}
}

// addCell adds a cell of a column, or a string of json that may be a number, as the decoder reads it; raw is how it is
// shown.
func (s *Survey) addCell(x *field, word, raw string, isWord, isNumber bool) {
	v, kind := s.options.Number([]byte(word))
	switch {
	case word == "":
		x.nulls++
	case slices.Contains(s.options.Missing, word):
		x.missing.add(word, maxValues)
	case isWord:
		x.addGroups(word, s.options.Decimal)
		x.addText(word, raw)
	case kind == number.Finite && (isNumber || math.Abs(v) <= number.Large || x.role != feature):
		s.fields.addNumber(x, word, v)
	case kind == number.NotFinite && x.role == feature: // it rejects the event
	default:
		x.addGroups(word, s.options.Decimal)
		x.addText(word, raw)
	}
}

// addGroups notes a text that is a number with separators between thousands, by the decimal mark of the table.
func (x *field) addGroups(s, decimal string) {
	groups := groupsWithPoint
	if decimal == event.DecimalComma {
		groups = groupsWithComma
	}
	if groups.MatchString(s) {
		x.grouped++
		x.group = cmp.Or(x.group, clip(s))
	}
}

// Numbers as 1,234.50 and 1.234,50, with blanks and quotes between thousands, too.
var (
	groupsWithPoint = regexp.MustCompile("^[+-]?[1-9][0-9]{0,2}([, \u00a0\u202f'’][0-9]{3})+([.][0-9]*)?$")
	groupsWithComma = regexp.MustCompile("^[+-]?[1-9][0-9]{0,2}([. \u00a0\u202f'’][0-9]{3})+(,[0-9]*)?$")
)

// role is that of a field by its path from the top and its name as a feature.
func (s *Survey) role(path, name string) role {
	o := &s.options
	switch {
	case path == o.LabelField:
		return label
	case path == o.IDField:
		return id
	case path == o.WeightField:
		return weight
	case o.IsIgnored(path), o.IsIgnored(name):
		return ignored
	case o.TextField != "" && (path == o.TextField || name == o.TextField):
		return text
	}
	return feature
}
