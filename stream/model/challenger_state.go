package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
)

// ChallengerState is the short part of a challenger's state. Its long part are sections whose names begin with its own.
type ChallengerState struct {
	Name      string        `json:"name"`
	Since     int64         `json:"since,omitempty"`     // it has learned what follows this seq
	Suspended string        `json:"suspended,omitempty"` // why it has stopped for good
	Trained   bool          `json:"trained"`
	Learner   learner.State `json:"learner"`

	Classes *learner.MultiState `json:"classes,omitempty"` // replaces Learner
}

// sectionContest holds the comparisons of all pairs of learners as JSON.
const sectionContest = "contest"

// sectionPublished begins the names of the sections of what was published, after a promotion.
const sectionPublished = "published."

// prefix is that of the sections of a learner, whatever its place.
func (p *Processor) prefix(name string) string {
	if name == OwnName {
		return ""
	}
	return "beside." + name + "."
}

// each yields all learners in the order of their names, and those.
func (p *Processor) each(visit func(name string, of *Processor) error) error {
	for number, name := range p.learners {
		of := p
		for _, c := range p.challengers {
			if c.number == number {
				of = c.Processor
			}
		}
		if err := visit(name, of); err != nil {
			return err
		}
	}
	return nil
}

// setState stores the short parts of all learners' states in the header.
func (p *Processor) setState(h *Header) {
	h.Promotions = slices.Clone(p.promotions)
	if p.number != 0 {
		h.Champion = p.Champion()
	}
	_ = p.each(func(name string, of *Processor) error { // it returns nil
		var x Header
		if name == OwnName {
			h.Trained = of.Trained
			of.task.state(h)
			return nil
		}
		of.task.state(&x)
		h.Challengers = append(h.Challengers, ChallengerState{Name: name, Since: of.since, Suspended: of.suspended,
			Trained: of.Trained, Learner: x.Learner, Classes: x.Classes})
		return nil
	})
}

// allSections are what is saved of all learners, and of what they have in common.
func (p *Processor) allSections() (sections []checkpoint.Section, err error) {
	if err = p.each(func(name string, of *Processor) error {
		sections = append(sections, of.sections(p.prefix(name))...)
		if sections, err = of.appendFigures(sections, p.prefix(name)); err == nil {
			sections, err = of.appendDecision(sections, p.prefix(name))
		}
		return err
	}); err != nil || len(p.challengers) == 0 {
		return sections, err
	}
	if p.published != nil {
		if sections, err = p.published.appendFigures(sections, sectionPublished); err != nil {
			return nil, err
		}
	}
	var pairs []metrics.PairedState
	for i := range p.contest.pairs {
		pairs = append(pairs, p.contest.pairs[i].State())
	}
	text, err := json.Marshal(pairs)
	if err != nil {
		return nil, fmt.Errorf("checkpoint contest: %w", err)
	}
	return append(sections, checkpoint.Bytes(sectionContest, text)), nil
}

// loadAll reads what a checkpoint holds of all learners. The processor is untrained, and the champion its own learner.
func (p *Processor) loadAll(f *checkpoint.File, h *Header) error {
	if len(h.Challengers) != len(p.challengers) {
		return fmt.Errorf("the states of %d challengers, and %d in the configuration", len(h.Challengers),
			len(p.challengers))
	}
	if err := p.load(f, h, ""); err != nil || len(p.challengers) == 0 {
		return err
	}
	for i, c := range p.challengers {
		s, name := &h.Challengers[i], p.learners[c.number]
		if s.Name != name {
			return fmt.Errorf("the state of challenger %q where that of %q is due", s.Name, name)
		}
		c.since, c.suspended, c.Trained, c.Family = s.Since, s.Suspended, s.Trained, h.Family
		if err := c.load(f, &Header{Learner: s.Learner, Classes: s.Classes}, p.prefix(name)); err != nil {
			return fmt.Errorf("challenger %s: %w", name, err)
		}
	}
	if err := p.loadContest(f); err != nil {
		return fmt.Errorf("section %q: %w", sectionContest, err)
	}
	return p.loadChampion(f, h)
}

func (p *Processor) loadContest(f *checkpoint.File) error {
	text, ok := f.Section(sectionContest)
	if !ok {
		return errors.New("it is missing")
	}
	var pairs []metrics.PairedState
	if err := json.Unmarshal(text, &pairs); err != nil {
		return err
	}
	if len(pairs) != len(p.contest.pairs) {
		return fmt.Errorf("%d pairs, want %d", len(pairs), len(p.contest.pairs))
	}
	for i := range pairs {
		if err := p.contest.pairs[i].Load(pairs[i]); err != nil {
			return err
		}
	}
	return nil
}

