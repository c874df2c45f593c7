package survey_test

import (
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/survey"
)

// scaled surveys events under a way of scaling.
func scaled(t *testing.T, scale string, o event.Options, events ...string) *survey.Report {
	t.Helper()
	s, err := survey.New(o)
	if err != nil {
		t.Fatal(err)
	}
	var spec learner.Spec
	if err := learner.ParseScale(scale, &spec); err != nil {
		t.Fatal(err)
	}
	if err := s.Scale(spec); err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		s.Add(&event.Record{Value: []byte(e)})
	}
	return s.Report()
}

// TestWhatScalingMakes: of a number that is mostly the same the table says what the model gets.
func TestWhatScalingMakes(t *testing.T) {
	sparse := slices.Repeat([]string{`{"label":1,"free":1,"n":2,"f":0.1}`, `{"label":-1,"x":5,"n":2,"f":0.2}`,
		`{"label":-1,"x":5,"n":3,"f":0.3}`}, 10)
	for scale, want := range map[string]string{
		"standard": "free (always 1: stays 1), n (mostly 2: becomes -0.69), f, x (always 5: becomes 1)",
		"standard:centre=always": "free (always 1: becomes 0), n (mostly 2: becomes -0.69), f, " +
			"x (always 5: becomes 0)",
		"maxabs": "free (always 1: stays 1), n (mostly 2: becomes 0.667), f, x (always 5: becomes 1)",
		"none":   "free (always 1: stays 1), n (mostly 2: stays 2), f, x (always 5: stays 5)",
	} {
		var got []string
		for _, f := range scaled(t, scale, event.Defaults(event.JSON), sparse...).Fields[1:] {
			got = append(got, f.Becomes)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", scale, got, want)
		}
	}
	half := slices.Repeat([]string{`{"label":1,"y":3}`, `{"label":-1,"y":2}`}, 10)
	for range 20 { // whatever the order in which they are counted
		r := scaled(t, "none", event.Defaults(event.JSON), half...)
		if got := r.Fields[1].Becomes; got != "y (half of them 2: stays 2)" {
			t.Errorf("%q", got)
		}
	}
	unlabelled := scaled(t, "standard", event.Defaults(event.JSON), `{"free":1}`)
	if got := unlabelled.Fields[0].Becomes; got != "free" {
		t.Errorf("nothing is learned: %q", got)
	}
}

// TestSizesThatDiffer: numbers that are not scaled and differ much in size are named.
func TestSizesThatDiffer(t *testing.T) {
	large := slices.Repeat([]string{"1 1:0.5 2:700 3:1", "-1 1:0.25 2:300"}, 10)
	alike := slices.Repeat([]string{"1 1:0.5 2:1.5", "-1 1:0.25 2:2"}, 10)
	o := event.Defaults(event.LIBSVM)
	for _, c := range []struct {
		scale  string
		events []string
		want   bool
	}{{"none", large, true}, {"none", alike, false}, {"maxabs", large, false}, {"standard", large, false},
		{"none", large[:4], false}} {
		r := scaled(t, c.scale, o, c.events...)
		found := len(r.Warnings) == 1 &&
			strings.Contains(r.Warnings[0].String(), "as 2, about 539, and 1, about 0.395") &&
			strings.Contains(r.Warnings[0].String(), "--scale maxabs")
		if found != c.want || !c.want && len(r.Warnings) > 0 {
			t.Errorf("%s, %d events: %q", c.scale, len(c.events), r.Warnings)
		}
	}
}
