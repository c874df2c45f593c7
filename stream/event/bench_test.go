package event

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"rosenblatt/learner"
)

// benchEvent is an event of 30 features, about 490 bytes in json. Feature is written with verb.
func benchEvent(format, verb string) string {
	r := rand.New(rand.NewPCG(1, 2))
	var s strings.Builder
	s.WriteString(map[string]string{JSON: `{"id":"e17","label":1,"features":{`, LIBSVM: "+1", VW: "1 'e17|f",
		CSV: "1,e17"}[format])
	for i := range 30 {
		number := r.NormFloat64() / 3
		v := fmt.Sprintf(verb, number)
		if verb == "%d" {
			v = fmt.Sprintf(verb, int(1000*number))
		}
		switch format {
		case JSON:
			if i > 0 {
				s.WriteByte(',')
			}
			fmt.Fprintf(&s, `"f%d":%s`, i, v)
		case CSV:
			s.WriteString("," + v)
		default:
			fmt.Fprintf(&s, " f%d:%s", i, v)
		}
	}
	if format == JSON {
		s.WriteString("}}")
	}
	return s.String()
}

func benchOptions(format string) Options {
	o := Defaults(format)
	if format == CSV {
		o.Columns = []string{"label", "id"}
		for i := range 30 {
			o.Columns = append(o.Columns, fmt.Sprintf("f%d", i))
		}
	}
	return o
}

func BenchmarkDecode(b *testing.B) {
	for _, format := range []string{JSON, LIBSVM, VW, CSV} {
		for name, verb := range map[string]string{"6digits": "%.6f", "17digits": "%.17g", "shortest": "%v",
			"exponents": "%e", "integers": "%d"} {
			b.Run(format+"/"+name, func(b *testing.B) {
				benchDecode(b, benchOptions(format), benchEvent(format, verb))
			})
		}
	}
	flat := strings.ReplaceAll(strings.ReplaceAll(benchEvent(JSON, "%.6f"), `"features":{`, ""), "}}", "}")
	b.Run("json/flat", func(b *testing.B) { benchDecode(b, Defaults(JSON), flat) })
	blanks := strings.NewReplacer(",", ", ", ":", ": ").Replace(benchEvent(JSON, "%.6f"))
	b.Run("json/blanks", func(b *testing.B) { benchDecode(b, Defaults(JSON), blanks) })
	words := strings.NewReplacer(`"f1":`, `"f1":"red","g1":`, `"f2":`, `"f2":"green","g2":`).
		Replace(benchEvent(JSON, "%.6f"))
	b.Run("json/words", func(b *testing.B) { benchDecode(b, Defaults(JSON), words) })
	kinds := strings.NewReplacer(`"f3":`, `"f3":40217,"g3":`, `"f4":`, `"f4":"4.25","g4":`).Replace(words)
	b.Run("json/kinds-unsaid", func(b *testing.B) { benchDecode(b, Defaults(JSON), kinds) })
	said := Defaults(JSON)
	said.Categorical, said.Numeric, said.Missing = []string{"f3"}, []string{"f4"}, MissingWords()
	said.Cross = []string{"f1*f2"}
	b.Run("json/kinds-said", func(b *testing.B) { benchDecode(b, said, kinds) })
	o := Defaults(JSON)
	o.TextField = "msg"
	text := `{"label":1,"msg":"` + strings.Repeat("The quick brown fox jumps over the lazy dog. ", 10) + `"}`
	b.Run("json/text", func(b *testing.B) { benchDecode(b, o, text) })
	o.TextField, o.Seed = "", 1
	b.Run("json/seeded", func(b *testing.B) { benchDecode(b, o, benchEvent(JSON, "%.6f")) })
}

// BenchmarkElec2 decodes lines of vw text as those of Elec2 are: eight numbers, mostly of one digit and six behind the
// point.
func BenchmarkElec2(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() string { return strconv.FormatFloat(math.Round(r.Float64()*1e6)/1e6, 'f', -1, 64) }
	var lines [][]byte
	for i := range 4096 {
		lines = append(lines, fmt.Appendf(nil,
			"%d | date:%s day:%d period:%s nswprice:%s nswdemand:%s vicprice:0.003467 vicdemand:%s transfer:0.414912",
			1-2*r.IntN(2), number(), i%7+1, number(), number(), number(), number()))
	}
	benchLines(b, Defaults(VW), lines, 8)
}

// BenchmarkCategories decodes events of 30 fields whose values are words, one of 30 for each field.
func BenchmarkCategories(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var lines [][]byte
	for range 4096 {
		line := []byte(`{"label":1`)
		for i := range 30 {
			line = fmt.Appendf(line, `,"f%d":"w%d"`, i, r.IntN(30))
		}
		lines = append(lines, append(line, '}'))
	}
	benchLines(b, Defaults(JSON), lines, 30)
}

// benchLines decodes lines of so many features in turn.
func benchLines(b *testing.B, o Options, lines [][]byte, features int) {
	d := decoder(b, o)
	var e Example
	var arena []learner.Feature
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if arena = d.Decode(&Record{Value: lines[i%len(lines)]}, arena[:0], &e); len(arena) != features {
			b.Fatal(e.reason(), e.text())
		}
	}
}

func benchDecode(b *testing.B, o Options, event string) {
	d := decoder(b, o)
	value := []byte(event)
	var e Example
	arena := d.Decode(&Record{Value: value}, nil, &e)
	if e.reason() != OK || len(arena) < 8 {
		b.Fatal(e.reason(), e.text(), len(arena))
	}
	b.SetBytes(int64(len(value)))
	b.ReportAllocs()
	for b.Loop() {
		arena = d.Decode(&Record{Value: value}, arena[:0], &e)
	}
}

// BenchmarkParse decodes events that fit no template.
func BenchmarkParse(b *testing.B) {
	for _, format := range []string{JSON, LIBSVM, VW, CSV} {
		b.Run(format, func(b *testing.B) {
			d, value := decoder(b, benchOptions(format)), []byte(benchEvent(format, "%.6f"))
			var e Example
			b.SetBytes(int64(len(value)))
			b.ReportAllocs()
			for b.Loop() {
				parsed(d, value, d.arena[:0], &e)
			}
		})
	}
}

// BenchmarkEncodingJSON is what a program does that has no parser of its own.
func BenchmarkEncodingJSON(b *testing.B) {
	value := []byte(benchEvent(JSON, "%.6f"))
	b.SetBytes(int64(len(value)))
	b.ReportAllocs()
	for b.Loop() {
		var e struct {
			ID       string             `json:"id"`
			Label    int                `json:"label"`
			Features map[string]float64 `json:"features"`
		}
		if err := json.Unmarshal(value, &e); err != nil {
			b.Fatal(err)
		}
	}
}
