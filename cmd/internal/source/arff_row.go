package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"rosenblatt/stream/event"
)

// event makes an event of a row. If that fails, fault says why, and the event is the row as it is.
func (a *arff) event(row []byte) []byte {
	a.row, a.out, a.fault = row, append(a.out[:0], '{'), nil
	a.number++
	switch {
	case !utf8.Valid(row): // the decoder says so
		return row
	case row[0] == '{': // without blanks before it
		a.sparse()
	default:
		a.dense()
	}
	if a.fault != nil {
		return row
	}
	if n := len(a.out) - 1; a.out[n] == ',' {
		a.out = a.out[:n]
	}
	a.out = append(a.out, '}')
	return a.out
}

func (a *arff) fail(r event.Reason, format string, args ...any) {
	if a.fault == nil {
		a.fault = event.NewError(r, fmt.Sprintf(format, args...))
	}
}

func (a *arff) dense() {
	n := 0
	for ; ; n++ {
		value, quoted, ok := a.next()
		if !ok {
			break
		}
		if string(value) == "{" && !quoted && n == len(a.attributes) {
			a.rowWeight()
			break
		}
		if n < len(a.attributes) {
			a.add(n, value, quoted)
		}
	}
	if n != len(a.attributes) && (a.fault == nil || a.fault.Reason != event.Syntax) {
		a.fault = nil // of a value that may be another attribute's
		a.fail(event.Syntax, "the row has %d values, but there are %d attributes; quote a value with blanks, commas "+
			"or %%", n, len(a.attributes))
	}
}

func (a *arff) sparse() {
	a.next() // the brace
	for a.fault == nil {
		index, quoted, ok := a.next()
		if string(index) == "}" && !quoted {
			break
		}
		i, err := strconv.Atoi(string(index))
		value, quoted, there := a.next()
		switch {
		case !ok, !there, string(value) == "}" && !quoted:
			a.fail(event.Syntax, "the sparse row has no closing brace, or an index without a value")
		case err != nil || i < 0 || i >= len(a.attributes):
			a.fail(event.Syntax, "%q is no index of an attribute: want 0 to %d", index, len(a.attributes)-1)
		case a.set[i] == a.number:
			a.fail(event.Syntax, "the index %d is there twice", i)
		default:
			a.set[i] = a.number
			a.add(i, value, quoted)
		}
	}
	if value, _, more := a.next(); more && string(value) == "{" {
		a.rowWeight()
	} else if more {
		a.fail(event.Syntax, "%q behind the sparse row", value)
	}
	for _, i := range a.omitted {
		//mutation:omitted-nominal
		if a.set[i] != a.number { // a sparse row leaves out what is 0, which is the first of the values
			a.add(i, []byte(a.attributes[i].values[0]), true)
		}
	}
}

// rowWeight reads the weight of a row behind its brace.
func (a *arff) rowWeight() {
	value, _, _ := a.next()
	closing, _, _ := a.next()
	_, err := strconv.ParseFloat(string(value), 64)
	if _, _, more := a.next(); err != nil || string(closing) != "}" || more {
		a.fail(event.BadWeight, "the weight of the row is no number in braces at its end")
		return
	}
	a.weighted = true
	a.out = append(event.AppendQuoted(a.out, []byte(a.weight)), ':')
	a.addNumber(value)
	a.out = append(a.out, ',')
}

// add adds a value of an attribute to the event.
func (a *arff) add(i int, value []byte, quoted bool) {
	x := &a.attributes[i]
	if string(value) == "?" && !quoted || len(value) == 0 && !quoted {
		return
	}
	if x.kind == number && bytes.EqualFold(value, []byte("nan")) {
		return // Weka's number for a missing value
	}
	a.out = append(a.out, x.key...)
	switch x.kind {
	case word:
		a.out = event.AppendQuoted(a.out, value)
	case number:
		if !a.addNumber(value) {
			a.fail(event.BadFeatures, "the attribute %q is numeric, but %q is no number", x.name, value)
		}
	default:
		t, err := time.Parse(x.layout, string(value))
		if err != nil {
			a.fail(event.BadFeatures, "the attribute %q is a date, but %q is not written as its pattern says", x.name,
				value)
		}
		a.out = strconv.AppendInt(a.out, t.UnixMilli(), 10)
	}
	a.out = append(a.out, ',')
}

// addNumber adds a number as it is written, or as json has it.
func (a *arff) addNumber(text []byte) bool {
	v, err := strconv.ParseFloat(string(text), 64)
	switch {
	case bytes.ContainsAny(text, "xX_pP"), err != nil && !errors.Is(err, strconv.ErrRange):
		return false
	case json.Valid(text): // written as json has it
		a.out = append(a.out, text...)
	case math.IsInf(v, 0) && err == nil:
		a.fail(event.NotFinite, "the number %q is not finite; write ? where a value is missing", text)
	case math.IsInf(v, 0): // the decoder says that it is too large
		a.out = append(a.out, "1e999"...)
	default:
		a.out = strconv.AppendFloat(a.out, v, 'g', -1, 64)
	}
	return true
}
