package model

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

// newOlderModel is one that learns by the first rules, and the configuration of a new version.
func newOlderModel(t *testing.T, name string) (older *savedModel, newer Config) {
	t.Helper()
	older = newSavedModel(t, event.Binary, name, learner.ScaleNone)
	newer = older.config
	older.config.Learner.Rules = learner.FirstRules
	var err error
	if older.proc, err = NewProcessor(older.config); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		older.learn()
	}
	return older, newer
}

// writeAsBefore writes a checkpoint as versions did that had no numbers of rules.
func (m *savedModel) writeAsBefore() (path string) {
	m.Helper()
	header, sections, err := encode(m.header(m.proc), m.proc)
	if err != nil {
		m.Fatal(err)
	}
	without := bytes.Replace(header, []byte(`,"rules":1`), nil, 1)
	if len(without) == len(header) {
		m.Fatalf("no rules in %s", header)
	}
	path = filepath.Join(m.TempDir(), "older")
	if _, err := checkpoint.WriteFile(nil, path, without, sections); err != nil {
		m.Fatal(err)
	}
	return path
}

// TestFirstRules: a checkpoint without a number of rules was learned by the first ones. It goes on by them, to the bit,
// and the configuration of a new version does not differ from its.
func TestFirstRules(t *testing.T) {
	for _, name := range []string{"dual:kernel=rbf,budget=5,positive-weight=3", "pa1:C=0.1,positive-weight=3"} {
		older, newer := newOlderModel(t, name)
		f, err := checkpoint.Open(nil, older.writeAsBefore())
		if err != nil {
			t.Fatal(err)
		}
		h, proc, err := Read(f)
		if err != nil {
			t.Fatal(err)
		}
		if diff, err := h.Config.Diff(newer); err != nil || len(diff) > 0 || newer.For(h.Config).Learner.Rules != 1 {
			t.Errorf("%s: %v differ, %v", name, diff, err)
		}
		again := &savedModel{T: t, config: h.Config, proc: proc, decode: older.decode, seq: h.Seq,
			rng: rand.New(rand.NewPCG(3, 4))}
		older.rng = rand.New(rand.NewPCG(3, 4))
		for range 100 {
			older.learn()
			again.learn()
		}
		if !maps.Equal(older.content(older.proc), again.content(again.proc)) {
			t.Errorf("%s: the model that was read goes on otherwise", name)
		}
	}
}

// TestOlderLogistic: a model that began with the defaults of an earlier version keeps them where its parameters are not
// given. Its checkpoint has the rate, and no window.
func TestOlderLogistic(t *testing.T) {
	older := newSavedModel(t, event.Binary, "logistic:rate=0.1,window=0", learner.ScaleStandard)
	newer := newSavedModel(t, event.Binary, "logistic", learner.ScaleStandard).config
	newer.LearnerText = "logistic"
	for range 20 {
		older.learn()
	}
	header, sections, err := encode(older.header(older.proc), older.proc)
	if err != nil || bytes.Contains(header, []byte("window")) {
		t.Fatal(string(header), err)
	}
	path := filepath.Join(t.TempDir(), "older")
	if _, err := checkpoint.WriteFile(nil, path, header, sections); err != nil {
		t.Fatal(err)
	}
	f, err := checkpoint.Open(nil, path)
	if err != nil {
		t.Fatal(err)
	}
	h, _, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	diff, err := h.Config.Diff(newer)
	if now := newer.For(h.Config).Learner; err != nil || len(diff) > 0 || now != older.config.Learner ||
		newer.Learner.Rate != 0.5 || newer.Learner.Window != 300 {
		t.Errorf("%v, %v: %+v, of a new model %+v", diff, err, now, newer.Learner)
	}
}

// TestStartFromFirstRules: a new model that starts from an older dual learns by the newest rules; each of the examples
// that it takes over counts as one mistake.
func TestStartFromFirstRules(t *testing.T) {
	older, newer := newOlderModel(t, "dual:kernel=rbf,budget=5")
	proc, err := NewProcessor(newer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := proc.StartFrom(newer, older.writeAsBefore()); err != nil {
		t.Fatal(err)
	}
	got := (&savedModel{T: t, config: newer}).content(proc)
	if got["kept"] != older.content(older.proc)["kept"] {
		t.Error("other examples are kept")
	}
	if want := bytes.Repeat([]byte{1, 0, 0, 0, 0, 0, 0, 0}, 5); got["mistakes"] != string(want) {
		t.Errorf("mistakes %x", got["mistakes"])
	}
	var h Header
	if err := json.Unmarshal([]byte(got["header"]), &h); err != nil || h.Config.Learner.Rules != learner.NewestRules {
		t.Error(h.Config.Learner.Rules, err)
	}
}

// TestStartFromAnotherBias: the weights of a model with a bias are not those of one without. What is not given is here
// the default, not the file's.
func TestStartFromAnotherBias(t *testing.T) {
	for from, to := range map[string]string{"pa1": "pa1:bias=0", "dual:bias=0": "dual"} {
		was := newSavedModel(t, event.Binary, from, learner.ScaleNone)
		now := newSavedModel(t, event.Binary, to, learner.ScaleNone)
		now.config.LearnerText = to
		for range 20 {
			was.learn()
		}
		header, sections, err := encode(was.header(was.proc), was.proc)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "from")
		if _, err := checkpoint.WriteFile(nil, path, header, sections); err != nil {
			t.Fatal(err)
		}
		_, err = now.proc.StartFrom(now.config, path)
		if err == nil || !strings.Contains(err.Error(), "learner.bias") {
			t.Errorf("from %s to %s: %v", from, to, err)
		}
	}
}
