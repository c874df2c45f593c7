package model

import (
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"strings"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/topics"
)

// Header is the JSON header of a checkpoint (PROTOCOL.md, "Checkpoint").
type Header struct {
	Model     string          `json:"model"`
	Partition *int32          `json:"partition,omitempty"` // the only one that the task has; nil: it has all
	Tasks     int             `json:"tasks,omitempty"`     // with Partition: when it was begun
	Build     string          `json:"build"`
	Config    Config          `json:"config"`
	Cluster   string          `json:"cluster"` // id
	Input     TopicRef        `json:"input"`
	Output    TopicRef        `json:"output"`
	Dead      TopicRef        `json:"deadLetter"`
	Outcomes  TopicRef        `json:"outcomes,omitzero"`   // no name: the task has none
	Labels    TopicRef        `json:"labelTopic,omitzero"` // likewise
	Seq       int64           `json:"seq"`
	Epoch     int64           `json:"epoch"`
	Producer  topics.Producer `json:"producer"`
	Positions []int64         `json:"positions"` // the next offset to read of each input partition
	Started   []int64         `json:"started"`   // the first one ever
	topics.Ends

	// Of the label records, with Labels.
	LabelPositions []int64 `json:"labelPositions,omitempty"`
	LabelStarted   []int64 `json:"labelStarted,omitempty"`

	// Leader epochs of the batches before the positions and ends (KIP-320); -1, or none: not known.
	PositionEpochs []int32 `json:"positionEpochs,omitempty"`
	LabelEpochs    []int32 `json:"labelEpochs,omitempty"`
	topics.EndEpochs

	Family  event.Family  `json:"labels"`  // 0 none seen, 1 "1", 2 -1/1, 3 0/1, 4 booleans, 5 names
	Trained bool          `json:"trained"` // Processor.Trained
	Learner learner.State `json:"learner"`
	Counts  Counts        `json:"counts"`

	// Classes replaces Learner, which is then all zero.
	Classes *learner.MultiState `json:"classes,omitempty"`

	// Challengers are the short parts of the challengers' states, in the order of Config.
	Challengers []ChallengerState `json:"challengers,omitempty"`
	// Champion is the one whose predictions are published; empty: the learner of Config.
	Champion   string      `json:"champion,omitempty"`
	Promotions []Promotion `json:"promotions,omitempty"`

	Late *LateState `json:"lateState,omitempty"` // what waits for labels; nil: no labels come later

	// ForTopic: it counts only where the checkpoint topic has it, too. Nothing was published after it before that.
	ForTopic bool `json:"forTopic,omitempty"`

	// FieldReference is what fields are compared with (profile.Reference.Compress). No score depends on it.
	FieldReference []byte `json:"fieldReference,omitempty"`

	Accepted []Acceptance       `json:"accepted,omitempty"`
	Skipped  []topics.SkipRange `json:"skipped,omitempty"`
}

// TopicRef is a topic at the time of a checkpoint.
type TopicRef struct {
	Name       string `json:"name"`
	ID         string `json:"id"`
	Partitions int    `json:"partitions"`
}

// Topics yields the topics of a checkpoint that has positions or ends in them, always in one order.
func (h *Header) Topics() iter.Seq2[topics.Topic, TopicRef] {
	return func(yield func(topics.Topic, TopicRef) bool) {
		_ = yield(topics.Input, h.Input) && yield(topics.Labels, h.Labels) && yield(topics.Output, h.Output) &&
			yield(topics.Outcomes, h.Outcomes) && yield(topics.DeadLetters, h.Dead)
	}
}

// Reached are the places up to which a topic was read or written, with what is known of their leaders.
func (h *Header) Reached(t topics.Topic) []topics.Reached {
	switch t {
	case topics.Input:
		return topics.ReachedAt(h.Positions, h.PositionEpochs)
	case topics.Labels:
		return topics.ReachedAt(h.LabelPositions, h.LabelEpochs)
	}
	return topics.ReachedAt(*h.Ends.Of(t), *h.EndEpochs.Of(t))
}

