package stream

import (
	"context"
	"errors"
	"strings"

	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/schema"
)

// askSubjects asks for the schemas of subjects that events and label records have, unless an existing model of a
// configuration (was) has them: they are a part of that, and its first checkpoint is durable before anything is
// published. However long the registry takes, that is waited for.
func (t *Task) askSubjects(ctx context.Context, was *model.Config) error {
	now := t.Config.ModelConfig
	if was != nil {
		now = now.For(*was)
	}
	if !now.Unasked() {
		return nil
	}
	if t.Subjects == nil {
		return errors.New("nobody can be asked for the schema of a subject: want --schema-registry")
	}
	told := map[string]*schema.Schema{} // labels may have that of the events, and then the same version
	return t.Config.ModelConfig.TakeSchemas(func(subject string) (s *schema.Schema, err error) {
		if told[subject] != nil {
			return told[subject], nil
		}
		if s, err = t.Subjects.AwaitSubject(ctx, subject, t.waitsForSubject); err == nil {
			told[subject] = s
			t.board.Recovering(board.Recovery{})
			t.Logger.Info().Str("subject", subject).Str("name", s.Name()).
				Msg("the schema of all events is that of a subject, and part of the model")
		}
		return s, err
	})
}

// waitsForSubject publishes why there is no schema of a subject.
func (t *Task) waitsForSubject(err error) {
	text := strings.TrimSuffix(err.Error(), ".")
	if do := registry.Advice(err); do != "" {
		text += "; " + do
	}
	t.board.Recovering(board.Recovery{NoSchema: text})
}
