package event

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"rosenblatt/learner"
)

// wanted is what the oracle makes of an event.
type wanted struct {
	o        Options
	reasons  []Reason // all that apply
	id       any
	label    int8
	family   Family
	weight   float64
	features []wantedFeature
	flat     bool
	seen     map[string]bool // fields with a role
	null     bool            // the features field is, and that makes the event a tombstone
	skip     bool            // the event
	made     bool            // features that follow are crosses
}

type wantedFeature struct {
	name  string
	value float64
	kind  learner.Kind
}

// oracle reads an event; when it is not well formed the decoder must give one of the reasons.
func oracle(o Options, value []byte) (w *wanted, reasons []Reason) {
	for first, size := range []int{5, 17} {
		if o.Framed && len(value) >= size && len(value) <= o.MaxBytes && value[0] == byte(first) &&
			strings.HasPrefix(strings.TrimLeft(string(value[size:]), " \t\r\n"), "{") {
			value = value[size:]
			break
		}
	}
	tree, reasons := oracleTree(o, value)
	if tree == nil {
		return nil, reasons
	}
	w = &wanted{o: o, flat: true, weight: 1, seen: map[string]bool{}}
	w.walk(tree, "", true, false)
	if w.seen[o.FeaturesField] {
		w = &wanted{o: o, weight: 1, seen: map[string]bool{}}
		w.walk(tree, "", false, false)
	}
	switch {
	case w.null && slices.Contains(w.reasons, Syntax):
	case w.null && o.Tombstones == SkipTombstones:
		return &wanted{o: o, weight: 1, skip: true}, nil
	case w.null:
		return nil, []Reason{Empty}
	case len(w.features) > o.MaxFeatures:
		w.reasons = append(w.reasons, TooManyFeatures)
	case len(w.reasons) == 0:
		w.cross()
	}
	switch {
	case w.null:
	case len(tree.members) == 0 && !o.EmptyIsZero:
		w.reasons = append(w.reasons, NoFeatures)
	}
	return w, nil
}

var wholeWords = regexp.MustCompile(`[\p{L}\p{Nd}][\p{L}\p{Nd}\p{M}\x{200c}\x{200d}]*`)

func (w *wanted) reject(r Reason) { w.reasons = append(w.reasons, r) }

// is says whether a path, or within the features object a name, is that of a field.
func (w *wanted) is(path, field string, inside bool) bool {
	return field != "" && (!inside && path == field || inside && w.o.FeaturesField+"."+path == field)
}

func (w *wanted) walk(n *node, prefix string, emit, inside bool) {
	var keys []string
	for _, m := range n.members {
		path := prefix + m.key
		if prefix == "" && !inside {
			if slices.Contains(keys, m.key) {
				w.reject(DuplicateField)
				continue
			}
			keys = append(keys, m.key)
		}
		w.member(path, m.value, emit, inside)
	}
}

func (w *wanted) member(path string, v *node, emit, inside bool) {
	o := w.o
	for _, field := range []string{o.LabelField, o.IDField, o.WeightField, o.FeaturesField} {
		if w.is(path, field, inside) {
			if w.seen[field] {
				w.reject(DuplicateField)
				return
			}
			w.seen[field] = true
			w.field(field, v)
			return
		}
	}
	ignored := slices.ContainsFunc(o.Ignore, func(s string) bool {
		return w.is(path, s, inside) || inside &&
			path == s
	})
	text := w.is(path, o.TextField, inside) || inside && path == o.TextField && path != ""
	content, isString := v.scalar.(string)
	if text && !inside {
		if w.seen[o.TextField] {
			w.reject(DuplicateField)
			return
		}
		w.seen[o.TextField] = true
	}
	switch {
	case text && isString:
		words := wholeWords.FindAllString(strings.Map(unicode.ToLower, content), -1)
		for n := 1; n <= max(o.NGrams, 1); n++ {
			for i := range max(len(words)+1-n, 0) {
				w.add(path+"="+strings.Join(words[i:i+n], " "), 1, learner.Indicator, true)
			}
		}
	case v.object:
		w.walk(v, path+".", emit && !ignored, inside)
	case emit && !ignored:
		w.feature(path, v)
	}
}

func (w *wanted) field(field string, v *node) {
	switch field {
	case w.o.LabelField:
		w.labelled(v)
	case w.o.IDField:
		w.id = v.scalar
		if v.object || v.array {
			w.reject(Syntax)
		}
	case w.o.WeightField:
		n, ok := v.scalar.(json.Number)
		switch {
		case v.scalar == nil && !v.object && !v.array, blankNode(v):
		case !ok || numberOf(n) < 0:
			w.reject(BadWeight)
		case numberOf(n) > 1e30:
			w.reject(OutOfRange)
		default:
			w.weight = numberOf(n)
		}
	case w.o.FeaturesField:
		if w.null = v.scalar == nil && !v.nan && !v.object && !v.array; w.null {
			return
		}
		if !v.object {
			w.reject(BadFeatures)
			return
		}
		w.walk(v, "", true, true)
	}
}

// blankNode reports whether a value is a text without content.
func blankNode(v *node) bool {
	text, ok := v.scalar.(string)
	return ok && strings.Trim(text, " ") == ""
}

