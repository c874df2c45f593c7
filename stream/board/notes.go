package board

import (
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// What follows belongs to the owner of the state.

// BeginSurvey begins a survey of events, unless there was one.
func (b *Board) BeginSurvey(c *model.Config, labelsLater bool) error {
	return b.first.begin(c, labelsLater)
}

// Survey surveys events, as long as they are among the first.
func (b *Board) Survey(records []topics.Record) {
	if report := b.first.add(b.log, records); report != nil {
		b.surveyed.Store(report)
	}
}

// Accept notes a record of a topic that was predicted, or a label that an event has.
func (b *Board) Accept(t topics.Topic) { b.rejections(t).accept() }

// Reject notes a rejected record; o is how its topic is read.
func (b *Board) Reject(at topics.Place, r *topics.Record, o *event.Options, why *event.Error) {
	b.recent.reject(at, r, why)
	b.rejections(at.Topic).add(b.log, at, o, r.Value, why)
}

// ReportRejected logs how many records were rejected if it is time, or at the end.
func (b *Board) ReportRejected(end bool) {
	b.events.report(b.log, end)
	b.labels.report(b.log, end)
}

func (b *Board) rejections(t topics.Topic) *rejections {
	if t == topics.Labels {
		return &b.labels
	}
	return &b.events
}

// ApartIDs notes that ids of labels and of events are of two kinds, and what to do; empty if they are not.
func (b *Board) ApartIDs(advice string) { b.labels.apart = advice }

// Mistake notes a wrong prediction. It refers to the record's value until CopySamples.
func (b *Board) Mistake(at topics.Place, r *topics.Record, o *model.Outcome) {
	b.recent.mistake(at, r, o)
}

// CopySamples copies the records of the newest mistakes, whose memory may then be reused.
func (b *Board) CopySamples() { b.recent.copySamples() }

// SetMerging notes what the merge of events and labels waits for.
func (b *Board) SetMerging(m Merging) { b.merging = m }
