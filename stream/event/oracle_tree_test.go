package event

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"unicode/utf8"
)

// The oracle of the json decoder: encoding/json reads the event into a tree, and what it means is found by searching
// the tree over and over. It shares no code with the decoder.

// node is a JSON value. A scalar is a string, a json.Number, a bool or nil.
type node struct {
	scalar  any
	object  bool
	array   bool
	nan     bool     // NaN or Infinity, which are absent
	members []member // of an object, in order, with their doubles; of an array
}

type member struct {
	key   string
	value *node
}

var surrogate = regexp.MustCompile(`^\\u[dD][89a-fA-F][0-9a-fA-F]{2}`)
var pair = regexp.MustCompile(`^\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}`)

// halves says whether there is half a surrogate pair in b.
func halves(b []byte) bool {
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] != '\\':
		case pair.Match(b[i:]):
			i += 11
		case surrogate.Match(b[i:]):
			return true
		default:
			i++
		}
	}
	return false
}

// oracleTree reads the event, or gives the reasons of which one must be given.
func oracleTree(o Options, value []byte) (tree *node, reasons []Reason) {
	value = bytes.TrimPrefix(value, byteOrderMark)
	if o.AbsentNaN && utf8.Valid(value) {
		value = absentNumbers.ReplaceAllFunc(value, func(found []byte) []byte {
			if found[0] == '"' {
				return found
			}
			return []byte(" " + absentNumber + " ")
		})
	}
	switch {
	case len(value) == 0:
		return nil, []Reason{Empty}
	case len(value) > o.MaxBytes:
		return nil, []Reason{TooLarge}
	case !utf8.Valid(value) || halves(value):
		return nil, []Reason{Encoding}
	case !json.Valid(value):
		return nil, []Reason{Syntax, TooDeep} // whichever is met first
	}
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	tree, depth := readNode(d)
	switch {
	case !tree.object:
		return nil, []Reason{Syntax}
	case depth > o.MaxDepth:
		return nil, []Reason{Syntax, TooDeep} // syntax: an id that is an object, met before
	}
	return tree, nil
}

// absentNumber is what the oracle reads in place of NaN and Infinity.
const absentNumber = "4.9406564584124654e-324"

// absentNumbers matches them, and strings, in which they are text.
var absentNumbers = regexp.MustCompile(`"(?:[^"\\]|\\.)*"?|-?Infinity|NaN`)

func readNode(d *json.Decoder) (n *node, depth int) {
	token, err := d.Token()
	if err != nil {
		panic(err) // it was valid
	}
	delim, ok := token.(json.Delim)
	if token == json.Number(absentNumber) {
		return &node{nan: true}, 0
	}
	if !ok {
		return &node{scalar: token}, 0
	}
	n = &node{object: delim == '{', array: delim == '['}
	for d.More() {
		var m member
		if n.object {
			token, err := d.Token()
			if err != nil {
				panic(err)
			}
			m.key = token.(string)
		}
		var below int
		m.value, below = readNode(d)
		depth = max(depth, below)
		n.members = append(n.members, m)
	}
	if _, err := d.Token(); err != nil {
		panic(err)
	}
	return n, depth + 1
}

// numberOf is what encoding/json's number is as float64; infinite when it is too large.
func numberOf(n json.Number) float64 {
	v, _ := strconv.ParseFloat(string(n), 64)
	return v
}
