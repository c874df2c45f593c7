package survey_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/survey"
)

// of surveys events.
func of(t *testing.T, o event.Options, events ...string) *survey.Report {
	t.Helper()
	s, err := survey.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		s.Add(&event.Record{Value: []byte(e)})
	}
	return s.Report()
}

// same makes so many events of a format with the number in it.
func same(n int, format string) (out []string) {
	for i := range n {
		out = append(out, strings.ReplaceAll(format, "#", fmt.Sprint(i)))
	}
	return out
}

// times makes 200 events of a format with a time in it.
func times(format string, first int) (out []string) {
	for i := range 200 {
		out = append(out, fmt.Sprintf(format, first+37*i))
	}
	return out
}

func csv(columns ...string) event.Options {
	o := event.Defaults(event.CSV)
	o.Columns = columns
	return o
}

// TestFields: what each kind of value becomes, by its role.
func TestFields(t *testing.T) {
	o := event.Defaults(event.JSON)
	o.TextField, o.Ignore, o.WeightField = "msg", []string{"secret"}, "w"
	r := of(t, o, `{"id":7,"label":1,"w":2,"msg":"free money","secret":[{}],"price":1.5,"market":"vic","open":true,
		"user":{"age":41},"last":[1,2],"tags":["a"],"x":null}`)
	want := []survey.Field{
		{Name: "id", Kind: "number", Distinct: 1, Example: "7", Becomes: "the id"},
		{Name: "label", Kind: "number", Distinct: 1, Example: "1", Becomes: "the label"},
		{Name: "w", Kind: "number", Distinct: 1, Example: "2", Becomes: "the weight"},
		{Name: "msg", Kind: "text", Distinct: 1, Example: `"free money"`, Becomes: "msg=word of each word"},
		{Name: "secret", Kind: "", Becomes: "nothing, it is ignored"},
		{Name: "price", Kind: "number", Distinct: 1, Example: "1.5", Becomes: "price"},
		{Name: "market", Kind: "text", Distinct: 1, Example: `"vic"`, Becomes: "market=text, 1"},
		{Name: "open", Kind: "true/false", Distinct: 1, Example: "true", Becomes: "open=true or =false, 1"},
		{Name: "user.age", Kind: "number", Distinct: 1, Example: "41", Becomes: "user.age"},
		{Name: "last", Kind: "array", Example: "[1, ...]", Becomes: "last of each element"},
		{Name: "tags", Kind: "array", Example: `["a", ...]`, Becomes: "tags of each element"},
		{Name: "x", Kind: "absent", Becomes: "nothing"},
	}
	if len(r.Fields) != len(want) {
		t.Fatalf("%d fields, want %d: %+v", len(r.Fields), len(want), r.Fields)
	}
	for i := range want {
		if r.Fields[i] != want[i] {
			t.Errorf("got  %+v\nwant %+v", r.Fields[i], want[i])
		}
	}
	if r.Labelled != 1 || r.Verdict != "" || len(r.Warnings) != 0 {
		t.Errorf("%+v", r)
	}
}