// loadChampion makes the learner the champion that was it, and reads what was published.
func (p *Processor) loadChampion(f *checkpoint.File, h *Header) error {
	name := cmp.Or(h.Champion, OwnName)
	if err := p.CanPromote(name); err != nil {
		return fmt.Errorf("the champion: %w", err)
	}
	p.promotions = h.Promotions
	//mutation:champion-restored
	p.switchTo(slices.Index(p.learners, name))
	if _, has := f.Section(sectionPublished + sectionScore); !has {
		return nil
	}
	p.published = p.Unscored()
	p.Score = p.published.score
	return p.published.loadFigures(f, sectionPublished)
}

// copyBeside copies all but the columns of the challengers. Both have the same champion.
func (p *Processor) copyBeside(to *Processor) {
	//mutation:challengers-copied
	for i, c := range p.challengers {
		x := to.challengers[i]
		c.copyFigures(x.Processor)
		x.since, x.suspended = c.since, c.suspended
	}
	to.since, to.suspended = p.since, p.suspended
	to.promotions = p.promotions // what is in it does not change
	p.contest.copyTo(&to.contest)
	if p.published == nil {
		return
	}
	if to.published == nil {
		to.published = to.Unscored()
		to.Score = to.published.score
	}
	p.published.task.copyScore(to.published.task)
	p.published.sliced.copyTo(&to.published.sliced)
	to.published.drifts = p.published.drifts.clone()
}

// inheritBeside goes on with the challengers that both have, by name, where the learner is the same. Others begin after
// a seq. The champion stays.
func (p *Processor) inheritBeside(from *Processor, seq int64) error {
	was := make([]int, len(p.learners)) // numbers in from, -1: it begins
	if err := p.each(func(name string, of *Processor) error {
		number := slices.Index(p.learners, name)
		was[number] = -1
		return from.each(func(old string, has *Processor) error {
			if old != name || number != 0 && has.learnerKind() != of.learnerKind() {
				return nil
			}
			was[number] = has.number
			of.since, of.suspended = has.since, has.suspended
			if number == 0 {
				return of.inherit(has)
			}
			return prefixed(name, of.inherit(has))
		})
	}); err != nil {
		return err
	}
	for j := range was {
		for i := range was[:j] {
			if a, b := was[i], was[j]; a >= 0 && b >= 0 {
				p.contest.pairs[pair(i, j)] = from.contest.of(a, b)
			}
		}
	}
	for _, c := range p.challengers {
		if c.Family = from.Family; was[c.number] < 0 {
			c.since = seq
		}
	}
	if from.number == 0 && from.published == nil {
		return nil
	}
	number := slices.Index(p.learners, from.Champion())
	if number < 0 || was[number] < 0 {
		return &GoneChampion{from.Champion()}
	}
	p.promotions = from.promotions
	p.switchTo(number)
	p.publishAs(from.shown().figures())
	return nil
}

// GoneChampion says that a configuration lacks the learner that is the champion.
type GoneChampion struct{ Name string }

func (e *GoneChampion) Error() string {
	return fmt.Sprintf("%s is the champion: promote another learner before it is removed or becomes another one",
		e.Name)
}

// learnerKind is the learner's name, and the scheme of several classes.
func (p *Processor) learnerKind() string {
	if m := p.Multi(); m != nil {
		return m.Spec().Learner + " " + m.Spec().Scheme
	}
	return p.Binary().Spec().Learner
}

// StartChallengers starts those challengers of which nothing is learned from the models that the configuration names,
// and has all know the champion's classes, under the same numbers.
func (p *Processor) StartChallengers(fixed *Config, seq int64) error {
	for _, c := range p.challengers {
		i := fixed.challenger(p.learners[c.number])
		if i < 0 { // the configuration's own: another one is the champion
			continue
		}
		name, from := fixed.Challengers[i].Name, fixed.Challengers[i].FromModel
		if from != "" && c.since == seq && c.score.Predictions() == 0 {
			if _, err := c.StartFrom(fixed.Of(name), from); err != nil {
				return prefixed(name, err)
			}
		}
		m, classes := c.Multi(), p.Classes()
		if m == nil || slices.Equal(m.Classes(), classes) {
			continue
		}
		if err := m.Know(classes); err != nil {
			return fmt.Errorf("%s: its classes are not those of the learner beside it, in their order: start it from"+
				" no model: %w", name, err)
		}
	}
	return nil
}
