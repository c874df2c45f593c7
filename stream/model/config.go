package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/schema"
)

// Config is the configuration that influences a feature, a score or a rejection. A run with another one than the
// checkpoint's is refused unless the difference is accepted; it then takes effect after recovery.
type Config struct {
	Hash    string        `json:"hash"`                 // "xxhash64"
	Learner learner.Spec  `json:"learner"`              // learner, parameters, scale, bits
	Decode  event.Options `json:"decode"`               // format, fields, labels, limits, bits, seed
	NoLearn bool          `json:"noLearn"`              // predict only
	Late    *LateLabels   `json:"lateLabels,omitempty"` // nil: no labels come later

	// Of two labels, else empty.
	Calibrate string `json:"calibrate,omitempty"` // CalibrateNone or CalibratePlatt; empty: see Calibration
	Decide    string `json:"decide,omitempty"`    // a decision.Rule; empty: the sign of the score

	// With a learner that begins anew at a drift, else both empty.
	Drift   string `json:"drift,omitempty"`   // as Drift.String writes it
	OnDrift string `json:"onDrift,omitempty"` // OnDriftReset

	// Challengers are further learners of the same events, by name (PROTOCOL.md, "Challengers").
	Challengers []Challenger `json:"challengers,omitempty"`

	// LearnerText is the learner as given, or empty: an existing model keeps the parameters that it does not name.
	LearnerText string `json:"-"`

	// Of a task of several classes (Decode.Task), else all zero.
	Multiclass string `json:"multiclass,omitempty"` // learner.Direct, the default, OVA or OVO
	MaxClasses int    `json:"maxClasses,omitempty"` // at most so many; 0: learner's default
	Ties       string `json:"ties,omitempty"`       // of OVO: see learner.MultiSpec
	Scores     bool   `json:"scores,omitempty"`     // predictions hold all scores
}

// HashName is the only hash there is.
const HashName = "xxhash64"

// unchangeable settings determine the layout of the state, or whether it has a bias.
var unchangeable = []string{"hash", "learner.learner", "learner.bits", "learner.bias", "decode.bits", "decode.seed",
	"decode.task", "multiclass"}

// Difference is one setting in which two configurations differ.
type Difference struct {
	Name     string // dotted path
	Was, Now string // JSON
}

// Title is the name that is shown.
func (d Difference) Title() string {
	if d.Name == "learner.learner" {
		return "learner"
	}
	return d.Name
}

// Permanent reports whether the setting cannot change for an existing state, even if accepted.
func (d Difference) Permanent() bool { return slices.Contains(unchangeable, d.Name) }

// For returns the configuration for an existing model, which keeps its start weights, and the parameters of the learner
// that are not given.
func (f Config) For(model Config) Config {
	f.Learner.StartWeights, f.Learner.StartSeed = model.Learner.StartWeights, model.Learner.StartSeed
	f.Decode = f.Decode.KeepSchema(model.Decode)
	//mutation:frames-of-older-models
	f.Decode.Framed = framed(f.Decode, model.Decode)
	if f.Late != nil && model.Late != nil {
		late := *f.Late
		late.Decode = late.Decode.KeepSchema(model.Late.Decode)
		late.Decode.Framed = framed(late.Decode, model.Late.Decode)
		f.Late = &late
	}
	f.forChallengers(&model)
	//mutation:parameters-not-given
	if f.LearnerText != "" {
		f.Learner = f.Learner.For(model.Learner, f.LearnerText)
	}
	return f
}

// Use lets the decoders that are made of the configuration read what is known of schemas.
func (f *Config) Use(known schema.Store) {
	f.Decode.Schemas = known
	if f.Late != nil {
		late := *f.Late
		late.Decode.Schemas = known
		f.Late = &late
	}
}

// NamesSchemas reports whether events or label records name their schemas.
func (f *Config) NamesSchemas() bool {
	return f.Decode.NamesSchemas() || f.Late != nil && f.Late.Decode.NamesSchemas()
}

// Unasked reports whether events or label records have the schema of a subject that has not been asked for yet.
func (f *Config) Unasked() bool {
	return f.Decode.Unasked() || f.Late != nil && f.Late.Decode.Unasked()
}

// TakeSchemas fills in the schemas of subjects that have not been asked for yet.
func (f *Config) TakeSchemas(ask func(subject string) (*schema.Schema, error)) error {
	take := func(o *event.Options) error {
		if !o.Unasked() {
			return nil
		}
		s, err := ask(o.Subject)
		if err != nil {
			return err
		}
		if err = o.TakeSchema(s); err == nil {
			err = o.Validate()
		}
		if err != nil {
			return fmt.Errorf("the schema of subject %s: %w", o.Subject, err)
		}
		return nil
	}
	if err := take(&f.Decode); err != nil || f.Late == nil {
		return err
	}
	late := *f.Late
	f.Late = &late
	return take(&late.Decode)
}

// framed is Framed of options for an existing model, which has no setting: the model keeps its rule with its format.
func framed(now, model event.Options) bool {
	if now.Format == model.Format {
		return model.Framed
	}
	return now.Framed
}

// Diff lists the settings of an existing model that differ from now, by name.
func (f Config) Diff(now Config) ([]Difference, error) {
	now = now.For(f)
	was, err := flatten(f)
	if err != nil {
		return nil, err
	}
	is, err := flatten(now)
	if err != nil {
		return nil, err
	}
	names := maps.Clone(was)
	maps.Copy(names, is)
	var out []Difference
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if was[name] != is[name] {
			out = append(out, Difference{name, cmp.Or(was[name], "absent"), cmp.Or(is[name], "absent")})
		}
	}
	return out, nil
}

func flatten(v Config) (map[string]string, error) {
	v.Learner, v.Hash = v.Learner.WithDefaults(), cmp.Or(v.Hash, HashName)
	v.normalize()
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	var tree map[string]any
	numbers := json.NewDecoder(bytes.NewReader(raw))
	numbers.UseNumber() // a seed has 64 bits
	if err := numbers.Decode(&tree); err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	namedChallengers(tree)
	out := map[string]string{}
	var walk func(prefix string, v any)
	walk = func(prefix string, v any) {
		if m, ok := v.(map[string]any); ok {
			for name, inner := range m {
				walk(strings.TrimPrefix(prefix+"."+name, "."), inner)
			}
			return
		}
		text, _ := json.Marshal(v) // it was decoded from JSON
		out[prefix] = string(text)
	}
	walk("", tree)
	return out, nil
}

// Setting is one setting of a configuration.
type Setting struct {
	Name  string          `json:"name"` // dotted path
	Value json.RawMessage `json:"value"`
}

// Settings lists all settings by name, with defaults.
func (f Config) Settings() ([]Setting, error) {
	flat, err := flatten(f)
	if err != nil {
		return nil, err
	}
	out := make([]Setting, 0, len(flat))
	for _, name := range slices.Sorted(maps.Keys(flat)) {
		out = append(out, Setting{name, json.RawMessage(flat[name])})
	}
	return out, nil
}

// Validate names an invalid setting and the allowed values.
func (f Config) Validate() error {
	if err := f.Decode.Validate(); err != nil {
		return err
	}
	if f.Late != nil {
		if _, err := event.NewLabels(f.Late.Decode, f.Late.ByKey()); err != nil {
			return fmt.Errorf("labels: %w", err)
		}
	}
	return cmp.Or(f.validateClasses(), f.validateDecisions(), f.validateDrift(), f.CheckChallengers())
}
