package model

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rosenblatt/learner"
	"rosenblatt/learner/decision"
)

const (
	// MostChallengers is how many learners there may be beside that of Config.Learner.
	MostChallengers = 8
	// OwnName is the name of the learner of Config.Learner, beside those of its challengers.
	OwnName = "learner"
)

// Challenger is a further learner of a configuration. Everything else is that of the configuration.
type Challenger struct {
	Name       string       `json:"name"`
	Learner    learner.Spec `json:"learner"`
	Calibrate  string       `json:"calibrate,omitempty"`
	Decide     string       `json:"decide,omitempty"`
	Multiclass string       `json:"multiclass,omitempty"`
	Ties       string       `json:"ties,omitempty"`

	// LearnerText is the learner as given, or empty: as Config.LearnerText.
	LearnerText string `json:"-"`
	// FromModel is what a new one starts from, if anything: a checkpoint, or a folder of some.
	FromModel string `json:"-"`
}

// ParseChallenger reads "NAME=pa1:C=0.1 scale:none calibrate:platt decide:cost=fp:1,fn:20 from-model:FILE". The name is
// by default c and a number. What is not given is that of the configuration, which is complete but for its challengers.
// parse reads a learner (learner.ParseLearner).
func (f *Config) ParseChallenger(text string, number int, parse func(string, *learner.Spec) error) (Challenger, error) {
	c := Challenger{Name: fmt.Sprintf("c%d", number), Calibrate: f.Calibrate, Decide: f.Decide,
		Multiclass: f.Multiclass, Ties: f.Ties}
	words := strings.Fields(text)
	if len(words) == 0 {
		return c, errors.New(`it is empty: want a learner, as "c1=pa1:C=0.1"`)
	}
	c.LearnerText = words[0]
	if name, rest, named := strings.Cut(words[0], "="); named && !strings.Contains(name, ":") {
		c.Name, c.LearnerText = name, rest
	}
	if err := checkChallengerName(c.Name); err != nil {
		return c, err
	}
	c.Learner = f.Learner
	calibrates := false
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, ":")
		switch key {
		case "scale":
			if err := learner.ParseScale(value, &c.Learner); err != nil {
				return c, fmt.Errorf("%s: scale: %w", c.Name, err)
			}
		case "calibrate":
			c.Calibrate, calibrates = value, true
		case "decide":
			c.Decide = value
		case "from-model":
			c.FromModel = value
		default:
			return c, fmt.Errorf("%s: %q: want scale:, calibrate:, decide: or from-model: and a value", c.Name, word)
		}
	}
	if err := parse(c.LearnerText, &c.Learner); err != nil {
		return c, fmt.Errorf("%s: %w", c.Name, err)
	}
	return c, f.complete(&c, calibrates)
}

// complete completes how a challenger decides, and tells classes apart. Of the configuration's own settings, those that
// its learner does not have are left out.
func (f *Config) complete(c *Challenger, calibrates bool) error {
	of := f.with(c)
	if f.multiclass() {
		if spec := of.multi(); spec.Validate() != nil {
			c.Multiclass, c.Ties = learner.OVA, ""
		}
		of = f.with(c)
		return prefixed(c.Name, of.validateClasses())
	}
	if !calibrates {
		of.Calibrate = ""
		if f.Calibrate == CalibratePlatt {
			of.Calibrate = CalibratePlatt
		}
	}
	if err := of.SetDecisions(of.Calibrate, of.Decide); err != nil {
		return prefixed(c.Name, err)
	}
	c.Calibrate, c.Decide = of.Calibrate, of.Decide
	return prefixed(c.Name, of.validateClasses())
}

func prefixed(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

// checkChallengerName says what is wrong with a name. It is part of the names of sections, metrics' labels and paths.
func checkChallengerName(name string) error {
	const most = 32
	bad := len(name) == 0 || len(name) > most || name[0] == '.' || name[0] == '-'
	for _, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		bad = bad || !letter && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-'
	}
	switch {
	case bad:
		return fmt.Errorf("%.40q is no name: want 1 to %d letters, digits, '.', '_' and '-'", name, most)
	case name == OwnName:
		return fmt.Errorf("%q is the name of the learner that --learner says: want another", name)
	}
	return nil
}

