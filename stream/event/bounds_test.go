package event

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"rosenblatt/learner"
)

// allocated returns how many bytes f allocates in all, freed or not. Only one goroutine runs in these tests.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

func joined(n int, separator, format string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, separator)
}

// TestAMillionFeatures: an event of a million features (row 40) is too large by default, and nothing is taken for it.
// With a limit on bytes that lets it through it is rejected for its features, and takes no more memory than an event
// with as many as are allowed, 4 MiB for 10,000. Only json keeps all top-level names, to tell a field that comes twice:
// at most 12 bytes for each byte of the event.
func TestAMillionFeatures(t *testing.T) {
	million := 1_000_000
	if testing.Short() {
		million = 100_000
	}
	text := Defaults(JSON)
	text.TextField = "msg"
	csv := Defaults(CSV)
	csv.MaxFeatures = 1_000
	csv.Columns = strings.Split("label,"+joined(1_200, ",", "c%d"), ",")
	for _, c := range []struct {
		name    string
		options Options
		value   string
		want    Reason
		most    int64 // KiB allocated
	}{
		{"json", Defaults(JSON), "{" + joined(million, ",", `"f%d":1`) + "}", TooManyFeatures, 12 * 11_900},
		{"json, nested", Defaults(JSON), `{"features":{"a":{` + joined(million, ",", `"f%d":1`) + "}}}",
			TooManyFeatures, 4096},
		{"json, numbers", Defaults(JSON), `{"x":[` + joined(million, ",", "%d") + "]}", TooManyFeatures, 4096},
		{"json, words", Defaults(JSON), `{"x":[` + joined(million, ",", `"w%d"`) + "]}", TooManyFeatures, 4096},
		{"json, text", text, `{"msg":"` + joined(million, " ", "w%d") + `"}`, TooManyFeatures, 4096},
		{"libsvm", Defaults(LIBSVM), "+1 " + joined(million, " ", "%d:1"), TooManyFeatures, 4096},
		{"vw", Defaults(VW), "1 | " + joined(million, " ", "f%d"), TooManyFeatures, 4096},
		{"csv", csv, "1" + strings.Repeat(",1", 1_200), TooManyFeatures, 4096},
		{"csv, more columns than named", csv, "1" + strings.Repeat(",1", million), Syntax, 4096},
	} {
		t.Run(c.name, func(t *testing.T) {
			var e Example
			var arena []learner.Feature
			if len(c.value) > c.options.MaxBytes {
				d := decoder(t, c.options)
				if got := allocated(func() {
					arena = d.Decode(&Record{Value: []byte(c.value)}, arena,
						&e)
				}) - int64(len(c.value)); e.reason() != TooLarge || got > 1<<16 {
					t.Errorf("%v, %d bytes allocated", e.reason(), got)
				}
			}
			c.options.MaxBytes = 1 << 30
			d, value := decoder(t, c.options), []byte(c.value)
			got := allocated(func() { arena = d.Decode(&Record{Value: value}, arena, &e) })
			if e.reason() != c.want || len(arena) > 0 {
				t.Errorf("%v with %d features left: %s", e.reason(), len(arena), e.text())
			}
			t.Logf("%d bytes of event: %d KiB allocated", len(value), got>>10)
			if got>>10 > c.most {
				t.Errorf("%d KiB allocated", got>>10)
			}
		})
	}
}

// TestLongNames: an event may repeat a long name in the name of each of its features. It is rejected or accepted as any
// other, and takes neither memory nor, beside one of as many features, much time.
func TestLongNames(t *testing.T) {
	const features = 5_000
	long := strings.Repeat("long name ", 50_000)
	for _, c := range []struct{ name, format, start, feature, end string }{
		{"nested", JSON, `{"` + long + `":{"x":1`, `,"f%d":1`, "}}"},
		{"nested twice", JSON, `{"` + long + `":{"x":{"a":1}`, `,"f%d":{"a":1}`, "}}"},
		{"numbers", JSON, `{"features":{"` + long + `":[0`, `,%d`, "]}}"},
		{"words", JSON, `{"` + long + `":["x"`, `,"w%d"`, "]}"},
		{"namespace", VW, "1 |" + strings.ReplaceAll(long, " ", "_"), " f%d", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s strings.Builder
			s.WriteString(c.start)
			for i := range features {
				fmt.Fprintf(&s, c.feature, i)
			}
			value := []byte(s.String() + c.end)
			d := decoder(t, Defaults(c.format))
			var e Example
			var arena []learner.Feature
			began := time.Now()
			got := allocated(func() { arena = d.Decode(&Record{Value: value}, nil, &e) })
			t.Logf("%d bytes, %d features: %v, %d KiB allocated", len(value), len(arena), time.Since(began), got>>10)
			if e.reason() != OK || len(arena) < features {
				t.Errorf("%v: %s, %d features", e.reason(), e.text(), len(arena))
			}
			if got>>20 > 8 {
				t.Errorf("%d MiB allocated", got>>20)
			}
		})
	}
}
