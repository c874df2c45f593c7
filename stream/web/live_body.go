package web

import (
	"cmp"
	"slices"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/survey"
)

const (
	shownPartitions = 64 // of a topic, those with the largest lag. /status lists all
	shownClasses    = 50 // those with most examples
	shownSlices     = 50 // those with most mistakes
	shownAccepted   = 10 // the newest
	shownWarnings   = 20
	shownFields     = 100
	maxText         = 1000 // bytes of a foreign text
)

// liveBody is the status for the page. Its size is bounded.
type liveBody struct {
	*statusBody
	Known        bool         `json:"known"`         // the first recovery is complete
	Now          int64        `json:"now"`           // ms since 1970
	Young        *troubleBody `json:"young_trouble"` // with the brokers, too recent to be a reason
	Records      []float64    `json:"records_per_s"` // read over the last ten seconds, of each of Partitions
	Hidden       int          `json:"hidden_partitions"`
	HiddenLabels int          `json:"hidden_label_partitions"`
	Verdict      verdictBody  `json:"verdict"`
	OfAlerts     bool         `json:"of_alerts"` // labels are known for hardly any other prediction
	Rare         bool         `json:"rare"`      // one of two labels is: the page leads with others than accuracy
	ClassCount   int          `json:"class_count"`
	HiddenSlices int          `json:"hidden_slices"`
	Matrix       *matrixBody  `json:"matrix"` // of a binary task
	Point        *point       `json:"point"`  // for the curves
}

func (s *Server) liveBody(v *view) *liveBody {
	b := &liveBody{statusBody: s.body(v), Known: known(v.Status), Now: v.now.UnixMilli(), ClassCount: len(v.Classes)}
	b.statusBody.Classes = nil
	b.selectClasses()
	b.selectSlices()
	b.Verdict, b.Drift = s.verdict(v), driftOf(v.Drift)
	_, b.Rare = v.rare()
	b.OfAlerts = ofAlerts(v.Status)
	b.selectPartitions(v.seen.records)
	if n := len(b.Accepted); n > shownAccepted {
		b.Accepted = b.Accepted[n-shownAccepted:]
	}
	for i := range b.Accepted {
		b.Accepted[i].What, b.Accepted[i].Positions = clip(b.Accepted[i].What, maxText), nil
	}
	for i := range b.Reasons {
		b.Reasons[i] = clip(b.Reasons[i], maxText)
	}
	for i := range b.Notices {
		b.Notices[i] = clip(b.Notices[i], maxText)
	}
	if b.Stop != nil {
		b.Stop.What = clip(b.Stop.What, maxText)
	}
	b.Checkpoint.Error, b.Model, b.Learner = clip(b.Checkpoint.Error, maxText), clip(b.Model, maxName),
		clip(b.Learner, maxText)
	if b.Trouble != nil {
		b.Trouble.Text = clip(b.Trouble.Text, maxText)
		if v.now.Sub(v.troubleSince) <= s.TroubleAfter {
			b.Young = b.Trouble
		}
	}
	if v.Labels[0] != "" {
		b.Matrix = &matrixBody{Names: []string{clip(v.Labels[0], maxName), clip(v.Labels[1], maxName)},
			All: cells(v.Score.Confusion), Recent: cells(v.Score.Last.Confusion)}
	}
	if p, ok := pointOf(v); ok {
		b.Point = &p
	}
	return b
}

// selectClasses keeps the most frequent classes, most first.
func (b *liveBody) selectClasses() {
	slices.SortStableFunc(b.ByClass, func(x, y classFiguresBody) int {
		return cmp.Compare(y.Figures["all"].Support, x.Figures["all"].Support)
	})
	b.ByClass = b.ByClass[:min(len(b.ByClass), shownClasses)]
	for i := range b.ByClass {
		b.ByClass[i].Class = clip(b.ByClass[i].Class, maxName)
	}
}

// selectSlices keeps those with most mistakes, most first.
func (b *liveBody) selectSlices() {
	slices.SortStableFunc(b.Slices, func(x, y sliceBody) int { return cmp.Compare(y.Mistakes, x.Mistakes) })
	b.HiddenSlices = max(0, len(b.Slices)-shownSlices)
	b.Slices = b.Slices[:len(b.Slices)-b.HiddenSlices]
	for i := range b.Slices {
		b.Slices[i].Field, b.Slices[i].Value = clip(b.Slices[i].Field, maxName), clip(b.Slices[i].Value, maxName)
	}
}

