package survey

import (
	"slices"
	"strings"

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
		v, kind := s.options.Number([]byte(word))
		switch {
		case word == "":
			x.nulls++
		case kind == number.Finite:
			s.fields.addNumber(x, word, v)
		case slices.Contains(s.options.Missing, word):
			x.missing.add(word, maxValues)
		case kind == number.NotFinite && x.role == feature: // it rejects the event
		default:
			x.addText(word, word)
		}
	}
}

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
	case slices.Contains(o.Ignore, path), slices.Contains(o.Ignore, name):
		return ignored
	case o.TextField != "" && (path == o.TextField || name == o.TextField):
		return text
	}
	return feature
}
