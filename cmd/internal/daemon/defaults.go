package daemon

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"rosenblatt/cmd/internal/source"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

// Defaults returns the settings of a command line without any flag. Brokers and Input are still missing.
func Defaults() Settings {
	var s Settings
	if err := kong.ApplyDefaults(&s, kong.Name("rosenblatt"), Vars()); err != nil {
		panic(fmt.Sprintf("the defaults in the tags of Settings: %v", err)) // a test finds it
	}
	return s
}

func (s *Settings) derive() {
	s.TLS = s.usesTLS()
	s.Topics.derive()
	o := s.Events.Options(s.Format, 0, 0)
	s.LabelField, s.IDField, s.FeaturesField = o.LabelField, o.IDField, o.FeaturesField
	s.Task = cmp.Or(s.Task, event.Binary)
	if s.Scale == "" {
		format, _ := event.FindFormat(s.Format)
		s.Scale = cmp.Or(format.Scale, learner.ScaleNone)
	}
}

func (t *Topics) derive() {
	t.Model = cmp.Or(t.Model, t.Input)
	t.Output = cmp.Or(t.Output, suffixed(t.Input, ".predictions"))
	t.DeadLetter = cmp.Or(t.DeadLetter, suffixed(t.Input, ".dlq"))
	if t.Model != "" {
		t.Group = cmp.Or(t.Group, "rosenblatt-"+t.Model)
	}
}

// TransactionalID is the name under which the writers of the output fence each other.
func (t *Topics) TransactionalID() string { return "rosenblatt." + t.Output }

// TasksGroup is the consumer group of the daemons that share the tasks. Its members read nothing as such.
func (t *Topics) TasksGroup() string { return t.Group + ".tasks" }

func suffixed(name, suffix string) string {
	if name == "" {
		return ""
	}
	return name + suffix
}

// Vars are the lists that tags of settings refer to.
func Vars() kong.Vars {
	return kong.Vars{
		"formats":     strings.Join(event.FormatNames(), "|"),
		"envelopes":   strings.Join(event.Envelopes(), "|"),
		"fileformats": strings.Join(source.Formats(), "|"),
		"endings":     strings.Join(source.Endings(), " "),
		"learners":    strings.Join(learnerNames(), "|"),
		"scales":      defaultScales(),
		"missing":     strings.Join(event.MissingWords(), ","),
	}
}

// defaultScales names the default scaling of each format: "standard for json and csv, maxabs for libsvm and vw".
func defaultScales() string {
	var scales, all []string
	formats := map[string][]string{}
	for _, f := range event.Formats() {
		if formats[f.Scale] == nil {
			scales = append(scales, f.Scale)
		}
		formats[f.Scale] = append(formats[f.Scale], f.Name)
	}
	for _, scale := range scales {
		all = append(all, scale+" for "+strings.Join(formats[scale], " and "))
	}
	return strings.Join(all, ", ")
}
