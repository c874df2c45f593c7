package survey_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/survey"
)

// TestAdviceOnce: what an error says to do is not said again.
func TestAdviceOnce(t *testing.T) {
	const advice = "--format avro or protobuf with --schema-registry URL reads it"
	r := of(t, event.Defaults(event.JSON), "\x00\x00\x00\x00\x02\x02abc")
	if strings.Count(r.Verdict, advice) != 1 {
		t.Error(r.Verdict)
	}
	r = of(t, event.Defaults(event.JSON), "hello")
	if !strings.HasSuffix(r.Verdict, "; send one json object as each event") {
		t.Error(r.Verdict)
	}
}

// TestAdviceOfSeveralLabels: names for the labels do not help where an event has several.
func TestAdviceOfSeveralLabels(t *testing.T) {
	for value, want := range map[string]string{"1,2 1:0.5": "send one class", "1:0.5 | a": "send one class",
		"1.5 | a": "a quantity is not learned, there is no regression", "2 | a": "--positive",
		"up | a:1": "--positive", "3 1:0.5": "--positive"} {
		o := event.Defaults(event.VW)
		if got := survey.Advice(&o, event.BadLabel, []byte(value)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", value, got)
		}
	}
}

// TestFieldsInAnEncoding: events in another encoding have the same fields as those in UTF-8, in every format.
func TestFieldsInAnEncoding(t *testing.T) {
	for format, line := range map[string]string{event.JSON: `{"label":1,"x":2}`, event.VW: "1 | x:2 café:1",
		event.LIBSVM: "1 x:2 3:4"} {
		o := event.Defaults(format)
		plain := of(t, o, line).Fields
		o.Encoding = "utf-16le"
		var wide []byte
		for _, r := range line {
			wide = append(wide, byte(r), byte(r>>8))
		}
		if got := of(t, o, string(wide)).Fields; !reflect.DeepEqual(got, plain) || len(plain) < 2 {
			t.Errorf("%s: %+v, want %+v", format, got, plain)
		}
	}
}

// TestFieldsBehindAFrame: what the serializers of a schema registry write before json is no part of it.
func TestFieldsBehindAFrame(t *testing.T) {
	const line = `{"label":1,"x":2}`
	o := event.Defaults(event.JSON)
	plain := of(t, o, line).Fields
	if got := of(t, o, "\x00\x00\x00\x00\x07"+line).Fields; !reflect.DeepEqual(got, plain) || len(plain) < 2 {
		t.Errorf("%+v, want %+v", got, plain)
	}
}

// TestWordsOfVW: values of vw that are words are texts of one field, and no numbers that scaling changes.
func TestWordsOfVW(t *testing.T) {
	r := of(t, event.Defaults(event.VW), "1 |u city:paris age:30", "0 |u city:rome age:40", "1 |u city:rome x")
	want := []survey.Field{{Name: "u^city", Kind: "text", Distinct: 2, Example: "paris", Becomes: "u^city=text, 1"},
		{Name: "u^age", Kind: "number", Distinct: 2, Example: "30", Becomes: "u^age"},
		{Name: "u^x", Kind: "number", Distinct: 1, Example: "1", Becomes: "u^x"}}
	if !slices.Equal(r.Fields, want) {
		t.Errorf("%v, want %v", r.Fields, want)
	}
	r = of(t, event.Defaults(event.VW), same(200, "1 |u user:a#")...)
	if len(r.Warnings) != 1 || !strings.HasSuffix(r.Warnings[0].Text, "--ignore u^user, or send it as the tag") {
		t.Errorf("%v", r.Warnings)
	}
}

// TestLabelsOfAnotherKind: labels that a model rejects, because those before were spelled otherwise, are not counted as
// labels.
func TestLabelsOfAnotherKind(t *testing.T) {
	o := event.Defaults(event.CSV)
	o.Columns = []string{"label", "x"}
	r := of(t, o, "1,1", "0,2", "-1,3", "1,4", ",5", "-1,6")
	if r.Labelled != 3 || r.Rejected != 2 || r.Reasons[0].Reason != event.BadLabel ||
		!strings.Contains(r.Reasons[0].First, "the label is -1 or 1, but labels so far were 0 or 1") {
		t.Errorf("%d with a label, %d rejected, %v", r.Labelled, r.Rejected, r.Reasons)
	}
}

