package event

import (
	"fmt"
	"slices"
	"strings"

	"rosenblatt/stream/internal/number"
)

// kind is what the values of a feature are taken for.
type kind uint8

const (
	anyKind    kind = iota // as they are written: numbers, words; in a table a number over the limit is a word
	wordKind               // a number is a word, too
	numberKind             // a number; in json a string is read as a cell, in a table one over the limit is an error
	timeKind               // a time, of which the hour and the day of the week are features
)

// isNumber reports whether a number is a feature.
func (k kind) isNumber() bool { return k == anyKind || k == numberKind }

// kind returns that of a feature, or of a column.
func (o *Options) kind(name string) kind {
	switch {
	case slices.ContainsFunc(o.Categorical, func(part string) bool { return o.means(part, name) }):
		return wordKind
	case slices.ContainsFunc(o.Numeric, func(part string) bool { return o.means(part, name) }):
		return numberKind
	case slices.ContainsFunc(o.TimeParts, func(part string) bool { return o.means(part, name) }):
		return timeKind
	}
	return anyKind
}

// means reports whether a part of Categorical or Numeric is about a name: its own, or one that begins with the part,
// where that ends in a dot and is no name of a column.
func (o *Options) means(part, name string) bool {
	return part == name || o.isGroup(part) && strings.HasPrefix(name, part)
}

// Takes reports whether a part of Cross, Log, Ignore or of a kind is about a field: about its features, some of them,
// or those of all fields whose names begin so.
func (o *Options) Takes(part, field string) bool {
	if o.means(part, field) || strings.TrimSuffix(part, ".") == field || strings.HasPrefix(part, field+"=") ||
		strings.HasPrefix(field, part+"=") {
		return true
	}
	rest, longer := strings.CutPrefix(part, field)
	return longer && (o.HasObjects() && isElement([]byte(rest)) || o.IsTime(field) && (rest == ".hour" ||
		rest == ".weekday"))
}

// IsIgnored reports whether a field or feature of this name, or path from the top, is no feature.
func (o *Options) IsIgnored(name string) bool {
	return slices.ContainsFunc(o.Ignore, func(part string) bool {
		return o.means(part, name) || o.isGroup(part) && strings.TrimSuffix(part, ".") == name
	})
}

// IsWord reports whether a number is a word in a feature or column of this name.
func (o *Options) IsWord(name string) bool { return o.kind(name) == wordKind }

// IsNumber reports whether the strings of a feature of json are read as the cells of a table are.
func (o *Options) IsNumber(name string) bool { return o.kind(name) == numberKind }

// IsTime reports whether the values of a feature or column of this name are times.
func (o *Options) IsTime(name string) bool { return o.kind(name) == timeKind }

// HasKind reports whether it is said what the values of a feature or column are.
func (o *Options) HasKind(name string) bool { return o.kind(name) != anyKind }

// SameKinds reports whether the same values of an event of the same format are words, and in json numbers, by both
// options. Tables may have different columns: those of both count.
func (o *Options) SameKinds(as *Options) bool {
	if o.Format != as.Format {
		return true
	}
	names := slices.Concat(o.Categorical, o.Numeric, as.Categorical, as.Numeric)
	if !o.HasObjects() {
		names = o.Columns
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		a, b := o.kind(name), as.kind(name)
		if !o.HasObjects() {
			return slices.Contains(as.Columns, name) && (a == wordKind) != (b == wordKind)
		}
		return a != b
	})
}

// validateKinds also checks the words for missing values, which json has for its numbers in quotes.
func (o *Options) validateKinds() error {
	for _, part := range slices.Concat(o.Categorical, o.Numeric, o.TimeParts) {
		column := func(name string) bool { return o.means(part, name) }
		switch {
		case part == "":
			return fmt.Errorf("categorical, numeric and time-parts: an empty name: want names of features")
		case !o.HasObjects() && !slices.ContainsFunc(o.Columns, column):
			return fmt.Errorf("%q is none of the columns %s", part, strings.Join(o.Columns, ","))
		case slices.Contains(o.named(), part) || slices.Contains(o.Ignore, part):
			return fmt.Errorf("%q is no feature: leave it out of categorical, numeric and time-parts", part)
		}
	}
	//mutation:kinds-overlap
	if both := o.both(o.Categorical, o.Numeric); both != "" {
		return fmt.Errorf("%q is both categorical and numeric: want one of them", both)
	}
	for what, parts := range map[string][]string{"categorical": o.Categorical, "numeric": o.Numeric} {
		if both := o.both(parts, o.TimeParts); both != "" {
			return fmt.Errorf("%q is both %s and a time: want one of them", both, what)
		}
	}
	return distinct("feature", slices.Concat(o.Categorical, o.Numeric, o.TimeParts))
}

// both returns a name that one of some parts means and one of others, too; empty if there is none.
func (o *Options) both(some, others []string) string {
	for _, names := range [][]string{o.Columns, some, others} {
		for _, name := range names {
			means := func(part string) bool { return o.means(part, name) }
			if slices.ContainsFunc(some, means) && slices.ContainsFunc(others, means) {
				return name
			}
		}
	}
	return ""
}

// validateMissing checks the words for missing values.
func (o *Options) validateMissing() error {
	for _, word := range o.Missing {
		if word == o.Positive || slices.Contains(o.LabelNames, word) {
			return fmt.Errorf("%q is the name of a label and means a missing value: want one of them", word)
		}
		_, kind := number.Text(view(word))
		if kind == number.Finite || word == "" || len(trim([]byte(word))) != len(word) {
			return fmt.Errorf("%q cannot mean a missing value: want words, no numbers, without blanks around", word)
		}
	}
	return nil
}

// kinds adds the names of features of a kind, which are looked up after those with a role.
func (f *fieldRoles) kinds(o *Options) {
	for _, names := range []struct {
		parts []string
		as    role
	}{{o.Categorical, wordRole}, {o.Numeric, numberRole}, {o.TimeParts, timeRole}} {
		for _, part := range names.parts {
			f.kind(part, names.as)
		}
	}
}

func (f *fieldRoles) kind(part string, r role) {
	if !strings.HasSuffix(part, ".") {
		dotted := f.dotted
		f.add(part, r)
		f.dotted = dotted // no need to look for it where there are no features
		return
	}
	f.prefix(part, r)
}

// prefix adds the names that begin so.
func (f *fieldRoles) prefix(part string, r role) {
	f.prefixes = append(f.prefixes, part)
	f.prefixRoles = append(f.prefixRoles, r)
	f.lengths = ^uint64(0)
}

// byPrefix returns the role of a name without one of its own.
func (f *fieldRoles) byPrefix(name []byte) role {
	for i, prefix := range f.prefixes {
		if len(name) >= len(prefix) && string(name[:len(prefix)]) == prefix {
			return f.prefixRoles[i]
		}
	}
	return plainRole
}
