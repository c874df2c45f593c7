package survey

import (
	"cmp"
	"encoding/binary"
	"math"
	"strings"

	"github.com/cespare/xxhash/v2"

	"rosenblatt/stream/internal/number"
)

// role is what a field is for.
type role uint8

const (
	feature role = iota
	label
	id
	weight
	text
	ignored
)

// Bounds of what is kept.
const (
	maxFields   = 1000 // others are counted
	maxDistinct = 1000 // of a field
	maxValues   = 50   // of the label, with their counts
	maxExample  = 40   // bytes
	maxName     = 256  // bytes
	fewOdd      = 2    // texts of a field that are kept
)

type fields struct {
	all     []*field // in the order in which they came
	names   map[string]*field
	more    int      // occurrences of names beyond maxFields
	scaling *scaling // nil: nothing is said of it
}

// field is what is known of one field.
type field struct {
	place    int    // among all fields
	name     string // as a feature
	path     string // from the top of the event, where it was first
	role     role
	numbers  int
	texts    int
	bools    int
	nulls    int    // null, and blank cells
	objects  int    // arrays and objects that reject the event
	arrays   int    // of numbers or of texts, which become features
	missing  counts // words of event.Options.Missing
	values   counts // of the label
	distinct map[uint64]struct{}
	example  string // the first value that is no word for a missing one, else the first
	vague    bool   // the example is such a word

	// Of the numbers.
	common  map[float64]int // values with their counts, at most countedNumbers
	squares float64         // the sum of theirs

	// Of the texts.
	plain    int    // numbers, in quotes
	numeric  int    // what reads as a number to people alone, as with a comma, or as $7 and 3%
	fraction bool   // one of them has a point or a comma
	signed   bool   // one of them has a sign of a currency, a %, or blanks between thousands
	commas   int    // of numeric, those with a decimal comma
	comma    string // the first of them
	grouped  int    // those with separators between thousands that the decoder does not read
	group    string // the first of them
	odd      counts // texts, at most a few
	dates    int
	words    int    // parts between blanks
	coded    int    // base64
	padded   int    // of those, the ones that end in its padding
	absent   counts // words that often mean a missing value
	huge     int    // of the numbers, integers that a float64 does not hold
	wholes   wholes // of the numbers
}

// counts counts texts.
type counts struct {
	names []string
	of    map[string]int
}

func (c *counts) addTimes(name string, n int) {
	if c.add(name, maxValues); c.of[name] > 0 {
		c.of[name] += n - 1
	}
}

func (c *counts) add(name string, most int) {
	name = name[:min(len(name), maxName)]
	if c.of == nil {
		c.of = map[string]int{}
	}
	if c.of[name] == 0 {
		if len(c.names) == most {
			return
		}
		name = strings.Clone(name)
		c.names = append(c.names, name)
	}
	c.of[name]++
}

func (f *fields) field(name, path string, r role) *field {
	name, path = name[:min(len(name), maxName)], path[:min(len(path), maxName)]
	x := f.names[name]
	if x != nil {
		return x
	}
	if len(f.all) == maxFields {
		f.more++
		return nil
	}
	if f.names == nil {
		f.names = map[string]*field{}
	}
	x = &field{place: len(f.all), name: strings.Clone(name), path: strings.Clone(path), role: r,
		distinct: map[uint64]struct{}{}}
	f.names[x.name] = x
	f.all = append(f.all, x)
	return x
}

// see notes a value as it is written.
func (x *field) see(raw string, missing bool) {
	if x.example == "" || x.vague && !missing {
		x.example, x.vague = clip(raw), missing
	}
	if len(x.distinct) < maxDistinct {
		x.distinct[xxhash.Sum64String(raw)] = struct{}{}
	}
	if x.role == label {
		x.values.add(raw, maxValues)
	}
}

// word adds a feature of vw that is a word, name=word.
func (s *Survey) word(named string) {
	name, word, _ := strings.Cut(named, "=")
	if x := s.fields.field(name, name, s.role(name, name)); x != nil {
		x.addText(word, word)
	}
}

// number adds a value of a format without quotes and fields.
func (s *Survey) number(name string, v float64) {
	x := s.fields.field(name, name, s.role(name, name))
	if x == nil {
		return
	}
	x.numbers++
	s.fields.note(x, v)
	var raw [8]byte
	binary.LittleEndian.PutUint64(raw[:], math.Float64bits(v))
	x.distinct[xxhash.Sum64(raw[:])] = struct{}{}
	if x.example == "" {
		x.example = format(v)
	}
}

// note notes a number of a feature for what is said of scaling.
func (f *fields) note(x *field, v float64) {
	if x.role == feature && math.Abs(v) <= number.Large { // else it rejects the event
		x.addSize(v)
		f.scaling.note(x.place, v)
	}
}

// addNumber adds a number as it is written.
func (f *fields) addNumber(x *field, raw string, v float64) {
	x.numbers++
	f.note(x, v)
	const exact = 1 << 53
	if math.Abs(v) > exact && !strings.ContainsAny(raw, ".eE") {
		x.huge++
	}
	x.wholes.add(raw, v)
	x.see(raw, false)
}

// addText adds a text, or a number that is read as one; raw is how it is shown.
func (x *field) addText(s, raw string) {
	x.texts++
	x.odd.add(s, fewOdd)
	x.words += len(strings.Fields(s))
	x.addCoded(s)
	t := strings.TrimSpace(s)
	missing := usuallyMissing(t)
	switch {
	case missing:
		x.absent.add(t, maxValues)
	case isDate(t):
		x.dates++
	case isPlain(t):
		x.plain++
		x.fraction = x.fraction || strings.Contains(t, ".")
	case isNumber(t):
		x.numeric++
		x.signed = x.signed || bare(t) != t
		x.fraction = x.fraction || strings.ContainsAny(t, ".,")
		if isDecimalComma(t) {
			x.commas++
			x.comma = cmp.Or(x.comma, clip(t))
		}
	}
	x.see(raw, missing)
}

// count is how often the field had a value.
func (x *field) count() int { return x.numbers + x.texts + x.bools + x.arrays + x.objects }

// clip shortens an example.
func clip(s string) string {
	if len(s) <= maxExample {
		return strings.Clone(s)
	}
	return strings.ToValidUTF8(s[:maxExample-len("…")], "") + "…"
}
