package survey

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/event"
)

// kindsOf is what FixKinds makes of one column: "words", "numbers" or "both".
func kindsOf(values []string, change func(*event.Options)) string {
	o := event.Defaults(event.CSV)
	o.Columns = []string{"x", "label"}
	if change != nil {
		change(&o)
	}
	var rows [][]byte
	for _, v := range values {
		rows = append(rows, []byte(v+",1"))
	}
	FixKinds(&o, rows)
	switch {
	case slices.Contains(o.Categorical, "label") || slices.Contains(o.Numeric, "label"):
		return "the label, too"
	case len(o.Categorical) > 0:
		return "words"
	case len(o.Numeric) > 0:
		return "numbers"
	}
	return "both"
}

// some are n values, each made by its number.
func some(n int, value func(i int) string) (all []string) {
	for i := range n {
		all = append(all, value(i))
	}
	return all
}

// TestFixKinds holds the kinds of columns as people have them.
func TestFixKinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	number := func(i int) string { return fmt.Sprint(float64(i) + 0.5) }
	whole := func(from, most int) func(int) string {
		return func(i int) string { return fmt.Sprint(from + i%most) }
	}
	always := func(s string) func(int) string { return func(int) string { return s } }
	list := func(s string) []string { return strings.Split(s, " ") }
	hash := func(size int) func(int) string {
		return func(int) string { return fmt.Sprintf("%08x", r.Uint32())[:size] }
	}
	mostly := func(usual func(int) string, odd string) []string { return append(some(200, usual), list(odd)...) }
	for name, c := range map[string]struct {
		want   string
		values []string
	}{
		"numbers":                 {"numbers", some(50, number)},
		"a number over the limit": {"numbers", mostly(number, "1e400")},
		"infinity":                {"numbers", mostly(number, "inf -Infinity")},
		"missing values":          {"numbers", mostly(number, " NA ? nan")},
		"digits with zeros":       {"numbers", list("02134 10001 00501")},
		"nothing":                 {"both", list(" NA ?")},

		"words":                             {"words", list("red blue")},
		"one word":                          {"words", list("red  NA")},
		"words and what looks like numbers": {"words", list("red 1e5 inf 007 blue green x")},
		"half words":                        {"words", list("a 1 b 2")},
		"seats":                             {"words", list("2 4 more 2 4 more 2 4")},
		"school grades":                     {"words", mostly(whole(1, 12), "K K K")},
		"many remarks": {"words", append(some(200, number),
			some(30, func(i int) string { return strings.Repeat("x", i+1) })...)},

		"hashes":                        {"words", some(1000, hash(8))},
		"short hashes":                  {"words", some(200, hash(7))},
		"a few hashes":                  {"words", list("a99f214a 07e10237 15414e28 30903e74 04e09220")},
		"a frequent hash of digits":     {"words", mostly(always("28905411"), "a99f214a 1fbe01fe 3f e")},
		"hashes without a letter but e": {"words", list("04e09220 12345678 30903e74")},
		"ids of forty digits":           {"words", list(strings.Repeat("7", 40) + " 1" + strings.Repeat("0", 39))},
		"tickets":                       {"words", mostly(whole(113800, 200), "PC17599 A/5 STON/O2 W./C.6607")},
		"diagnoses":                     {"words", mostly(whole(250, 30), "V57 E909 V45")},
		"lines of buses":                {"words", mostly(whole(1, 60), "N7 5A 12B")},

		"a mark for missing values": {"both", mostly(number, "- unknown --")},
		"mostly such marks":         {"both", append(some(10, number), some(100, always("-"))...)},
		"a remark":                  {"both", mostly(number, "later broken")},
		"counts with a mark":        {"both", mostly(whole(0, 5), "- ? unknown")},
		"limits of measurement":     {"both", mostly(number, "<0.01 >100 5+")},
		"thousands":                 {"both", append(some(50, number), some(50, always(`"1,103.50"`))...)},
		"dollars":                   {"both", append(some(50, number), some(50, always("$7"))...)},
		"one typing error":          {"both", mostly(number, "12o")},
		"a large number and a mark": {"both", mostly(number, "unknown 1e400")},
	} {
		if got := kindsOf(c.values, nil); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestFixKindsKeepsWhatIsSaid: what the settings say stays, and what has another role is no feature; rows that the
// decoder rejects, and formats without columns, say nothing.
func TestFixKindsKeepsWhatIsSaid(t *testing.T) {
	words, numbers := []string{"red"}, []string{"1"}
	for name, c := range map[string]struct {
		want, got string
	}{
		"numbers as words": {"words", kindsOf(numbers, func(o *event.Options) { o.Categorical = []string{"x"} })},
		"words as numbers": {"numbers", kindsOf(words, func(o *event.Options) { o.Numeric = []string{"x"} })},
		"by a prefix": {"words", kindsOf(numbers, func(o *event.Options) {
			o.Columns[0], o.Categorical = "g.x", []string{"g."}
		})},
		"ignored":           {"both", kindsOf(words, func(o *event.Options) { o.Ignore = []string{"x"} })},
		"the text":          {"both", kindsOf(words, func(o *event.Options) { o.TextField = "x" })},
		"more cells":        {"both", kindsOf([]string{"a,b", `"`}, nil)},
		"missing as a word": {"both", kindsOf([]string{"1", "NA"}, func(o *event.Options) { o.Missing = nil })},
		"json": {"both", kindsOf(words, func(o *event.Options) {
			*o = event.Defaults(event.JSON)
		})},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", name, c.got, c.want)
		}
	}
}
