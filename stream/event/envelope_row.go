package event

import (
	"bytes"
	"encoding/base64"
	"math"
	"strconv"
)

// rowForm writes a row of Debezium as json has it in which numbers are numbers: what the schema part says is one
// becomes one, bytes and values that the database did not log are left out. A row in which all is as it seems is taken
// as it is.
type rowForm struct {
	*outerJSON
	timed  bool // clocks are of interest
	out    []byte
	copied int // bytes of the envelope before this offset are in out, or left out
	edits  []edit
	clocks []clockAt
	wrong  Error
	sink   sink // scratch of numbers
	bytes  []byte
	scaled []outerField
}

// edit is a place from which on the form is the envelope's text, up to the next one.
type edit struct{ out, in int }

func (w *rowForm) reset() {
	w.out, w.copied, w.edits, w.clocks, w.wrong = w.out[:0], 0, w.edits[:0], w.clocks[:0], Error{}
}

// of returns the form of the row at value[from:to], which is well formed.
func (w *rowForm) of(o *outerJSON, from, to int, t *connectType) (row []byte, wrong Error) {
	w.outerJSON, w.copied = o, from
	w.edits = append(w.edits, edit{0, from})
	row = o.value[from:to:to]
	if t == nil && isForm(row) {
		return row, Error{}
	}
	w.object(from+1, t)
	if !w.changed() {
		return row, w.wrong
	}
	w.out = append(w.out, o.value[w.copied:to]...)
	return w.out, w.wrong
}

// isForm reports whether a row without types is its own form: it has no value that the database did not log, which
// an escape could hide. The row need not be well formed.
func isForm(row []byte) bool {
	return !mayLack(row) && !bytes.Contains(row, []byte(`\u`))
}

func (w *rowForm) changed() bool { return len(w.edits) > 1 }

// place returns the offset in the envelope of one in the form.
func (w *rowForm) place(offset int) int {
	last := edit{}
	for _, e := range w.edits {
		if e.out <= offset {
			last = e
		}
	}
	return last.in + offset - last.out
}

// replace writes text in place of value[from:to].
func (w *rowForm) replace(from, to int, text []byte) {
	w.out = append(append(w.out, w.value[w.copied:from]...), text...)
	w.copied = to
	w.edits = append(w.edits, edit{len(w.out), to})
}

// object writes an object from behind its brace, and returns where it ends.
func (w *rowForm) object(i int, t *connectType) int {
	return w.parts(i, '}', func(i int) (int, *connectType) {
		key, at := w.key(i)
		return at, t.member(key)
	})
}

// parts writes members or elements without those that are left out. Which says where the value of the one at an offset
// begins, and its type.
func (w *rowForm) parts(i int, closing byte, which func(i int) (at int, t *connectType)) int {
	behind, kept, left := i, false, false // behind what is kept; some are left out since
	if i = space(w.value, i); w.value[i] == closing {
		return i + 1
	}
	for more := true; more; {
		begin := i
		at, t := which(i)
		if w.leavesOut(at, t) {
			left = true
			i = w.skip(at)
		} else {
			w.close(left, behind, begin, kept)
			i = w.part(at, t)
			behind, kept, left = i, true, false
		}
		i, more = w.separator(i, closing)
	}
	if left {
		w.replace(behind, i-1, nil)
	}
	return i
}

// close closes the gap of what is left out.
func (w *rowForm) close(left bool, behind, begin int, kept bool) {
	switch {
	case left && kept:
		w.replace(behind, begin, []byte{','})
	case left:
		w.replace(behind, begin, nil)
	}
}

// leavesOut reports whether a value is left out: one that the database did not log, and bytes.
func (w *rowForm) leavesOut(i int, t *connectType) bool {
	switch w.value[i] {
	case '"':
		if t != nil && t.kind == bytesConnect {
			return true
		}
		text, _ := w.str(i, &w.text)
		return isUnlogged(text)
	case '[':
		//mutation:unlogged-array
		return w.isUnloggedArray(i) || w.leavesAllOut(i, t.listed())
	}
	return false
}

// leavesAllOut reports whether an array holds bytes and nothing else.
func (w *rowForm) leavesAllOut(i int, t *connectType) bool {
	if t == nil || t.kind != bytesConnect && t.kind != listConnect {
		return false
	}
	i = space(w.value, i+1)
	if w.value[i] == ']' {
		return t.isLeftOut()
	}
	for more := true; more; {
		if c := w.value[i]; c != '"' && c != '[' || c == '"' && t.kind != bytesConnect || !w.leavesOut(i, t) {
			return false
		}
		i, more = w.separator(w.skip(i), ']')
	}
	return true
}

// part writes a value, and returns where it ends.
func (w *rowForm) part(i int, t *connectType) int {
	switch c := w.value[i]; {
	case c == '{' && t != nil && t.kind == scaledConnect:
		return w.scaledNumber(i)
	case c == '{':
		return w.object(i+1, t)
	case c == '[':
		of := t.listed()
		return w.parts(i+1, ']', func(i int) (int, *connectType) { return i, of })
	case c == '"' && t != nil && t.kind == decimalConnect:
		next := w.skip(i)
		w.decimalNumber(i, next, i, t.scale)
		return next
	case t != nil && t.kind == clockConnect && c != '"' && c != 'n':
		return w.clock(i, t)
	}
	return w.skip(i)
}

// clock writes a number that tells a time.
func (w *rowForm) clock(i int, t *connectType) int {
	next := w.skip(i)
	n, err := strconv.ParseInt(string(w.value[i:next]), 10, 64)
	if err != nil {
		return next
	}
	if w.timed {
		w.clocks = append(w.clocks, clockAt{len(w.out) + i - w.copied, t.clock})
	}
	if t.divisor > 1 {
		var x scalar
		x.setInt(n)
		w.sink.divide(&x, t.divisor)
		w.sink.token = x.appendToken(w.sink.token[:0])
		w.replace(i, next, w.sink.token)
	}
	return next
}

// decimalNumber writes the number at value[from:to] whose bytes are in the string at offset at.
func (w *rowForm) decimalNumber(from, to, at int, scale int64) {
	text, _ := w.str(at, &w.text)
	b, err := base64.StdEncoding.AppendDecode(w.bytes[:0], text)
	//mutation:decimal-base64
	if err != nil {
		if w.wrong.Reason == OK {
			w.wrong = Error{Envelope, at, "by the schema part of the envelope " + quoted(text).String() +
				" is a decimal in base64, and it is none"}
		}
		return
	}
	w.bytes = b
	var x scalar
	x.setFloat(w.sink.decimal(b, scale))
	w.sink.token = x.appendToken(w.sink.token[:0])
	w.replace(from, to, w.sink.token)
}

// scaledNumber writes the number that an object with a scale and a value means. Another object is left as it is.
func (w *rowForm) scaledNumber(i int) int {
	if w.scaled == nil {
		w.scaled = []outerField{{name: "scale"}, {name: "value"}}
	}
	clearFields(w.scaled)
	next := w.fields(i+1, w.scaled)
	scale, value := &w.scaled[0], &w.scaled[1]
	if w.isNull(scale) || w.isNull(value) || w.value[value.from] != '"' {
		return next
	}
	if n, err := strconv.ParseInt(string(w.value[scale.from:scale.to]), 10, 32); err == nil && n > math.MinInt32 {
		w.decimalNumber(i, next, value.from, n)
	}
	return next
}