func (w *wanted) labelled(v *node) {
	if v.scalar == nil && !v.object && !v.array || blankNode(v) {
		return
	}
	var text string
	switch s := v.scalar.(type) {
	case string:
		text = s
	case bool:
		text = strconv.FormatBool(s)
	case json.Number:
		text = string(s)
		for _, name := range append([]string{"1", "-1", "0", w.o.Positive}, w.o.LabelNames...) {
			if f, err := strconv.ParseFloat(name, 64); err == nil && f == numberOf(s) {
				text = name
			}
		}
	default:
		w.reject(BadLabel)
		return
	}
	known := map[string]int8{"1": 1, "+1": 1, "true": 1, "-1": -1, "0": -1, "false": -1}
	families := map[string]Family{"1": One, "+1": One, "true": Boolean, "-1": PlusMinus, "0": ZeroOne, "false": Boolean}
	switch {
	case w.o.Positive != "":
		w.label, w.family = -1, Named
		if text == w.o.Positive {
			w.label = 1
		}
	case len(w.o.LabelNames) != 0:
		w.label, w.family = int8(2*slices.Index(w.o.LabelNames, text)-1), Named
		if w.label == -3 {
			w.label, w.family = 0, Unlabelled
			w.reject(BadLabel)
		}
	case known[text] == 0:
		w.reject(BadLabel)
	default:
		w.label, w.family = known[text], families[text]
	}
}

// kind is how the options have a feature read: as a word, as a number, or as it is written.
func (w *wanted) kind(name string) string {
	of := func(parts []string) bool {
		return slices.ContainsFunc(parts, func(part string) bool {
			return name == part || strings.HasSuffix(part, ".") && strings.HasPrefix(name, part)
		})
	}
	switch {
	case of(w.o.Categorical):
		return "word"
	case of(w.o.Numeric):
		return "number"
	case of(w.o.TimeParts):
		return "time"
	}
	return ""
}

// cell is a cell of a feature, or a string of json that may be a number.
func (w *wanted) cell(name, text, kind string) {
	trimmed := strings.Trim(text, " \t")
	v, isNumber, isFinite := float(w.pointed(trimmed))
	switch {
	case trimmed == "", slices.Contains(w.o.Missing, trimmed):
	case kind == "word", !isNumber, kind == "" && isFinite && math.Abs(v) > 1e30:
		w.add(name+"="+text, 1, learner.Indicator, false)
	case !isFinite:
		w.reject(NotFinite)
	default:
		w.add(name, v, learner.Numeric, false)
	}
}

func (w *wanted) feature(name string, v *node) {
	kind := w.kind(name)
	if kind == "time" && !v.nan {
		w.time(name, v)
		return
	}
	switch s := v.scalar.(type) {
	case json.Number:
		if kind == "word" {
			w.add(name+"="+string(s), 1, learner.Indicator, false)
			break
		}
		w.add(name, numberOf(s), learner.Numeric, false)
	case string:
		if kind == "number" {
			w.cell(name, s, kind)
			break
		}
		w.add(name+"="+s, 1, learner.Indicator, false)
	case bool:
		w.add(name+"="+strconv.FormatBool(s), 1, learner.Indicator, false)
	}
	if w.o.SkipUnknown && mixed(v) {
		return
	}
	for i, m := range v.members { // of an array
		_, words := v.members[0].value.scalar.(string)
		if m.value.nan && !words {
			continue
		}
		switch s := m.value.scalar.(type) {
		case json.Number:
			if kind == "word" {
				w.add(name+"="+string(s), 1, learner.Indicator, true)
			} else {
				w.add(name+"["+strconv.Itoa(i)+"]", numberOf(s), learner.Numeric, false)
			}
			if words {
				w.reject(BadFeatures)
			}
		case string:
			w.add(name+"="+s, 1, learner.Indicator, true)
			if !words {
				w.reject(BadFeatures)
			}
		default:
			w.reject(BadFeatures)
		}
	}
}

// mixed reports whether an array holds neither only numbers nor only strings.
func mixed(v *node) bool {
	numbers, words := 0, 0
	for _, m := range v.members {
		if m.value.nan {
			numbers++
		}
		switch m.value.scalar.(type) {
		case json.Number:
			numbers++
		case string:
			words++
		}
	}
	return numbers != len(v.members) && words != len(v.members)
}

func (w *wanted) add(name string, v float64, k learner.Kind, once bool) {
	if v > 1e30 || v < -1e30 {
		w.reject(OutOfRange)
		return
	}
	base, _, _ := strings.Cut(name, "[")
	for _, part := range w.o.Log {
		if k == learner.Numeric && !w.made && (part == base || part == "a." && strings.HasPrefix(name, part)) {
			v = learner.LogScale(v)
			break
		}
	}
	for i := range w.features {
		if f := &w.features[i]; f.name == name {
			if !once {
				f.value += v
			}
			if f.value > 1e30 || f.value < -1e30 {
				w.reject(OutOfRange)
			}
			return
		}
	}
	w.features = append(w.features, wantedFeature{name, v, k})
}
