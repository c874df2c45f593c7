package tail

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// row is a record as it is shown.
type row struct {
	of    *record
	cells []string // by column; empty: it has none
	wrong bool     // a mistake
	json  []byte   // the same as an object
}

const timeForm = "2006-01-02T15:04:05.000Z"

func timeText(ms int64) string { return time.UnixMilli(ms).UTC().Format(timeForm) }

// columns are the titles of the cells.
func (p *plan) columns() []column {
	at := column{title: "written"}
	seq, score := column{title: "seq", right: true}, column{title: "score", right: true}
	event, id, prediction := column{title: "event"}, column{title: "id"}, column{title: "prediction"}
	label, mistake := column{title: "label"}, column{title: "mistake"}
	switch p.What {
	case deadLetters:
		return []column{at, {title: "reason"}, {title: "record"}, {title: "error"},
			{title: "value"}}
	case outcomes:
		return []column{at, {title: "model"}, seq, {title: "of", right: true}, event, id, {title: "outcome"},
			prediction, score, label, mistake, {title: "delay", right: true}}
	}
	return []column{at, {title: "model"}, seq, event, id, prediction, score, {title: "probability", right: true},
		{title: "positive", right: true}, {title: "threshold", right: true}, label, mistake, {title: "note"}}
}

// rowOf is nil for a record that is not asked for.
func (t *tail) rowOf(r *record) *row {
	switch t.What {
	case deadLetters:
		return t.deadLetterRow(r)
	case outcomes:
		return t.outcomeRow(r)
	}
	return t.predictionRow(r)
}

// published is what a prediction holds for people.
type published struct {
	ID          json.RawMessage
	Prediction  json.RawMessage
	Score       float64
	Probability json.RawMessage
	Positive    json.RawMessage
	Threshold   *float64
	Label       json.RawMessage
	Mistake     *bool
}

func (t *tail) predictionRow(r *record) *row {
	e := journal.Parse(topics.Output, r.partition, &r.Record, "")
	var v published
	//mutation:tail-own
	if e.Kind != journal.Predicted || json.Unmarshal(r.Value, &v) != nil || !t.own(r.Value) {
		t.strangers++
		return nil
	}
	p, _ := journal.ParsePrediction(r.Value)
	threshold := ""
	if v.Threshold != nil {
		threshold = number(*v.Threshold)
	}
	note := ""
	if p.Untrained {
		note = "untrained"
	}
	return &row{of: r, wrong: v.Mistake != nil && *v.Mistake, json: t.object(r),
		cells: []string{timeText(r.Timestamp), t.modelCell(p.Model), strconv.FormatInt(p.Seq, 10),
			place(p.Partition, p.Offset), plain(v.ID), plain(v.Prediction), number(v.Score), plain(v.Probability),
			plain(v.Positive), threshold, plain(v.Label), yes(v.Mistake), note}}
}

func (t *tail) outcomeRow(r *record) *row {
	o, err := journal.ParseOutcome(r.Value)
	if err != nil || !t.own(r.Value) {
		t.strangers++
		return nil
	}
	if len(t.Reason) > 0 && !slices.Contains(t.Reason, o.Kind.String()) {
		return nil
	}
	var mistake *bool
	if o.Scored {
		mistake = &o.Mistake
	}
	delay := ""
	if o.Kind.ByLabel() {
		delay = (time.Duration(o.Delay) * time.Millisecond).String()
	}
	return &row{of: r, wrong: o.Scored && o.Mistake, json: t.object(r),
		cells: []string{timeText(r.Timestamp), t.modelCell(o.Model), strconv.FormatInt(o.Seq, 10),
			strconv.FormatInt(o.Of, 10), place(o.Partition, o.Offset), plain(o.ID), o.Kind.String(),
			plain(o.Prediction), number(o.Score), plain(o.Label), yes(mistake), delay}}
}

// own reports whether a value names the model, or with a model for each partition one of them.
func (t *tail) own(value []byte) bool {
	var v struct{ Model string }
	_ = json.Unmarshal(value, &v) // it was read already
	return t.isModel(v.Model)
}

func (t *tail) isModel(nameAtEpoch string) bool {
	if !t.names.Split() {
		return journal.IsModel(nameAtEpoch, t.names.Model)
	}
	name := nameAtEpoch[:max(strings.LastIndexByte(nameAtEpoch, '@'), 0)]
	model, partition, _ := strings.Cut(strings.TrimPrefix(name, t.names.Model), ".")
	_, err := strconv.ParseUint(partition, 10, 31)
	return model == "" && err == nil
}

// modelCell names the model where there are several.
func (t *tail) modelCell(nameAtEpoch string) string {
	if !t.names.Split() {
		return ""
	}
	return nameAtEpoch
}

// object is what was published, behind when and where it was written.
func (t *tail) object(r *record) []byte {
	if !t.JSON {
		return nil
	}
	var compact bytes.Buffer
	if json.Compact(&compact, r.Value) != nil {
		return nil
	}
	out := append([]byte(`{"written":"`), timeText(r.Timestamp)...)
	out = append(append(out, `","record":"`...), place(r.partition, r.Offset)...)
	return append(append(out, `",`...), compact.Bytes()[1:]...)
}

// plain is a JSON value as people read it: a string without its quotes.
func plain(value json.RawMessage) string {
	var text string
	if len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

func yes(b *bool) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return "yes"
	}
	return "no"
}