// TestIgnoredBase: a base rejects its event; where it is ignored, that is told.
func TestIgnoredBase(t *testing.T) {
	o := event.Defaults(event.VW)
	lines := []string{"0 1 0.5 'a| x:1", "1 1 0.5| x:1", "1 2 0.5 | x:2", "1 2 0 t| x:3", "1 2 | x:4"}
	r := of(t, o, lines...)
	if r.Rejected != 2 || r.Reasons[0].Reason != event.BadFeatures ||
		!strings.Contains(r.Reasons[0].First, `the base "0.5" is a prediction`) ||
		r.Reasons[0].Advice != "--unknown skip leaves the base out, as if it were 0" {
		t.Errorf("%+v", r)
	}
	o.SkipUnknown = true
	r = of(t, o, lines...)
	if len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0].Text, "2 events have a base, ") || r.Rejected > 0 {
		t.Errorf("%v", r.Warnings)
	}
}

// TestPackedValues: values that a producer has packed are named.
func TestPackedValues(t *testing.T) {
	o := event.Defaults(event.JSON)
	for value, name := range map[string]string{"\x1f\x8b\x08": "gzip", "\x28\xb5\x2f\xfd\x04": "zstd",
		"\x78\x9c\xab": "zlib"} {
		want := "the value is packed by " + name + ": let the producer compress batches"
		if got := survey.Advice(&o, event.Encoding, []byte(value)); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s", value, got)
		}
	}
}

// TestLabelsOfLines: labels of formats without fields are listed, and two named, as those of fields are; a tag, several
// labels and costs are no label.
func TestLabelsOfLines(t *testing.T) {
	const asked = "; labels are 60 different numbers: is it a quantity? Learners predict two labels, or classes; a " +
		"quantity is not learned, there is no regression"
	for _, c := range []struct {
		format string
		events []string
		want   string // in the verdict
		not    string
	}{
		{event.LIBSVM, []string{"2 1:1", "+1.5 1:1", "2\t1:1"}, "labels are 2 2, +1.5 1; --label-names +1.5,2 takes",
			"--label-field"},
		{event.VW, []string{"3 | a", "2|a", "2 1 'x| a", "2 t| a"}, "labels are 2 2, 3 1; --label-names 2,3 takes", ""},
		{event.VW, []string{"3 | a", "2 | a", "1,2 | a"}, "; labels are 3 1, 2 1; --positive", "--label-names 2"},
		{event.LIBSVM, same(60, "4.#1 1:1"), asked, "multiclass"},
		{event.VW, same(60, "4.#1 | a"), asked, "multiclass"},
	} {
		r := of(t, event.Defaults(c.format), c.events...)
		if got := r.Verdict; !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%q: %s, want %s", c.events, got, c.want)
		}
	}
	o := event.Defaults(event.LIBSVM)
	o.Task = event.Multiclass
	r := of(t, o, same(60, "4.#1 1:1")...)
	if len(r.Warnings) != 1 || !strings.HasSuffix(r.Warnings[0].Text, "a class of its own, up to --max-classes") {
		t.Errorf("%v", r.Warnings)
	}
}

// TestQuotedLabels: quotes that a table's labels have are part of their names.
func TestQuotedLabels(t *testing.T) {
	r := of(t, csv("x", "label"), "1,'1'", "2,'-1'")
	if want := `--label-names ''\''-1'\'','\''1'\''' takes the second`; !strings.Contains(r.Verdict, want) {
		t.Errorf("%s, want %s", r.Verdict, want)
	}
}

// TestEmptyAdvice: --tombstones skip passes nulls, and nothing else that is empty.
func TestEmptyAdvice(t *testing.T) {
	o := event.Defaults(event.LIBSVM)
	for value, want := range map[string]string{"null": "--tombstones skip passes nulls by",
		"# a comment": "leave comments",
		"":            "send null as the value, which --tombstones skip passes by, or no record"} {
		raw := []byte(value)
		if value == "null" {
			raw = nil
		}
		if got := survey.Advice(&o, event.Empty, raw); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s", value, got)
		}
	}
}

// TestAdviceForFrames: the advice is about bare values where --schema names one schema of all, and about framed ones
// where each names its own.
func TestAdviceForFrames(t *testing.T) {
	o := event.Defaults(event.Avro)
	for _, c := range []struct{ schema, value, want string }{
		{"", "\x00\x00\x00\x00\x02\x07ab", "is the value cut off"},
		{"{}", "\x00\x00\x00\x00\x02\x07ab", "it begins as the frame of a schema registry does (0, schema 2): "},
		{"{}", "\x00\x00\x00\x00\x00\x07ab", "is --schema the one"},
		{"{}", "\x07ab", "is --schema the one"},
	} {
		o.Schema = c.schema
		if got := survey.Advice(&o, event.Syntax, []byte(c.value)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
