package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"rosenblatt/stream/event"
)

// ARFF is a format of files alone, that of Weka and MOA. A header declares attributes, and each row, dense or sparse,
// becomes a json event: nominal attributes and strings are strings there, and numbers and dates are numbers. The
// grammar is that of Weka's ArffLoader: commas and blanks separate, quotes may be single or double, with escapes, and a
// % that is not quoted begins a comment.
const ARFF = "arff"

// arff is what the header of a file says, and the row that is read.
type arff struct {
	attributes []attribute
	weight     string // the name of the field with a row's weight: no attribute has it
	omitted    []int  // attributes of which a sparse row leaves out a word, the first that is declared

	row      []byte // what is left of it
	out      []byte // the event
	text     []byte // scratch: an unescaped word
	set      []int  // of each attribute, the number of the row that has it
	number   int
	fault    *event.Error
	weighted bool // a row had a weight
}

type attribute struct {
	name   string
	key    []byte // of the event, with the colon
	kind   attributeKind
	layout string   // of a date
	values []string // of a nominal attribute
}

type attributeKind uint8

const (
	number attributeKind = iota
	word                 // nominal, or a string
	date
)

// ErrARFF is wrapped in the error of a header that cannot be used.
var ErrARFF = errors.New("the header of the ARFF file cannot be used")

// beginARFF reads the header.
func (s *File) beginARFF() error {
	a := &arff{}
	for data := false; !data; {
		line, err := s.value()
		if errors.Is(err, io.EOF) {
			if s.read == 0 {
				return &Error{Path: s.path, Err: ErrEmpty}
			}
			return &Error{Path: s.path, Err: fmt.Errorf("%w: it has no line @data", ErrARFF)}
		}
		if err != nil {
			return s.reading(err)
		}
		if data, err = a.declare(line); err != nil {
			return s.fault(fmt.Errorf("%w: %w", ErrARFF, err))
		}
	}
	if len(a.attributes) == 0 {
		return s.fault(fmt.Errorf("%w: it declares no attribute", ErrARFF))
	}
	s.arff = a
	a.complete()
	s.table.Label, s.table.Weight = a.attributes[len(a.attributes)-1].name, a.weight
	s.table.Values = map[string][]string{}
	for _, x := range a.attributes {
		s.table.Values[x.name] = x.values
	}
	return nil
}

// Fault says why the last value that Next returned is no event: the row of an ARFF file that does not suit its header,
// as it is, or a line with bytes that the encoding lacks, with one that is not UTF-8 in the place of each. It is nil if
// nothing is wrong with the value.
func (s *File) Fault() *event.Error { return s.refused }

// Weighted reports whether a row that was read has a weight in braces.
func (s *File) Weighted() bool { return s.arff != nil && s.arff.weighted }

// declare reads a line of the header, and reports whether the data begin behind it.
func (a *arff) declare(line []byte) (data bool, err error) {
	a.row = line
	keyword, _, ok := a.next()
	switch {
	case !ok:
		return false, nil
	case bytes.EqualFold(keyword, []byte("@relation")):
		return false, nil
	case bytes.EqualFold(keyword, []byte("@data")):
		return true, nil
	case !bytes.EqualFold(keyword, []byte("@attribute")):
		return false, fmt.Errorf("%q: want @relation, @attribute or @data", keyword)
	}
	name, _, ok := a.next()
	if !ok {
		return false, errors.New("an attribute without a name")
	}
	x := attribute{name: string(name)}
	if slices.ContainsFunc(a.attributes, func(b attribute) bool { return b.name == x.name }) {
		return false, fmt.Errorf("the attribute %q is declared twice", x.name)
	}
	x.key = append(event.AppendQuoted(nil, name), ':')
	err = a.declareKind(&x)
	a.attributes = append(a.attributes, x)
	if a.fault != nil {
		return false, errors.New(a.fault.Message())
	}
	return false, err
}

// declareKind reads the type of an attribute. What is behind that of numbers, such as a range, says nothing.
func (a *arff) declareKind(x *attribute) (err error) {
	kind, quoted, ok := a.next()
	switch lower := strings.ToLower(string(kind)); {
	case !ok:
		return fmt.Errorf("the attribute %q has no type", x.name)
	case lower == "{" && !quoted:
		return a.declareValues(x)
	case lower == "numeric", lower == "real", lower == "integer":
	case lower == "string":
		x.kind = word
	case lower == "date":
		pattern, _, given := a.next()
		if !given {
			pattern = []byte("yyyy-MM-dd'T'HH:mm:ss")
		}
		x.kind = date
		x.layout, err = layout(string(pattern))
	case lower == "relational":
		return fmt.Errorf("the attribute %q is relational, and a bag of rows is no event: want numeric, nominal, "+
			"string and date attributes", x.name)
	default:
		return fmt.Errorf("the attribute %q has the type %q: want numeric, real, integer, string, date or {values}",
			x.name, kind)
	}
	return err
}

func (a *arff) declareValues(x *attribute) error {
	x.kind = word
	for {
		value, quoted, ok := a.next()
		switch {
		case !ok:
			return fmt.Errorf("the values of the attribute %q have no closing brace on the line", x.name)
		case string(value) == "}" && !quoted:
			return nil
		}
		x.values = append(x.values, string(value))
	}
}

// complete prepares the reading of rows.
func (a *arff) complete() {
	a.weight = "weight"
	for slices.ContainsFunc(a.attributes, func(x attribute) bool { return x.name == a.weight }) {
		a.weight += "_"
	}
	for i, x := range a.attributes {
		if len(x.values) > 0 {
			a.omitted = append(a.omitted, i)
		}
	}
	a.set = make([]int, len(a.attributes))
}
