package daemon

import (
	"cmp"
	"fmt"

	"github.com/alecthomas/kong"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

// Defaults gives the settings that a command line without any flag stands for. Brokers and Input are still to be named.
func Defaults() Settings {
	var s Settings
	// The tags are the one place where fixed defaults stand.
	if err := kong.ApplyDefaults(&s, kong.Name("rosenblatt")); err != nil {
		panic(fmt.Sprintf("the defaults in the tags of Settings: %v", err)) // a test would have shown it
	}
	return s
}

// derive fills in what follows from other settings.
func (s *Settings) derive() {
	s.TLS = s.usesTLS()
	s.Topics.derive()
	s.Events.derive()
	s.Task = or(s.Task, event.Binary)
	if s.Scale == "" {
		format, _ := event.FindFormat(s.Format)
		s.Scale = cmp.Or(format.Scale, learner.ScaleNone)
	}
}

func (t *Topics) derive() {
	t.Model = or(t.Model, t.Input)
	t.Output = or(t.Output, suffixed(t.Input, ".predictions"))
	t.DeadLetter = or(t.DeadLetter, suffixed(t.Input, ".dlq"))
	if t.Model != "" {
		t.Group = or(t.Group, "rosenblatt-"+t.Model)
	}
}

// derive fills in the fields that the format has.
func (e *Events) derive() {
	usual := event.Defaults(e.Format)
	e.LabelField = or(e.LabelField, usual.LabelField)
	e.IDField = or(e.IDField, usual.IDField)
	e.FeaturesField = or(e.FeaturesField, usual.FeaturesField)
}

// TransactionalID is the name under which the writers of the output fence each other.
func (t *Topics) TransactionalID() string { return "rosenblatt." + t.Output }

func suffixed(name, suffix string) string {
	if name == "" {
		return ""
	}
	return name + suffix
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}
