package event

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"rosenblatt/learner"
)

// textEvents are events of the text formats, good and bad.
var textEvents = []string{
	"+1 3:1 11:0.5 3:2.5e-1 # a comment: 7:1\n", "-1 1:nan 2:1e31 3:+.5 4:5.", "1:1 2:2", "0\t1:-1\r\n", "7 1:1", "1 a",
	"1 :1", "1 a:", "1 a:b:1", "", "1", " ", " | ", "1 |", "|f", "'e1|", ",,,,,,", "# 1:1", "1 qid:3 1:1",
	"1 |f a:b x=y:p:q a:b", "1 |b:2 :3 x: 4 :y z:  w : | :1 :2 a:\t", "1:0.5 | a", "1,2 a:1",
	"1 2.5 'e17|price:2 p:0.23 sqft |b a a:2 ig:1 ig x:inf|c", "-1 |f 13:3.9656971e-02 24:3.4781646e-02", "'tag | a",
	"1 1 0.5 | a b:1:2", "| :1", "1 -1 x| a", "1 2 3 4| a", "a|b|c d", "1 1 1 1 1| a", "1 x 'y| a:",
	"x 'y 'z|", "1 'x y 'z| a", "1 2 'x z| a",
	":.5 1:0 2 3 4 5|", "1:0 2:1 |a x", "1:0 a | b", "True 1:1", "FALSE | a:1",
	`1,e1,0.5,vic,2,"The ""cat"", the dog",9` + "\r\n", `true,"e""2", 1.5 ,"a` + "\n" + `b",,x,nan`, "0,,nan,1e31,-1,,",
	",,nan,1e3,,-11,", "1,2,3,4,5,6,\nb\"",
	"1;e1;0,5;a|b;2;\"The; \"\"cat\"\"\";9", "1\t\"e\t1\"\t0.5\t a \t2\t\t9\n", "0|e|\"1\"|a;b|1.5|x y|", "1;2;\"3\",",
	"1  e1 0.5\t\"a b\" 2 'it''s' 9 ", "1 \\\"a 'b' \\N", `1, "a,b" , 'c', d, e, "f`,
	"1\te\\\tf\\\ng\\\\\\N\t\\N\tx\\ty\t1\\\"\t\t",
	`1;"a\"b\\";'c\'d';0,5;1.5;-1,25e3;1,2,3`, "1,'a,''b',\"c,~\"d\",~~,e~,f,,~", "1, \"x\ny\",,,,,", "1~e~ ~f",
	"1,e,04e09220,04e09220,1,,", "0,e,007,1e30,1,,", "1,e,inf,inf,1,,", "1,e,NA, 1e31 ,1,,", "1,e,\"1\",\"1e400\",1,,",
	"label,id,x,y,w,msg,z", " \"label\";id ; x;y;w;'msg';z\r\n", "label\tid\tx\ty\tw\tmsg\tz", "label id x y w msg z ",
	"\xef\xbb\xbflabel,id,x,y,w,msg,z", "\xef\xbb\xbf1,e1,0.5,1e3,2,a,b", "\xef\xbb\xbf1 1:1", "\xef\xbb\xbf1 | a:1",
	"1;e;0,5;0,5;1.5;m;z", "1;e;0,5;0,5;1,5;m;z", "1.0;e;1;1;1;m;z",
	"1,2,3", `1,"a"b,,,,,`, `1,a"b,,,,,`, `1,"a`, "UP,é,+1,-inf,x,y,z",
}

// textDecoders are the decoders under fuzz: one a format, that of csv with roles, with kinds, and with each delimiter.
func textDecoders(t testing.TB) []*Decoder {
	svm, vw, table := Defaults(LIBSVM), Defaults(VW), Defaults(CSV)
	svm.MaxFeatures = 4
	lax := vw
	lax.EmptyIsZero, lax.AbsentNaN = true, true
	vw.Ignore = []string{"b^ig"}
	table.Columns = []string{"label", "id", "x", "y", "w", "msg", "z"}
	table.WeightField, table.TextField, table.Ignore = "w", "msg", []string{"z"}
	all := []*Decoder{decoder(t, svm), decoder(t, vw), decoder(t, lax), decoder(t, table)}
	kinds := table
	kinds.Categorical, kinds.Numeric = []string{"x"}, []string{"y"}
	all = append(all, decoder(t, kinds))
	for _, dialect := range dialects {
		table.Dialect = dialect
		all = append(all, decoder(t, table))
	}
	return all
}

// FuzzText holds the text formats against plain readings of them.
func FuzzText(f *testing.F) {
	for _, event := range textEvents {
		f.Add([]byte(event))
	}
	decoders := textDecoders(f)
	f.Fuzz(func(t *testing.T, value []byte) {
		for _, d := range decoders {
			agreeText(t, d, value)
		}
	})
}

// TestTextAgainstOracle cuts each event at each byte.
func TestTextAgainstOracle(t *testing.T) {
	for _, d := range textDecoders(t) {
		for _, event := range textEvents {
			for n := range len(event) + 1 {
				agreeText(t, d, []byte(event[:n]))
			}
		}
	}
}

