package metrics

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"
)

// TestScoreSurvivesJSON saves in the middle of a stream, continues with both, and expects the same bytes in the end.
func TestScoreSurvivesJSON(t *testing.T) {
	for _, n := range []int{0, 1, 999, 1000, 1001, 2345, 9_950, 12_000} {
		all := randomScored(uint64(n), n+1200)
		s := scoreOf(all[:n])
		s.AddNorm(math.Pi)
		s.AddUnlabelled()
		var loaded Binary
		kept := save(t, s)
		if err := kept.load(&loaded); err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		for i, a := range all[n:] {
			if i%300 == 0 && !(sameSaved(t, s, &loaded) && reflect.DeepEqual(s.Report(), loaded.Report())) {
				t.Fatalf("%d: another score %d examples on", n, i)
			}
			s.Add(a.prediction, a.label, a.score/3, a.updated)
			loaded.Add(a.prediction, a.label, a.score/3, a.updated)
		}
		if !sameSaved(t, s, &loaded) {
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

// saved is a score as a checkpoint keeps it.
type saved struct{ text, last, bins []byte }

func save(t *testing.T, score any) (to saved) {
	t.Helper()
	to.text = encode(t, score)
	switch s := score.(type) {
	case *Binary:
		to.last, to.bins = s.AppendLast(nil), s.AppendBins(nil)
	case *Multiclass:
		to.last = s.AppendLast(nil)
	default:
		t.Fatalf("%T is no score", score)
	}
	return to
}

func (f *saved) load(score any) error {
	if err := json.Unmarshal(f.text, score); err != nil {
		return err
	}
	switch s := score.(type) {
	case *Binary:
		return cmp.Or(s.LoadLast(f.last), s.LoadBins(f.bins))
	case *Multiclass:
		return s.LoadLast(f.last)
	}
	return nil
}

// sameSaved compares two scores to the bit.
func sameSaved(t *testing.T, a, b any) bool {
	t.Helper()
	x, y := save(t, a), save(t, b)
	return reflect.DeepEqual(x, y)
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
		"fading": {"[[99,0,0,0]]", "[[-1,0,0,0]]"},
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

// TestHostileLast spoils what is saved of the latest examples.
func TestHostileLast(t *testing.T) {
	binary, classes := scoreOf(randomScored(2, 30)), new(Multiclass)
	addSamples(classes, 30)
	binary.AddProbability(0.25)
	classes.AddProbability(0.25)
	nan := bytes.Repeat([]byte{0xff}, 8)
	for _, score := range []any{binary, classes} {
		good := save(t, score)
		n := len(good.last)
		into := func() any { return reflect.New(reflect.TypeOf(score).Elem()).Interface() }
		if err := good.load(into()); err != nil {
			t.Fatal(err)
		}
		for name, last := range map[string][]byte{
			"none": nil, "shorter": good.last[:n-1], "longer": append(bytes.Clone(good.last), 0),
			"without probabilities": good.last[:n-8*30],
			"an outcome of nothing": append([]byte{0xff, 0xff}, good.last[2:]...),
			"another outcome":       append(bytes.Repeat([]byte{0}, 16), good.last[16:]...),
			"a probability":         append(bytes.Clone(good.last[:n-8]), nan...),
			"a probability, 1":      append(bytes.Clone(good.last[:n-8]), 0, 0, 0, 0, 0, 0, 0xf0, 0x3f),
		} {
			bad := saved{good.text, last, good.bins}
			if err := bad.load(into()); err == nil {
				t.Errorf("%T: %s was taken", score, name)
			}
		}
	}
	good := save(t, binary)
	bad := saved{good.text, slices.Concat(good.last[:30], nan, good.last[38:]), good.bins}
	if err := bad.load(new(Binary)); err == nil {
		t.Error("a score of NaN was taken")
	}
}

// FuzzScore loads anything: it is refused, or it can be added to, reported and saved.
func FuzzScore(f *testing.F) {
	for _, n := range []int{0, 3, 30} {
		s := scoreOf(randomScored(1, n))
		text, err := json.Marshal(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, s.AppendLast(nil), s.AppendBins(nil))
		if n > 0 {
			s.AddProbability(0.75)
			if text, err = json.Marshal(s); err != nil {
				f.Fatal(err)
			}
			f.Add(text, s.AppendLast(nil), s.AppendBins(nil))
		}
	}
	f.Fuzz(func(t *testing.T, text, last, bins []byte) {
		var s Binary
		if from := (saved{text, last, bins}); from.load(&s) != nil {
			return
		}
		s.Add(1, -1, 0.5, true)
		s.AddUnlabelled()
		encode(t, s.Report())
		again := save(t, &s)
		if err := again.load(new(Binary)); err != nil {
			t.Errorf("what was taken could not be read back: %v", err)
		}
	})
}
