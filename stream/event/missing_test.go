package event

import (
	"strings"
	"testing"

	"rosenblatt/learner"
)

// TestMissing: words for missing values are absent as a blank cell is, in each role, on the first event and on those
// that are read by the template; without such words, as in older checkpoints, they are words, and NaN is not finite.
func TestMissing(t *testing.T) {
	o := Defaults(CSV)
	o.Columns, o.WeightField = []string{"id", "label", "w", "x", "y"}, "w"
	old := o
	old.Missing = nil
	names := func(o Options, row string) string {
		t.Helper()
		d, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		var first string
		for range 3 { // the template is fixed; a row that does not fit it is read again without
			var got []string
			var e Example
			r := &Record{Value: []byte(row)}
			d.Decode(r, nil, &e)
			d.Walk(r, func(name []byte, _ learner.Feature) { got = append(got, string(name)) })
			text := strings.Join(got, " ")
			switch {
			case e.Rejected != nil:
				text = e.Rejected.Reason.String()
			case e.Family == Unlabelled:
				text += " unlabelled"
			}
			if e.Rejected == nil && (e.ID == nil || e.Weight != 1) {
				text += " id or weight"
			}
			if first == "" {
				first = text
			}
			if text != first || e.Rejected == nil && e.End-e.Start != len(got) {
				t.Errorf("%s: %s at first, then %s of %d", row, first, text, e.End-e.Start)
			}
		}
		return first
	}
	for _, word := range MissingWords() {
		if got := names(o, "7,1,1, "+word+" ,2"); got != "y" {
			t.Errorf("%s: %s", word, got)
		}
		if got := names(o, "7,"+word+","+word+",1,\""+word+"\""); got != "x unlabelled" {
			t.Errorf("%s as label and weight: %s", word, got)
		}
		want := "x=" + word + " y"
		if strings.EqualFold(word, "nan") {
			want = "not-finite"
		}
		if got := names(old, "7,1,1,"+word+",2"); got != want {
			t.Errorf("%s without the words: %s, want %s", word, got, want)
		}
	}
	for row, want := range map[string]string{"7,1,1,inf,2": "not-finite", "7,1,1,NAN,2": "not-finite",
		"7,1,1,Na,2": "x=Na y", "7,1,1,NA,?": ""} {
		if got := names(o, row); got != want {
			t.Errorf("%s: %s, want %s", row, got, want)
		}
	}
}

func TestMissingIsValidated(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"no numbers":          func(o *Options) { o.Missing = []string{"-999"} },
		"without blanks":      func(o *Options) { o.Missing = []string{" NA"} },
		"means a missing":     func(o *Options) { o.Positive = "NA" },
		"means a missing val": func(o *Options) { o.LabelNames = []string{"NA", "b"} },
		"are for csv":         func(o *Options) { *o = Defaults(JSON); o.Missing = []string{"NA"} },
		"values are for csv":  func(o *Options) { *o = Defaults(VW); o.Missing = []string{"NA"} },
	} {
		o := Defaults(CSV)
		o.Columns = []string{"label", "x"}
		change(&o)
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
