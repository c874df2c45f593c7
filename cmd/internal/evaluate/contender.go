package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
)

type contender struct {
	name   string // in results
	spec   string // as given
	scheme string // of several classes, as learner.ParseScheme reads it, else empty
	rule   string // of two labels, of --decide

	challenger string // of --challenger, as given: then what came before is of the first learner
}

// checkSingle checks that results of a single learner have one.
func (p *plan) checkSingle() error {
	n := len(p.contenders)
	if p.model != nil {
		n++
	}
	switch {
	case n == 1:
		return nil
	case p.Predictions == "-":
		return cli.Usagef("predictions: there are %d learners: want one, or a file name, which becomes one for each", n)
	case p.Out != "":
		return cli.Usagef("out: there are %d learners: want one", n)
	}
	return nil
}

// checkClasses checks as much as is possible without the model.
func (p *plan) checkClasses(f *cli.Faults) {
	f.OneOf("task", p.Task, event.Binary, event.Multiclass)
	if p.Multiclass != "" {
		p.schemes = strings.Split(p.Multiclass, ",")
	}
	for i, scheme := range p.schemes {
		f.Check("multiclass", learner.ParseScheme(scheme, &learner.MultiSpec{}))
		f.AddIf(slices.Contains(p.schemes[:i], scheme), "multiclass: %s: duplicate", scheme)
	}
	f.AddIf(p.MaxClasses < 0, "max-classes: %d: want 1 or more", p.MaxClasses)
}

// choose lists each learner, of several classes under each scheme. If there are several, names tell them.
func (p *plan) choose() error {
	if p.task() != event.Multiclass {
		if len(p.schemes) > 0 || p.MaxClasses != 0 {
			return cli.Usagef("multiclass and max-classes are for --task %s: leave them out", event.Multiclass)
		}
		return p.chooseRules()
	}
	if p.Calibrate != "" || p.given["decide"] {
		return cli.Usagef("calibrate and decide are for two labels: leave them out")
	}
	if p.cost != nil {
		return cli.Usagef("cost: it is of two labels: leave it out")
	}
	if p.weights != nil {
		return cli.Usagef("weights: a task of several classes has a set of them for each: leave them out")
	}
	used := map[string]bool{}
	for _, spec := range p.specs {
		schemes, err := p.schemesOf(spec)
		if err != nil {
			return &cli.UsageError{Err: err}
		}
		for _, scheme := range schemes {
			p.contenders = append(p.contenders, contender{name: spec, spec: spec, scheme: scheme})
			used[scheme] = true
		}
	}
	for i := range p.contenders {
		if c := &p.contenders[i]; len(used) > 1 {
			c.name += " " + c.scheme
		}
	}
	return p.addChallengers()
}

// addChallengers lists those of --challenger beside the first learner.
func (p *plan) addChallengers() error {
	switch {
	case len(p.Challenger) == 0:
		return nil
	case len(p.contenders) == 0:
		return cli.Usagef("challenger: it is beside a learner: name that with --learner")
	case len(p.contenders)+len(p.Challenger) > mostLearners:
		return cli.Usagef("challenger: %d learners: want %d or fewer", len(p.contenders)+len(p.Challenger),
			mostLearners)
	}
	first := p.contenders[0]
	for _, text := range p.Challenger {
		c := first
		c.name, c.challenger = text, text
		p.contenders = append(p.contenders, c)
	}
	return nil
}

// chooseRules lists each learner under each rule.
func (p *plan) chooseRules() error {
	var rules []string
	for _, text := range p.Decide {
		rules = append(rules, strings.Fields(text)...)
	}
	for i, rule := range rules {
		if slices.Contains(rules[:i], rule) {
			return cli.Usagef("decide: %s: duplicate", rule)
		}
		if text, by := strings.CutPrefix(rule, "cost="); by && p.cost == nil { // costs are then told of all learners
			if cost, err := metrics.ParseCost(text); err == nil { // else the rule is refused
				p.cost = &cost
			}
		}
	}
	for _, spec := range p.specs {
		for _, rule := range rules {
			c := contender{name: spec, spec: spec, rule: rule}
			if len(rules) > 1 {
				c.name += " " + rule
			}
			p.contenders = append(p.contenders, c)
		}
	}
	if len(p.contenders) > mostLearners {
		return cli.Usagef("learner: %d learners, each with each rule: want %d or fewer", len(p.contenders),
			mostLearners)
	}
	return p.addChallengers()
}