// with is the configuration of a model that runs a challenger alone.
func (f *Config) with(c *Challenger) Config {
	of := *f
	of.Challengers = nil
	of.Learner, of.LearnerText = c.Learner, c.LearnerText
	of.Calibrate, of.Decide, of.Multiclass, of.Ties = c.Calibrate, c.Decide, c.Multiclass, c.Ties
	if rule, err := ParseDrift(f.Drift, f.Decide); f.Drift != "" && err == nil {
		of.Drift = rule.beside(f.Decide, c.Decide).String()
	}
	return of
}

// beside is the rule for a challenger that decides by another one: it looks at cost where that says what mistakes cost,
// unless the model is told to look at mistakes though it could.
func (d *Drift) beside(own, decide string) *Drift {
	if d == nil {
		return nil
	}
	cost := func(text string) bool {
		rule, err := decision.ParseRule(text)
		return err == nil && rule.Kind == decision.Cost
	}
	of := *d
	of.Of = OfMistakes
	if cost(decide) && (d.Of == OfCost || !cost(own)) {
		of.Of = OfCost
	}
	return &of
}

// Of is the configuration of a model that runs one of the learners alone, by its name.
func (f Config) Of(name string) Config {
	if i := f.challenger(name); i >= 0 {
		return f.with(&f.Challengers[i])
	}
	f.Challengers = nil
	return f
}

// challenger is the place of a challenger, -1 if there is none of that name.
func (f *Config) challenger(name string) int {
	return slices.IndexFunc(f.Challengers, func(c Challenger) bool { return c.Name == name })
}

// Learners are the names of all learners, that of Config.Learner first.
func (f *Config) Learners() []string {
	names := []string{OwnName}
	for i := range f.Challengers {
		names = append(names, f.Challengers[i].Name)
	}
	return names
}

// ChallengersOf says for each challenger which one of another configuration goes on as it: one of the same name and
// learner. It is -1 for one that begins.
func (f *Config) ChallengersOf(was *Config) []int {
	of := []int{}
	for i := range f.Challengers {
		c, j := &f.Challengers[i], was.challenger(f.Challengers[i].Name)
		if j >= 0 && !sameKind(c, &was.Challengers[j]) {
			j = -1
		}
		of = append(of, j)
	}
	return of
}

func sameKind(a, b *Challenger) bool {
	return a.Learner.WithDefaults().Learner == b.Learner.WithDefaults().Learner && a.Multiclass == b.Multiclass
}

// normalizeChallengers sets defaults, in a copy.
func (f *Config) normalizeChallengers() {
	f.Challengers = slices.Clone(f.Challengers)
	for i := range f.Challengers {
		c := &f.Challengers[i]
		of := f.with(c)
		of.normalize()
		c.Learner = c.Learner.WithDefaults()
		c.Calibrate, c.Decide, c.Multiclass = of.Calibrate, of.Decide, of.Multiclass
	}
}

// namedChallengers makes an object of the array of challengers: they are compared by name.
func namedChallengers(tree map[string]any) {
	list, some := tree["challengers"].([]any)
	if !some {
		return
	}
	named := map[string]any{}
	for _, one := range list {
		c := one.(map[string]any)
		name := c["name"].(string)
		delete(c, "name")
		named[name] = c
	}
	tree["challengers"] = named
}

// forChallengers is For of each challenger that the model has, too.
func (f *Config) forChallengers(model *Config) {
	f.Challengers = slices.Clone(f.Challengers)
	for i := range f.Challengers {
		c := &f.Challengers[i]
		j := model.challenger(c.Name)
		if j < 0 {
			continue
		}
		was := &model.Challengers[j]
		c.Learner.StartWeights, c.Learner.StartSeed = was.Learner.StartWeights, was.Learner.StartSeed
		if c.LearnerText != "" {
			c.Learner = c.Learner.For(was.Learner, c.LearnerText)
		}
	}
}

// CheckChallengers names what is wrong with the challengers.
func (f *Config) CheckChallengers() error {
	if len(f.Challengers) > MostChallengers {
		return fmt.Errorf("%d challengers: want at most %d", len(f.Challengers), MostChallengers)
	}
	for i := range f.Challengers {
		c := &f.Challengers[i]
		of := f.with(c)
		twice := f.challenger(c.Name) != i
		err := cmp.Or(checkChallengerName(c.Name), of.validateClasses(), of.validateDecisions())
		switch {
		case twice:
			return fmt.Errorf("challenger: two of the name %q", c.Name)
		case err == nil && c.Learner.WithDefaults().Bits != f.Learner.WithDefaults().Bits:
			err = errors.New("it has other bits than the learner beside it")
		}
		if err != nil {
			return fmt.Errorf("challenger %w", prefixed(c.Name, err))
		}
	}
	return nil
}
