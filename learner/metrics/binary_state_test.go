package metrics

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"testing"
)

// TestScoreSurvivesJSON saves in the middle of a stream, continues with both, and expects the same bytes in the end.
func TestScoreSurvivesJSON(t *testing.T) {
	for _, n := range []int{0, 1, 999, 1000, 1001, 2345} {
		all := randomScored(uint64(n), n+1200)
		s := scoreOf(all[:n])
		s.AddNorm(math.Pi)
		s.AddUnlabelled()
		var loaded Binary
		if err := json.Unmarshal(encode(t, s), &loaded); err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		if err := loaded.LoadBins(s.AppendBins(nil)); err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		for i, a := range all[n:] {
			if i%300 == 0 && !(bytes.Equal(encode(t, s), encode(t, &loaded)) &&
				reflect.DeepEqual(s.Report(), loaded.Report())) {
				t.Fatalf("%d: another score %d examples on", n, i)
			}
			s.Add(a.prediction, a.label, a.score/3, a.updated)
			loaded.Add(a.prediction, a.label, a.score/3, a.updated)
		}
		if !bytes.Equal(encode(t, s), encode(t, &loaded)) {
			t.Fatalf("%d: another score in the end", n)
		}
	}
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestHostileScore spoils single fields of a good state.
func TestHostileScore(t *testing.T) {
	good := encode(t, scoreOf(randomScored(2, 30)))
	for key, values := range map[string][]string{
		"predictions": {"29", "-1", `"x"`, "1e30"},
		"updates":     {"31", "-1"},
		"squaredR":    {"-1", "1e999"},
		"all": {"[[0,0,0,0],[0,0,0,0],[0,0,0,0]]", "[[1.5,0,28.5,0],[0,0,0,0],[0,0,0,0]]",
			"[[-1,31,0,0],[-1,31,0,0],[-1,31,0,0]]", "[]"},
		"fading":   {"[[99,0,0,0]]", "[[-1,0,0,0]]"},
		"outcomes": {`""`, `"AAAA"`, `"/////////////////////////////////////////w=="`},
		"scores":   {`""`, `"AAAA"`},
	} {
		for _, value := range values {
			fields := make(map[string]json.RawMessage)
			if err := json.Unmarshal(good, &fields); err != nil {
				t.Fatal(err)
			}
			if fields[key] == nil {
				t.Fatalf("no field %q", key)
			}
			fields[key] = json.RawMessage(value)
			var s Binary
			if err := json.Unmarshal(encode(t, fields), &s); err == nil {
				t.Errorf("%s = %s was taken", key, value)
			} else if s != (Binary{}) {
				t.Errorf("%s = %s left something behind", key, value)
			}
		}
	}
}

// FuzzScore loads anything: it is refused, or it can be added to, reported and saved.
func FuzzScore(f *testing.F) {
	for _, n := range []int{0, 3, 30} {
		text, err := json.Marshal(scoreOf(randomScored(1, n)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s Binary
		if json.Unmarshal(text, &s) != nil {
			return
		}
		s.Add(1, -1, 0.5, true)
		s.AddUnlabelled()
		encode(t, s.Report())
		if err := json.Unmarshal(encode(t, s), new(Binary)); err != nil {
			t.Errorf("what was taken could not be read back: %v", err)
		}
	})
}