// schemesOf are by default direct where the learner has that form, else ova, as in run. One that the learner has no
// form of is left out with a note, unless none is left.
func (p *plan) schemesOf(text string) (all []string, err error) {
	spec := learner.MultiSpec{}
	if err := learner.ParseLearner(text, &spec.Spec); err != nil {
		return nil, err
	}
	wanted := p.schemes
	if len(wanted) == 0 {
		wanted = []string{learner.Direct, learner.OVA}
	}
	var reasons []error
	for _, scheme := range wanted {
		err := learner.ParseScheme(scheme, &spec)
		if err != nil {
			return nil, err
		}
		if err = spec.Validate(); err != nil {
			reasons = append(reasons, err)
			continue
		}
		limited := spec
		limited.MaxClasses = p.MaxClasses
		if err := limited.Validate(); err != nil {
			return nil, err
		}
		if all = append(all, scheme); len(p.schemes) == 0 {
			return all, nil
		}
	}
	if len(all) == 0 {
		return nil, reasons[0]
	}
	for _, reason := range reasons {
		fmt.Fprintf(p.program.Stderr, "rosenblatt: %s: left out: %v\n", text, reason)
	}
	return all, nil
}

// learners makes the learners, the model of --from-model first.
func (p *plan) learners(from input) (all []replay.Learner, err error) {
	if p.decode, err = p.options(from); err != nil {
		return nil, err
	}
	if p.model != nil {
		p.config = p.fixed
		p.config.Decode = p.decode
		if err := p.detect(p.model, &p.config); err != nil {
			return nil, err
		}
		all = append(all, replay.Learner{Name: p.FromModel, Processor: p.model})
	}
	for _, c := range p.contenders {
		proc, err := p.processor(c)
		if err != nil {
			return nil, err
		}
		all = append(all, replay.Learner{Name: c.name, Processor: proc})
	}
	for _, l := range all {
		if _, err := l.Processor.SliceBy(&p.config, p.By); err != nil {
			return nil, &cli.UsageError{Err: err}
		}
	}
	return all, nil
}

func parseLearner(text string, into *learner.Spec) error {
	return daemon.ParseLearner(text, into, false)
}

// processor makes a learner, untrained or with the weights to start with.
func (p *plan) processor(c contender) (*model.Processor, error) {
	var f cli.Faults
	format, _ := event.FindFormat(p.decode.Format)
	spec := p.Spec(&f, format.Scale, p.Seed)
	if len(f) > 0 {
		return nil, &cli.UsageError{Err: f[0]}
	}
	spec.Bits = p.decode.Bits
	if err := learner.ParseLearner(c.spec, &spec); err != nil {
		return nil, &cli.UsageError{Err: err}
	}
	config := model.Config{Learner: spec.WithDefaults(), Decode: p.decode, NoLearn: p.NoLearn, Scores: p.Scores,
		MaxClasses: p.MaxClasses}
	if c.scheme != "" {
		var multi learner.MultiSpec
		if err := learner.ParseScheme(c.scheme, &multi); err != nil {
			return nil, &cli.UsageError{Err: err}
		}
		config.Multiclass, config.Ties = multi.Scheme, multi.Ties
	}
	if err := config.SetDecisions(p.Calibrate, c.rule); err != nil {
		return nil, &cli.UsageError{Err: err}
	}
	from := ""
	if c.challenger != "" {
		x, err := config.ParseChallenger(c.challenger, 1+slices.Index(p.Challenger, c.challenger), parseLearner)
		if err != nil {
			return nil, cli.Usagef("challenger: %w", err)
		}
		config.Challengers = append(config.Challengers, x)
		config, from = config.Of(x.Name), x.FromModel
	}
	rule, err := config.SetDrift(p.Drift, p.OnDrift)
	if err != nil {
		return nil, &cli.UsageError{Err: err}
	}
	p.config = config
	proc, err := model.NewProcessor(config)
	if err != nil {
		return nil, &cli.UsageError{Err: err}
	}
	proc.DetectBy(&config, rule)
	if from != "" {
		_, err = proc.StartFrom(config, from)
		return proc, err
	}
	if p.weights != nil {
		if err := proc.SetWeights(p.weights); err != nil {
			return nil, fmt.Errorf("weights: %w", err)
		}
	}
	return proc, nil
}

// detect has drifts of an existing model detected: as it is configured, where no flag says otherwise.
func (p *plan) detect(proc *model.Processor, c *model.Config) error {
	text, onDrift := p.Drift, p.OnDrift
	if c.OnDrift != "" && !p.given["drift"] {
		text = c.Drift
	}
	if c.OnDrift != "" && !p.given["on-drift"] && !p.NoLearn {
		onDrift = c.OnDrift
	}
	here := *c
	here.NoLearn = p.NoLearn
	rule, err := here.SetDrift(text, onDrift)
	if err != nil {
		return &cli.UsageError{Err: err}
	}
	c.Drift, c.OnDrift = here.Drift, here.OnDrift
	proc.DetectBy(c, rule)
	return nil
}
