package daemon

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/protobuf"
)

// LateLabels says how labels that come later than their events are read, and how long events wait for them.
type LateLabels struct {
	Join              string `default:"id" placeholder:"id|key"`
	LabelsFormat      string `placeholder:"json|csv|avro|protobuf"`
	LabelsEnvelope    string `placeholder:"${envelopes}|none"`
	LabelsSchema      string `placeholder:"FILE|SUBJECT"`
	LabelsMessage     string `placeholder:"NAME"`
	LabelsIDField     string `name:"labels-id-field" placeholder:"NAME"`
	LabelsLabelField  string `placeholder:"NAME"`
	LabelsWeightField string `placeholder:"NAME"`

	LabelsColumns []string `placeholder:"NAME"`

	LabelWait       time.Duration `default:"24h" placeholder:"DURATION"`
	LabelSlack      time.Duration `default:"10s" placeholder:"DURATION"`
	AssumeLabel     string        `placeholder:"LABEL"`
	WaitingExamples int           `default:"1000000" placeholder:"N"`
	SettledIDs      int           `name:"settled-ids" default:"1000000" placeholder:"N"`
}

// FlagHelp implements cli.Documented.
func (LateLabels) FlagHelp() cli.Help {
	return `
join: Labels belong to the events with the same id, or with the same record key; then a json value that is no object is
	the label itself (default: ${default}).
labels-format: How a label record is written (default: that of the events).
labels-envelope: What is around each label record (default: --envelope, where the formats are the same, else none).
labels-schema: The schema of label records in avro or protobuf (default: --schema, where events have the same format).
labels-message: Which message of it label records of protobuf are (default: its only one; without --labels-schema, that
	of the events).
labels-id-field: The field with the id of the event (default: --id-field).
labels-label-field: The field with the label (default: --label-field).
labels-weight-field: The field with a weight, instead of the event's (default: --weight-field).
labels-columns: The columns of a table of label records in a topic, in order (default: --columns).
label-wait: How long an event waits for its label, by the timestamps of labels (default: ${default}).
label-slack: Events up to this much younger than a label are handled before it (default: ${default}).
assume-label: The label of an event whose label did not come in time (default: none).
waiting-examples: Most events that wait; one more evicts the oldest (default: ${default}).
settled-ids: How many ids are remembered after their label, to find duplicates and conflicts (default: ${default}).
`
}

// Check reports what is wrong with the settings.
func (l *LateLabels) Check(f *cli.Faults) {
	f.OneOf("join", l.Join, "id", "key")
	f.OneOf("labels-envelope", cmp.Or(l.LabelsEnvelope, noEnvelope),
		append([]string{noEnvelope}, event.Envelopes()...)...)
	_, _, err := SchemaOf(l.LabelsFormat, l.LabelsSchema, l.LabelsMessage)
	f.Check("labels-schema", err)
	f.AddIf(l.LabelWait < time.Millisecond, "label-wait: %v: want 1ms or more", l.LabelWait)
	f.AddIf(l.LabelSlack < 0, "label-slack: %v: want 0 or more", l.LabelSlack)
	f.Within("waiting-examples", int64(l.WaitingExamples), 1, labels.Most)
	f.Within("settled-ids", int64(l.SettledIDs), 0, labels.Most)
}

// fewSettledIDs is how many are few: a producer that sends again what was not acknowledged, or a job that runs twice,
// repeats more labels than that.
const fewSettledIDs = 10_000

// AdviseSettledIDs says what a low bound of settled ids costs, and what it must exceed; nothing where it is not low.
func (l *LateLabels) AdviseSettledIDs() (found, do string) {
	//mutation:few-settled-ids
	if l.SettledIDs >= fewSettledIDs {
		return "", ""
	}
	return fmt.Sprintf("--settled-ids %d remembers few ids: a label or an event that comes again after so many others"+
			" is taken for a new one", l.SettledIDs), "let it exceed the outcomes of a checkpoint interval, and" +
			" those between a label or an event and its last repeat: 24 bytes each"
}

// ByKey reports whether records are joined by their keys.
func (l *LateLabels) ByKey() bool { return l.Join == "key" }

// Limits returns the bounds of what waits.
func (l *LateLabels) Limits() labels.Limits {
	return labels.Limits{Wait: l.LabelWait.Milliseconds(), Examples: l.WaitingExamples, Settled: l.SettledIDs}
}

// InTopic returns how the label records of a topic are decoded, by how the events are, and a decoder.
func (l *LateLabels) InTopic(events event.Options) (event.Options, *event.Decoder, error) {
	format, columns := cmp.Or(l.LabelsFormat, events.Format), l.LabelsColumns
	if columns == nil && format == events.Format {
		columns = events.Columns
	}
	o := l.Options(events, events.LabelField, format, columns)
	if format == events.Format {
		o.Dialect = events.Dialect
	}
	d, err := event.NewLabels(o, l.ByKey())
	return o, d, err
}

// Envelope returns what is around label records, by what is around events. Alike says that they have one format.
func (l *LateLabels) Envelope(events string, alike bool) string {
	switch {
	case l.LabelsEnvelope != "":
		return envelopeOf(l.LabelsEnvelope)
	case alike:
		return events
	}
	return ""
}

// Options returns how label records are decoded. Of the events are how they are decoded and the name of their field of
// labels, which a table of events may lack; columns are those of a table of labels.
func (l *LateLabels) Options(events event.Options, labelField, format string, columns []string) event.Options {
	o, defaults := events.WithoutFeatures(), event.Defaults(format)
	o.Format, o.Columns, o.Framed = format, columns, defaults.Framed
	o.Dialect, o.SkipUnknown, o.EmptyIsZero = event.Dialect{}, false, false
	o.IDField = cmp.Or(l.LabelsIDField, events.IDField, defaults.IDField)
	o.LabelField = cmp.Or(l.LabelsLabelField, labelField, defaults.LabelField)
	o.WeightField = cmp.Or(l.LabelsWeightField, events.WeightField)
	if l.LabelsWeightField == "" && len(columns) > 0 && !slices.Contains(columns, o.WeightField) {
		o.WeightField = "" // the events' weights count
	}
	switch {
	case l.LabelsSchema != "":
		var err error // Check reports it
		if o.Schema, o.Message, err = SchemaOf(format, l.LabelsSchema, l.LabelsMessage); err != nil {
			o.Schema = l.LabelsSchema
		}
		o.Subject = subjectOf(l.LabelsSchema)
	case format != events.Format:
		o.Schema, o.Subject, o.Message = "", "", l.LabelsMessage
	case l.LabelsMessage != "":
		o.Message = l.LabelsMessage
		if d, err := protobuf.Descriptor(o.Schema, o.Message); err == nil { // else the options are not valid
			o.Message = string(d.FullName())
		}
	}
	o.Envelope = l.Envelope(events.Envelope, format == events.Format)
	if o.HasSchema() || o.Envelope != "" {
		o.Encoding = ""
	}
	if format != events.Format || o.HasObjects() {
		o.Missing = defaults.Missing
		o.AbsentNaN = false
	}
	return o
}