// TestFeaturesObject: names within it begin there, and what is beside it and has no role is nothing.
func TestFeaturesObject(t *testing.T) {
	r := of(t, event.Defaults(event.JSON), `{"label":1,"other":3,"features":{"a":1,"b":{"c":"x"}}}`)
	var names []string
	for _, f := range r.Fields {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "label a b.c" {
		t.Error(got)
	}
}

// TestWarnings: what is legal and most likely a mistake, and only that.
func TestWarnings(t *testing.T) {
	json, table := event.Defaults(event.JSON), csv("label", "x")
	prices := csv("label", "x")
	prices.Numeric = []string{"x"}
	comma := csv("label", "x")
	comma.Delimiter, comma.Decimal = ";", event.DecimalComma
	yes := event.Defaults(event.JSON)
	yes.Positive = "Yes"
	timed := event.Defaults(event.JSON)
	timed.TimeParts = []string{"x"}
	names := event.Defaults(event.JSON)
	names.LabelNames = []string{"ham", "spam"}
	for name, c := range map[string]struct {
		options event.Options
		events  []string
		want    string // in the first warning; empty for none
	}{
		"numbers": {json, same(200, `{"label":1,"x":#.5}`), ""},
		"rising ids": {json, same(200, `{"label":1,"x":#}`), "x: whole numbers, each another one, in order: do they " +
			"number the events? --ignore x, or --id-field x"},
		"counts": {json, slices.Repeat(same(199, `{"label":1,"x":#}`), 2), ""},
		"seconds": {json, times(`{"label":1,"x":%d}`, 1_700_000_000), "x: seconds since 1970, as 1700000000: " +
			"as numbers they only grow; --time-parts x makes features of hour and day of the week, --ignore x leaves " +
			"it out"},
		"milliseconds":         {table, times("1,%d", 1_700_000_000_000), "x: milliseconds since 1970"},
		"repeated words":       {json, slices.Repeat(same(300, `{"label":1,"x":"user#"}`), 3), ""},
		"numbers by a setting": {prices, append(same(300, "1,9#1"), same(300, "0,1#7")...), ""},
		"words in numbers by a setting": {prices, append(same(20, "1,#"), "1,red", "1,blue"),
			"each text becomes a feature of its own"},
		"few words":        {json, slices.Repeat(same(9, `{"label":1,"x":"w#"}`), 2), ""},
		"number in quotes": {json, same(20, `{"label":1,"x":"78.#"}`), "x: numbers as text"},
		"number with a comma": {table, same(20, `1,"78,#"`), "x: numbers with a comma, as 78,0: each becomes " +
			"a feature of its own; --decimal comma reads them"},
		"commas, and whole": {table, []string{`1,"78,5"`, "0,7", "0,8", "1,9"}, "x: numbers with a comma, as 78,5"},
		"comma in json":     {json, same(20, `{"label":1,"x":"78,#"}`), "x: numbers as text"},
		"currency": {table, []string{"1,$7", "0,$8", "1,$9"}, "x: numbers as text, as $7: each becomes a feature " +
			"of its own; send numbers alone, without signs as $ and %"},
		"share":     {json, []string{`{"label":1,"x":"3%"}`, `{"label":1,"x":"4%"}`}, "x: numbers as text, as \"3%\""},
		"thousands": {json, same(20, `{"label":1,"x":"1,000,0##"}`), "x: numbers as text"},
		"quotes, and missing": {json, append(same(20, `{"label":1,"x":"78.#"}`), slices.Repeat([]string{
			`{"label":1,"x":"NA"}`}, 20)...), `x: numbers as text, as "78.0"`},
		"thousands and a point": {table, []string{`1,950`, `0,"1,200"`, `1,"12,345.5"`},
			"x: thousands separators, as 1,200: each becomes a feature of its own; remove them"},
		"thousands with blanks": {table, []string{"1,950", "0,1 200", "1,2\u202f100"},
			"x: thousands separators, as 1 200"},
		"thousands alone": {table, []string{`0,"1,200"`, `1,"2,100"`},
			"remove them; if they are decimal commas, --decimal comma reads them"},
		"thousands in json": {json, []string{`{"label":1,"x":"1,200"}`, `{"label":1,"x":950}`},
			"x: thousands separators"},
		"European thousands":       {comma, []string{"1;950", "0;1.200", "1;2,5"}, "x: thousands separators, as 1.200"},
		"European thousands alone": {comma, []string{"0;1.200,5", "1;2.100"}, "feature of its own; remove them"},
		"None": {table, []string{"1,1", "0,None", "1,2"}, `x: a number 2 times and the text "None" ` +
			"1 time: it becomes a feature of its own; where it means a missing value, --missing None"},
		"only missing": {json, []string{`{"label":1,"x":"NA"}`, `{"label":1,"x":"?"}`}, ""},
		"id in an object": {json, same(300, `{"label":1,"features":{"x":"user#"}}`),
			"--ignore x, or --id-field features.x"},
		"a few codes":        {json, same(5, `{"label":1,"x":"#"}`), ""},
		"dates":              {json, same(9, `{"label":1,"x":"2026-01-1#T10:00:00Z"}`), "--time-parts x makes"},
		"other dates":        {json, same(9, `{"label":1,"x":"3#.1.2026"}`), "x: dates"},
		"times":              {timed, same(9, `{"label":1,"x":"2026-01-1#T10:00:00Z"}`), ""},
		"times in ns":        {timed, same(9, `{"label":1,"x":176419470012345678#}`), ""},
		"ids":                {json, same(300, `{"label":1,"x":"user#"}`), "x: 300 different texts in 300"},
		"texts":              {json, same(300, `{"label":1,"x":"dear user #, hello"}`), "--text-field x"},
		"ids of many digits": {json, same(10, `{"label":1,"x":90071992547409930#}`), "over 2^53"},
		"missing word":       {table, append(same(10, "1,#"), "1,NA"), "x: NA 1: taken for a missing value"},
		"missing word in json": {json, append(same(10, `{"label":1,"x":#}`), `{"label":1,"x":"NA"}`),
			"x: NA 1: each becomes"},
		"mixed":   {json, append(same(10, `{"label":1,"x":#}`), `{"label":1,"x":"none"}`), "a text 1 time:"},
		"objects": {json, []string{`{"label":1,"y":1,"x":[{"a":1}]}`, `{"label":1,"y":1}`}, "--ignore x"},
		"positive": {yes, same(20, `{"label":"yes","x":#}`),
			`no event has the label "Yes" of the settings: labels are "yes" 20`},
		"unknown labels": {json, append(same(20, `{"label":1,"x":#}`), `{"label":2,"x":1}`),
			"1 of 21 labels are rejected; labels are 1 20, 2 1; --label-names 1,2 takes the second for the positive " +
				"one; only one label is left: the figures say nothing"},
		"a typing error": {json, append(same(200, `{"label":1,"x":#}`), `{"label":2,"x":1}`), ""},
		"infinite":       {table, append(same(20, "1,#"), "1,inf"), ""},
		"second name":    {names, same(20, `{"label":"ham","x":#}`), `the label "spam"`},
		"first name":     {names, same(20, `{"label":"spam","x":#}`), `the label "ham"`},
	} {
		t.Run(name, func(t *testing.T) {
			r := of(t, c.options, c.events...)
			switch {
			case c.want == "" && len(r.Warnings) > 0, c.want != "" && len(r.Warnings) != 1:
				t.Errorf("%q, want %q", r.Warnings, c.want)
			case c.want != "" && !strings.Contains(r.Warnings[0].String(), c.want):
				t.Errorf("%q, want %q", r.Warnings[0], c.want)
			}
		})
	}
}

// TestWarningsAreVisible: what events hold reaches a terminal without its control characters.
func TestWarningsAreVisible(t *testing.T) {
	table := csv("label", "x\x1b[2J")
	table.Positive = "no"
	for _, r := range []*survey.Report{
		of(t, event.Defaults(event.JSON), same(9, `{"label":1,"\u001b[2J\n\u009b":"2026-01-0#"}`)...),
		of(t, table, same(9, "ye\x1bs,2026-01-0# \x1b")...),
	} {
		if len(r.Warnings) == 0 {
			t.Error("no warning")
		}
		for _, w := range r.Warnings {
			if strings.ContainsAny(w.String(), "\x1b\n\u009b") {
				t.Errorf("%q", w)
			}
		}
	}
}

// TestUnmetLabelWithoutField: a format without a field for labels has a list of them, too.
func TestUnmetLabelWithoutField(t *testing.T) {
	o := event.Defaults(event.VW)
	o.Positive = "UP"
	r := of(t, o, "1 | a", "0 | b")
	const want = `no event has the label "UP" of the settings: labels are 1 1, 0 1`
	if len(r.Warnings) != 1 || r.Warnings[0].Text != want {
		t.Errorf("%q, want %q", r.Warnings, want)
	}
}

// TestVerdict: all rejected, or none with a label.
func TestVerdict(t *testing.T) {
	json := event.Defaults(event.JSON)
	for want, events := range map[string][]string{
		"":                                      {`{"label":1,"x":1}`, `{`},
		"every event is rejected: bad-label 2 ": {`{"label":"a","x":1}`, `{"label":"b","x":1}`, `{`},
		`no event has a label in the field "label": nothing is learned; --label-field NAME names it, is it "Class"?`: {
			`{"Class":1,"x":1}`, `{`},
		`no event has a label in the field "label": nothing is learned; --label-field NAME names it, is it "meta.y"?`: {
			`{"x":1,"meta":{"y":1}}`},
		`no event has a label in the field "label": nothing is learned; --label-field NAME names it, is it ` +
			`"features.y"?`: {`{"features":{"x":1,"y":1}}`},
	} {
		if got := of(t, json, events...).Verdict; want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for want, events := range map[string][]string{
		`other labels need names (--positive, --label-names); labels are "b" 2, "a" 1; --label-names a,b takes the`: {
			`{"label":"a","x":1}`, `{"label":"b","x":1}`, `{"label":"b","x":2}`},
		"; labels are 60 different numbers: is it a quantity? Learners predict two labels, or classes; " +
			"--label-field NAME names the label; a quantity is not learned, there is no regression: make two": same(
			60, `{"label":2.#1,"x":1}`),
		"labels are 60 different numbers: is it a quantity? Learners predict two labels, or classes; --label-field " +
			"NAME names the label; --positive LABEL tells one from all others": slices.Repeat(same(
			60, `{"label":1#,"x":1}`), 3),
	} {
		if got := of(t, json, events...).Verdict; !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	lines := of(t, event.Defaults(event.VW), "3 | a", "4 | b", "5 | c")
	if got := lines.Verdict; strings.Contains(got, "--label-field") ||
		!strings.Contains(got, "; labels are 3 1, 4 1, 5 1; ") || !strings.Contains(got, "--task multiclass") {
		t.Error(got)
	}
	got := of(t, event.Defaults(event.LIBSVM), "1:2 2:3").Verdict
	if !strings.Contains(got, "the first word of a line") {
		t.Error(got)
	}
}

// TestAdvice: what settings can mend has an advice of its own, in every format.
func TestAdvice(t *testing.T) {
	for _, format := range event.FormatNames() {
		o := event.Defaults(format)
		general := survey.Advice(&o, event.Internal, nil)
		for _, reason := range []event.Reason{event.Empty, event.TooLarge, event.Encoding, event.TooDeep,
			event.BadLabel, event.BadWeight, event.BadFeatures, event.NotFinite, event.TooManyFeatures,
			event.NoFeatures, event.TooManyClasses} {
			got := survey.Advice(&o, reason, nil)
			if got == general {
				t.Errorf("%s: %s has no advice", format, reason)
			}
			if format != event.JSON && strings.Contains(got, "json") || strings.Contains(got, "; in ") {
				t.Errorf("%s: %s: %s", format, reason, got)
			}
		}
	}
}

// TestAdviceFits: the advice is about the one thing that the value shows, and no list for every format.
func TestAdviceFits(t *testing.T) {
	for _, c := range []struct{ format, value, want string }{
		{event.JSON, "\x00\x00\x00\x00\x02\x02\x10abc",
			"--format avro or protobuf with --schema-registry URL reads it"},
		{event.JSON, `{"x":NaN,"label":1}`, "--nan absent takes NaN and Infinity for missing values"},
		{event.JSON, `[{"x":1}]`, "send each element of the array as an event of its own"},
		{event.JSON, "1 | a:1", "--format vw reads it"},
		{event.JSON, "1 1:2 2:3", "--format libsvm reads it"},
		{event.JSON, "a,b,c", "--format csv reads rows of a table, with --columns"},
		{event.JSON, "hello", "send one json object as each event"},
		{event.VW, `{"label":1,"x":2}`, "--format json reads it"},
		{event.LIBSVM, "1 | a:1", "--format vw reads it"},
		{event.CSV, "1,2,3", "--columns names as many as the rows have cells (of a file, with --no-header)"},
		{event.CSV, `{"label":1,"x":2}`, "--format json reads it"},
	} {
		o := event.Defaults(c.format)
		if got := survey.Advice(&o, event.Syntax, []byte(c.value)); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.format, c.value, got, c.want)
		}
	}
}

// TestMostRejected: a verdict counts what was found.
func TestMostRejected(t *testing.T) {
	events := append(slices.Repeat([]string{"\x00\x00\x00\x00\x02\x02abc"}, 19), `{"x":1,"label":1}`)
	r := of(t, event.Defaults(event.JSON), events...)
	if !r.MostRejected() || !strings.Contains(r.Verdict, "19 of 20 events are rejected: syntax 19 times") {
		t.Error(r.Verdict)
	}
	r = of(t, event.Defaults(event.JSON), `{"x":1,"label":1}`, `{`)
	if r.MostRejected() || r.Verdict != "" {
		t.Error(r.Verdict)
	}
}

// TestBounds: a survey ends, and its memory is bounded whatever the events hold.
func TestBounds(t *testing.T) {
	s, err := survey.New(event.Defaults(event.JSON))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 * survey.Most {
		s.Add(&event.Record{Value: fmt.Appendf(nil, `{"label":1,"f%d":%d,"g%d":"\u001b[2J"}`, i, i, i)})
	}
	r := s.Report()
	if r.Events != survey.Most || !s.Full() || len(r.Fields) != 200 || r.Hidden != 800 {
		t.Errorf("%d events, %d and %d fields", r.Events, len(r.Fields), r.Hidden)
	}
	var out strings.Builder
	if err := r.WriteTable(&out, "  "); err != nil || strings.Contains(out.String(), "\x1b") ||
		strings.Count(out.String(), "\n") != 42 || !strings.Contains(out.String(), "  and 960 more\n") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// TestFeatureless: events are predicted without features, and if none has one, that is told with what may mend it.
func TestFeatureless(t *testing.T) {
	for _, c := range []struct {
		o      event.Options
		events []string
		want   string
	}{
		{event.Defaults(event.JSON), []string{`{"label":1}`, `{"label":0,"features":{}}`, `{`},
			"--features-field NAME"},
		{csv("label"), []string{"1", "0"}, "--delimiter says"},
		{event.Defaults(event.LIBSVM), []string{"1", "-1"}, "is it another --format?"},
	} {
		got := fmt.Sprint(of(t, c.o, c.events...).Warnings)
		if !strings.Contains(got, "no event has a feature") || !strings.Contains(got, c.want) {
			t.Errorf("%v: %q, want %q", c.events, got, c.want)
		}
	}
	for _, o := range [][]string{{"1", "-1", "1 1:0.5"}, {" "}, {}} {
		if got := of(t, event.Defaults(event.LIBSVM), o...).Warnings; len(got) != 0 {
			t.Errorf("%v: %v", o, got)
		}
	}
}