// RefOf names a topic as it is.
func RefOf(t topics.TopicState) TopicRef { return TopicRef{t.Name, t.ID, len(t.Partitions)} }

// sectionScore holds the score as JSON, sectionLast its latest examples (metrics.Binary.AppendLast), sectionBins what
// it counts by score (metrics.Binary.AppendBins). Every other section is a column of the model, or of what waits for
// labels.
const (
	sectionScore = "score"
	sectionLast  = "scoreLast"
	sectionBins  = "scoreBins"

	sectionSlices = "scoreSlices" // metrics.Slices.Saved as JSON; absent without slices
	// sectionDecision holds calibration and cut as JSON, where the configuration has one.
	sectionDecision = "decision"

	// sectionDrift holds the detector of drifts as JSON, where there is one.
	sectionDrift = "drift"
)

// Read rebuilds the processor that a checkpoint describes. Where events name their schemas, it knows those of the file
// beside the checkpoint.
func Read(f *checkpoint.File) (Header, *Processor, error) { return ReadWith(f, nil) }

// ReadWith is Read with the schemas that are known.
func ReadWith(f *checkpoint.File, known schema.Store) (Header, *Processor, error) {
	var h Header
	if err := json.Unmarshal(f.Header, &h); err != nil {
		return h, nil, fmt.Errorf("%s: header: %w", f.Path, err)
	}
	if named := strings.HasPrefix(filepath.Base(f.Path), "checkpoint-"); named && uint64(h.Seq) != f.Seq {
		return h, nil, fmt.Errorf("%s: the file's name says seq %d, its header %d: restore its name", f.Path, f.Seq,
			h.Seq)
	}
	if h.Config.NamesSchemas() && known == nil {
		own, err := schema.Of(f.Path)
		if err != nil {
			return h, nil, err
		}
		known = own
	}
	h.Config.Use(known)
	proc, err := NewProcessor(h.Config)
	if err != nil {
		return h, nil, fmt.Errorf("%s: its configuration is not one of this version (the file is of build %s): %w",
			f.Path, h.Build, err)
	}
	//mutation:untrained-restored
	proc.Trained = h.Trained
	proc.Family = h.Family
	if err := proc.loadAll(f, &h); err != nil {
		return h, nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return h, proc, nil
}

// loadFigures reads what is saved beside the columns, of names with a prefix.
func (p *Processor) loadFigures(f *checkpoint.File, prefix string) (err error) {
	in := func(name string, err error) error {
		if err == nil {
			return nil
		}
		return fmt.Errorf("section %q: %w", prefix+name, err)
	}
	score, ok := f.Section(prefix + sectionScore)
	if !ok {
		return fmt.Errorf("no section %q", prefix+sectionScore)
	}
	if err := json.Unmarshal(score, p.score); err != nil {
		return in(sectionScore, err)
	}
	last, _ := f.Section(prefix + sectionLast) // without it there are none, as of no examples
	if err := p.score.LoadLast(last); err != nil {
		return in(sectionLast, err)
	}
	if s, ok := p.score.(binned); ok {
		bins, _ := f.Section(prefix + sectionBins) // without it there are no bins, as of no examples
		if err := s.LoadBins(bins); err != nil {
			return in(sectionBins, err)
		}
	}
	if slices, ok := f.Section(prefix + sectionSlices); ok {
		if p.sliced.counts, err = metrics.LoadSlices(slices); err != nil {
			return in(sectionSlices, err)
		}
	}
	if text, ok := f.Section(prefix + sectionDrift); ok {
		if p.drifts, err = loadDrifts(text, p.drifts); err != nil {
			return in(sectionDrift, err)
		}
	}
	return nil
}

// loadDecision reads what is saved of calibration and cut.
func (p *Processor) loadDecision(f *checkpoint.File, prefix string) error {
	by := p.task.decisions()
	if by == nil {
		return nil
	}
	text, _ := f.Section(prefix + sectionDecision)
	if err := by.load(text); err != nil {
		return fmt.Errorf("section %q: %w", prefix+sectionDecision, err)
	}
	return nil
}