// selectPartitions keeps the partitions with the largest lag, with their records per second, where those are known.
func (b *liveBody) selectPartitions(records []float64) {
	all := b.Partitions
	var order []int
	order, b.Hidden = largestLag(all)
	b.Partitions, b.Records = []partitionBody{}, []float64{}
	for _, i := range order {
		perSecond := 0.0
		if i < len(records) {
			perSecond = records[i]
		}
		b.Partitions, b.Records = append(b.Partitions, all[i]), append(b.Records, perSecond)
	}
	if b.Labels != nil {
		all = b.Labels.Partitions
		order, b.HiddenLabels = largestLag(all)
		b.Labels.Partitions = []partitionBody{}
		for _, i := range order {
			b.Labels.Partitions = append(b.Labels.Partitions, all[i])
		}
	}
}

// largestLag returns the partitions to be shown, in order, and how many are not.
func largestLag(all []partitionBody) (shown []int, hidden int) {
	shown = make([]int, len(all))
	for i := range shown {
		shown[i] = i
	}
	if hidden = len(all) - shownPartitions; hidden <= 0 {
		return shown, 0
	}
	slices.SortStableFunc(shown, func(i, j int) int { return cmp.Compare(all[j].ahead(), all[i].ahead()) })
	shown = shown[:shownPartitions]
	slices.Sort(shown)
	return shown, hidden
}

// cells has the negative label first.
func cells(c metrics.Confusion) [][]float64 {
	return [][]float64{{c.TrueNegative, c.FalsePositive}, {c.FalseNegative, c.TruePositive}}
}

// modelBody is what is constant while a model is live.
type modelBody struct {
	Settings []model.Setting `json:"settings"`
}

func (s *Server) modelBody(v *view) modelBody {
	b := modelBody{Settings: []model.Setting{}}
	settings, err := v.Config.Settings()
	if err != nil { // impossible: it was encoded as JSON
		return b
	}
	for _, x := range settings {
		if len(x.Value) <= maxText {
			b.Settings = append(b.Settings, x)
		}
	}
	return b
}

// firstBody bounds what is shown of the first events.
func firstBody(r *survey.Report) *survey.Report {
	b := *r
	b.Fields, b.Warnings = slices.Clone(r.Fields[:min(len(r.Fields), shownFields)]), []survey.Warning{}
	for _, w := range r.Warnings {
		if w.Field != "" && len(b.Warnings) < shownWarnings {
			b.Warnings = append(b.Warnings, survey.Warning{Field: clip(w.Field, maxName), Text: clip(w.Text, maxText)})
		}
	}
	b.Hidden += len(r.Fields) - len(b.Fields)
	for i := range b.Fields {
		f := &b.Fields[i]
		f.Name, f.Becomes = clip(f.Name, maxName), clip(f.Becomes, maxName)
	}
	return &b
}

type samplesBody struct {
	Rejected map[string][]sampleBody `json:"rejected"` // by reason, newest first
	Mistakes []sampleBody            `json:"mistakes"` // newest first
}

type sampleBody struct {
	Partition  int32   `json:"partition"`
	Offset     int64   `json:"offset"`
	Time       int64   `json:"time"` // ms since 1970
	Null       bool    `json:"null"`
	Value      string  `json:"value"` // its first bytes; invalid UTF-8 is U+FFFD
	Size       int     `json:"size"`
	Whole      bool    `json:"whole"` // value is complete
	Error      string  `json:"error"`
	Prediction string  `json:"prediction"`
	Label      string  `json:"label"`
	Score      float64 `json:"score"`
}

func samplesOf(r *board.Recent) samplesBody {
	b := samplesBody{Rejected: map[string][]sampleBody{}, Mistakes: sampleBodies(r.Mistakes)}
	for reason, samples := range r.Rejected {
		b.Rejected[reason] = sampleBodies(samples)
	}
	return b
}

func sampleBodies(samples []board.Sample) []sampleBody {
	out := make([]sampleBody, 0, len(samples))
	for i := range samples {
		x := &samples[i]
		value := clip(string(x.Value), 2*maxText)
		out = append(out, sampleBody{x.Partition, x.Offset, x.Time, x.Null, value, x.Size, value == string(x.Value) &&
			len(x.Value) == x.Size,
			clip(x.Error, maxText), clip(x.Prediction, maxName), clip(x.Label, maxName), x.Score})
	}
	return out
}
