package event

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"rosenblatt/stream/internal/number"
)

// checkTemplateNumber compares the number that each rest of a text begins with, as that of a feature of a template,
// with number.Text.
func checkTemplateNumber(t *testing.T, d *Decoder, text string) {
	t.Helper()
	for i := range len(text) + 1 {
		word := text[i:]
		if end := strings.IndexAny(word, " \t|\r\n"); end >= 0 {
			word = word[:end]
		}
		want, k := number.Text([]byte(word))
		for _, more := range []string{"", " x:1", "\n", " x:0.123456 a.long.name:0.123456 and.another.name:0.5"} {
			var e Example
			fits := inOnePass(d, "| k:"+word+more, &e)
			spelled := k == number.Word && word != "" && utf8.ValidString(word) // city:paris
			if fits != (spelled || k == number.Finite && math.Abs(want) <= limit) {
				t.Fatalf("%q with %q after it: fits %v", word, more, fits)
			}
			if fits && !spelled && math.Float64bits(d.arena[0].Value) != math.Float64bits(want) {
				t.Fatalf("%q with %q after it: %v, want %v", word, more, d.arena[0].Value, want)
			}
		}
	}
}

// withTemplate returns a decoder whose template is that of checkTemplateNumber.
func withTemplate(t testing.TB) *Decoder {
	d := decoder(t, Defaults(VW))
	decoded(d, "| k:1 x:1 a.long.name:1 and.another.name:1")
	return d
}

// TestNumbersAtTheEnd cuts events of numbers of all sizes at each byte: near the end of an event, numbers are read in a
// copy. They are read as without a template, so a cut number, key or row is noticed.
func TestNumbersAtTheEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, format := range FormatNames() {
		if format == Avro {
			continue // it has no numbers in text
		}
		d := decoder(t, benchOptions(format))
		for range 3 {
			event := randomEvent(r, format)
			for i := range len(event) + 1 {
				for range 2 {
					eager(d)
					agreeGeneral(t, d, event)
				}
				agreeGeneral(t, d, event[:i])
			}
		}
	}
}

// randomEvent is benchEvent with other numbers.
func randomEvent(r *rand.Rand, format string) string {
	return numberPattern.ReplaceAllStringFunc(benchEvent(format, "%.6f"), func(string) string {
		v := (r.Float64() - 0.5) * math.Pow10(r.IntN(8)-2)
		return strconv.FormatFloat(v, "efg"[r.IntN(3)], r.IntN(20)-1, 64)
	})
}

var numberPattern = regexp.MustCompile(`-?\d\.\d{6}`)

// agreeGeneral compares an event's features with those that are read without the template.
func agreeGeneral(t *testing.T, d *Decoder, event string) {
	t.Helper()
	var e, general Example
	got := d.Decode(&Record{Value: []byte(event)}, nil, &e)
	parsed(d, []byte(event), nil, &general)
	if e.reason() != general.reason() || e.Label != general.Label || !slices.Equal(got, d.arena) {
		t.Fatalf("%s: %v %v, without the template %v %v", event, e.reason(), got, general.reason(), d.arena)
	}
}

func FuzzTemplateNumber(f *testing.F) {
	for _, s := range []string{"", "0", "-0", "-0.0", "1.", ".5", ".", "-", "-.", "0.056443", "1234567", "12345678",
		"1.1234567", "1.12345678", "9999999.9999999 ", "0.1,0.2", "1e5", "+1", "007", "nan", "1e31",
		"0.30000000000000004", "-12345678901234567890", "1.7976931348623157e-308"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { checkTemplateNumber(t, withTemplate(t), text) })
}

// TestTemplateNumber reads numbers as programs print them, anywhere in a line.
func TestTemplateNumber(t *testing.T) {
	r, d := rand.New(rand.NewPCG(1, 1)), withTemplate(t)
	for range 2_000 {
		v := (r.Float64() - 0.5) * math.Pow10(r.IntN(8))
		s := strconv.FormatFloat(v, "efg"[r.IntN(3)], r.IntN(20)-1, 64)
		checkTemplateNumber(t, d, s+" "+s+"|1")
	}
}
