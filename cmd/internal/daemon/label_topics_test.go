package daemon

import (
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/event"
)

// withLabels are settings with later labels.
func withLabels() Settings {
	s := minimal()
	s.Labels = "clicks"
	return s
}

// TestLabels: what follows from the topic of labels, and what holds for the others.
func TestLabels(t *testing.T) {
	t.Parallel()
	r := resolve(t, minimal())
	if r.Kafka.Labels != "" || r.Kafka.Outcomes != "" || r.Task.Labels != nil || r.Task.ModelConfig.Late != nil {
		t.Errorf("without labels: %+v", r.Task)
	}
	s := withLabels()
	s.WeightField, s.IDField = "w", "key"
	r = resolve(t, s)
	if r.Kafka.Labels != "clicks" || r.Kafka.Outcomes != "events.outcomes" || r.Settings.Outcomes != "events.outcomes" {
		t.Errorf("topics: %+v", r.Kafka)
	}
	late := r.Task.ModelConfig.Late
	if late == nil || late.Join != "id" || late.Assume != "" || late.Decode.Format != event.JSON ||
		late.Decode.IDField != "key" || late.Decode.LabelField != "label" || late.Decode.WeightField != "w" {
		t.Errorf("fixed: %+v", late)
	}
	l := r.Task.Labels
	if l == nil || l.Wait != (24*time.Hour).Milliseconds() || l.Examples != 1e6 || l.Settled != 1e6 ||
		l.Slack != 10*time.Second || l.Idle != 0 || l.Memory != 256<<20 {
		t.Errorf("limits: %+v", l)
	}
	s.Outcomes, s.LabelsFormat, s.LabelsColumns, s.Join = "o", "csv", []string{"who", "what"}, "key"
	s.LabelsIDField, s.LabelsLabelField, s.AssumeLabel, s.LabelsIdle = "who", "what", "0", time.Hour
	s.WaitingMemory, s.LabelWait = "1000000", time.Minute
	r = resolve(t, s)
	late, l = r.Task.ModelConfig.Late, r.Task.Labels
	if r.Kafka.Outcomes != "o" || late.Join != "key" || late.Assume != "0" || late.Decode.Format != event.CSV ||
		late.Decode.LabelField != "what" || late.Decode.WeightField != "" || l.Memory != 1e6 || l.Idle != time.Hour ||
		l.Wait != 60_000 {
		t.Errorf("%+v, %+v", late, l)
	}
}

// TestLabelsOfATable: label records are tables as the events are, with columns of their own where those differ.
func TestLabelsOfATable(t *testing.T) {
	t.Parallel()
	s := withLabels()
	s.Format, s.Columns, s.Delimiter = "csv", []string{"id", "label", "x"}, "tab"
	o := resolve(t, s).Task.ModelConfig.Late.Decode
	if o.Delimiter != "\t" || len(o.Columns) != 3 {
		t.Errorf("as the events: %+v", o)
	}
	s.Columns, s.LabelsColumns = []string{"id", "x"}, []string{"label", "id"}
	if o = resolve(t, s).Task.ModelConfig.Late.Decode; len(o.Columns) != 2 || o.Columns[0] != "label" {
		t.Errorf("of their own: %+v", o)
	}
	s.LabelsFormat = "json"
	s.LabelsColumns = nil
	if o = resolve(t, s).Task.ModelConfig.Late.Decode; o.Delimiter != "" || o.Columns != nil {
		t.Errorf("in json: %+v", o)
	}
}

func TestFaultsOfLabels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change func(*Settings)
		want   string
	}{
		{func(s *Settings) { s.Labels = "events" }, "labels: events is the topic of input: want another one"},
		{func(s *Settings) { s.Outcomes = "clicks" }, "outcomes: clicks is the topic of labels: want another one"},
		{func(s *Settings) { s.Labels = "a b" }, `labels: "a b": want 1 to 249 of the letters`},
		{func(s *Settings) { s.Join = "time" }, `join: "time": want id or key`},
		{func(s *Settings) { s.LabelsFormat = "vw" }, "labels: format vw: label records are json, csv or avro"},
		{func(s *Settings) { s.Format = "libsvm" }, "labels: format libsvm: label records are json, csv or avro"},
		{func(s *Settings) { s.LabelsFormat = "csv" }, "labels: "},
		{func(s *Settings) { s.AssumeLabel = "maybe" }, "assume-label: "},
		{func(s *Settings) { s.LabelWait = 0 }, "label-wait: 0s: want 1ms or more"},
		{func(s *Settings) { s.LabelSlack = -1 }, "label-slack: "},
		{func(s *Settings) { s.LabelsIdle = -1 }, "labels-idle: "},
		{func(s *Settings) { s.WaitingExamples = 0 }, "waiting-examples: 0: want 1 to 1073741824"},
		{func(s *Settings) { s.WaitingExamples = 1<<30 + 1 }, "waiting-examples: 1073741825: want 1 to 1073741824"},
		{func(s *Settings) { s.WaitingMemory = "much" }, `waiting-memory: "much": want a number of bytes, as 256MiB`},
		{func(s *Settings) { s.SettledIDs = -1 }, "settled-ids: -1: want 0 to 1073741824"},
		{func(s *Settings) { s.SettledIDs = 1<<30 + 1 }, "settled-ids: 1073741825: want 0 to 1073741824"},
		{func(s *Settings) { s.Labels, s.LabelsIDField = "", "who" }, "labels-id-field: it needs --labels"},
		{func(s *Settings) { s.Labels, s.AssumeLabel = "", "0" }, "assume-label: it needs --labels"},
		{func(s *Settings) { s.Labels, s.LabelsColumns = "", []string{"a"} }, "labels-columns: it needs --labels"},
	} {
		s := withLabels()
		c.change(&s)
		if _, err := s.Resolve(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestAdviseSettledIDs: a bound of settled ids that repeats soon exceed is said, with what it must exceed.
func TestAdviseSettledIDs(t *testing.T) {
	t.Parallel()
	s := withLabels()
	if found, _ := s.AdviseSettledIDs(); found != "" {
		t.Error(found)
	}
	s.SettledIDs = 9999
	if found, do := s.AdviseSettledIDs(); !strings.Contains(found, "--settled-ids 9999 remembers few ids") ||
		!strings.Contains(do, "checkpoint interval") {
		t.Error(found, do)
	}
}