// agreeText compares all that is read of one event.
func agreeText(t *testing.T, d *Decoder, value []byte) {
	t.Helper()
	var e Example
	arena := d.Decode(&Record{Value: value}, nil, &e)
	w := &textWanted{wanted: wanted{o: d.options, weight: 1}}
	plain := strings.TrimPrefix(string(value), string(byteOrderMark))
	text := strings.TrimSuffix(strings.TrimSuffix(plain, "\n"), "\r")
	if d.options.Format == CSV {
		cells, ok := plainCells(d.options.Dialect, text)
		if header := ok && utf8.Valid(value) && slices.EqualFunc(cells, d.options.Columns, sameName); e.Skip != header {
			t.Fatalf("%q: skipped %t, want %t", value, e.Skip, header)
		}
		if e.Skip {
			return
		}
	}
	switch {
	case plain == "":
		w.reject(Empty)
	case !utf8.Valid(value):
		w.reject(Encoding)
	case d.options.Format == CSV:
		w.csv(text)
	case strings.ContainsAny(text, "\r\n"):
		w.reject(Syntax)
	case d.options.Format == VW:
		w.vw(text)
	default:
		w.libsvm(text)
	}
	w.conclude()
	if e.reason() != slices.Min(w.reasons) {
		t.Fatalf("%+v %s: %q: reason %q (%s), want %q", d.options.Dialect, d.options.Format, value, e.reason(),
			e.text(), w.reasons)
	}
	if (e.reason() == OK || e.reason() > BadLabel) && (e.Label != w.label || e.Family != w.family) {
		t.Fatalf("%s: %q: label %d of family %d, want %d of %d", d.options.Format, value, e.Label, e.Family, w.label,
			w.family)
	}
	if e.reason() != OK {
		return
	}
	if string(e.ID) != w.tag || e.IDIsJSON || e.Weight != w.weight {
		t.Fatalf("%s: %q: id %q, weight %g, want %q, %g", d.options.Format, value, e.ID, e.Weight, w.tag, w.weight)
	}
	agreeNames(t, e.Names, e.Features(arena))
	n := 0
	d.Walk(&Record{Value: value}, func(name []byte, f learner.Feature) {
		want := w.features[n]
		if string(name) != want.name || math.Float64bits(f.Value) != math.Float64bits(want.value) ||
			f.Kind != want.kind || f != arena[n] {
			t.Fatalf("%s: %q: feature %d is %q %v, want %v", d.options.Format, value, n, name, f, want)
		}
		n++
	})
	if n != len(w.features) || n != len(arena) {
		t.Fatalf("%s: %q: %d and %d features, want %v", d.options.Format, value, n, len(arena), w.features)
	}
}

// textWanted reads text formats with package strings, strconv and encoding/csv.
type textWanted struct {
	wanted
	tag   string
	empty bool // there is neither a field nor a label
}

func (w *textWanted) conclude() {
	if len(w.features) > w.o.MaxFeatures {
		w.reject(TooManyFeatures)
	}
	if w.empty && !w.o.EmptyIsZero {
		w.reject(NoFeatures)
	}
	if len(w.reasons) == 0 {
		w.reject(OK)
	}
}

// float reads a number as the text formats have it.
func float(s string) (v float64, isNumber, isFinite bool) {
	v, err := strconv.ParseFloat(s, 64)
	bare := strings.ToLower(strings.TrimLeft(s, "+-"))
	if bare == "nan" && len(s) <= 4 {
		return 0, true, false
	}
	ranged := err != nil && strings.HasSuffix(err.Error(), strconv.ErrRange.Error())
	if err != nil && !ranged || strings.ContainsAny(s, "xXpP_") {
		return 0, false, false
	}
	return v, true, bare != "inf" && bare != "infinity"
}

func (w *textWanted) measured(name, text string, scale float64) {
	v, isNumber, isFinite := float(text)
	switch {
	case slices.Contains(w.o.Ignore, name) && (isNumber || w.o.Format == VW):
	case !isNumber && w.o.Format == VW:
		w.add(name+"="+text, 1, learner.Indicator, false)
	case !isNumber:
		w.reject(Syntax)
	case name == "qid" && w.o.Format == LIBSVM:
	case !isFinite && w.o.AbsentNaN:
	case !isFinite:
		w.reject(NotFinite)
	case math.IsNaN(v * scale):
		w.reject(OutOfRange)
	default:
		w.add(name, v*scale, learner.Numeric, false)
	}
}

func (w *textWanted) labelText(s string) {
	v, isNumber, isFinite := float(s)
	switch {
	case isNumber && isFinite && v == 1:
		w.label, w.family = 1, One
	case isNumber && isFinite && v == 0:
		w.label, w.family = -1, ZeroOne
	case isNumber && isFinite && v == -1:
		w.label, w.family = -1, PlusMinus
	case slices.Contains([]string{"true", "True", "TRUE"}, s):
		w.label, w.family = 1, Boolean
	case slices.Contains([]string{"false", "False", "FALSE"}, s):
		w.label, w.family = -1, Boolean
	default:
		w.reject(BadLabel)
	}
}

func (w *textWanted) weightText(s string) {
	v, isNumber, isFinite := float(s)
	switch {
	case isNumber && !isFinite:
		w.reject(NotFinite)
	case !isNumber || v < 0:
		w.reject(BadWeight)
	case v > 1e30:
		w.reject(OutOfRange)
	default:
		w.weight = v
	}
}

func sameName(cell, name string) bool { return strings.TrimSpace(cell) == name }

func blanks(r rune) bool { return r == ' ' || r == '\t' }

func (w *textWanted) libsvm(text string) {
	text, _, comment := strings.Cut(text, "#")
	if comment && strings.Trim(text, " \t") == "" {
		w.reject(Empty)
	}
	w.empty = strings.Trim(text, " \t") == ""
	for i, token := range strings.FieldsFunc(text, blanks) {
		name, value, isPair := strings.Cut(token, ":")
		switch {
		case isPair && name != "":
			w.measured(name, value, 1)
		case i == 0 && !isPair:
			w.labelText(token)
		default:
			w.reject(Syntax)
		}
	}
}

func (w *textWanted) vw(text string) {
	head, rest, isThere := strings.Cut(text, "|")
	w.empty = strings.Trim(text, " \t|") == ""
	if !isThere {
		w.reject(Syntax)
	}
	w.head(head)
	if !isThere {
		return
	}
	for _, namespace := range strings.Split(rest, "|") {
		w.namespace(namespace)
	}
}

// head reads what is before the first bar of vw: a label with its costs, or label, importance, base and tag.
func (w *textWanted) head(text string) {
	words := strings.FieldsFunc(text, blanks)
	costs := func(word string) bool {
		return len(word) > 2 && strings.Contains(word, ":") && strings.Trim(word, "0123456789.,:+-eE") == ""
	}
	if len(words) > 1 && costs(words[0]) && costs(words[1]) {
		w.reject(BadLabel)
		return
	}
	if n := len(words); n > 0 && (strings.HasSuffix(text, words[n-1]) || words[n-1][0] == '\'') {
		w.tag = strings.TrimPrefix(words[n-1], "'")
		words = words[:n-1]
	}
	quoted := func(word string) bool { return word[0] == '\'' }
	if len(words) > 3 || len(words) > 1 && slices.ContainsFunc(words[1:], quoted) {
		w.reject(Syntax)
	}
	if len(words) > 2 {
		base, isNumber, _ := float(words[2])
		switch {
		case !isNumber:
			w.reject(Syntax)
		case base != 0 && !w.o.SkipUnknown:
			w.reject(BadFeatures)
		}
	}
	if len(words) > 1 {
		w.weightText(words[1])
	}
	if len(words) > 0 {
		w.labelText(words[0])
	}
}

func (w *textWanted) namespace(text string) {
	words := strings.FieldsFunc(text, blanks)
	prefix, scale := "", 1.0
	if len(words) > 0 && strings.HasPrefix(text, words[0]) {
		name, value, isPair := strings.Cut(words[0], ":")
		if isPair {
			v, isNumber, isFinite := float(value)
			switch {
			case !isNumber:
				w.reject(Syntax)
			case !isFinite:
				w.reject(NotFinite)
			default:
				scale = v
			}
		}
		if name != "" {
			prefix = name + "^"
		}
		words = words[1:]
	}
	unnamed := 0
	for i := 0; i < len(words); i++ {
		name, value, isPair := strings.Cut(words[i], ":")
		if isPair && value == "" && i+1 < len(words) { // the value is behind blanks
			i++
			value = words[i]
		}
		if _, isNumber, _ := float(value); name == "" && isNumber {
			name = strconv.Itoa(unnamed)
			unnamed++
		}
		switch {
		case name == "" && value == "":
			w.reject(Syntax)
		case isPair && value == "":
			w.measured(prefix+name, "1", 1)
		case !isPair:
			w.measured(prefix+name, "1", scale)
		default:
			w.measured(prefix+name, value, scale)
		}
	}
}

func (w *textWanted) csv(text string) {
	row, ok := plainCells(w.o.Dialect, text)
	if !ok || len(row) != len(w.o.Columns) {
		w.reject(Syntax)
		return
	}
	for i, cell := range row {
		trimmed := strings.Trim(cell, " \t")
		if trimmed == "" || slices.Contains(w.o.Missing, trimmed) {
			continue
		}
		switch name := w.o.Columns[i]; name {
		case "label":
			if !strings.Contains(trimmed, ".") { // a label is 1, 0 or -1: a point separates no thousands
				trimmed = w.pointed(trimmed)
			}
			w.labelText(trimmed)
		case "id":
			w.tag = cell
		case "w":
			w.weightText(w.pointed(trimmed))
		case "msg":
			w.member("msg", &node{scalar: cell}, true, true)
		case "z":
		default:
			w.cell(name, cell, w.kind(name))
		}
	}
}
