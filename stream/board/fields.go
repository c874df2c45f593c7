package board

import (
	"context"
	"errors"

	"rosenblatt/stream/model"
	"rosenblatt/stream/profile"
	"rosenblatt/stream/topics"
)

// BeginFields begins to profile the fields of events, unless it was begun. A reference given by the operator comes
// before the one of the checkpoint, which may be empty. The owner of the state calls it.
func (b *Board) BeginFields(c *model.Config, given *profile.Reference, saved []byte) error {
	if b.fields.Load() != nil {
		return nil
	}
	//mutation:given-reference
	if given == nil && len(saved) > 0 {
		var err error
		if given, err = profile.Decompress(saved); err != nil { // the model does not need it
			b.log.Warn().Err(err).Msg("the reference of the fields in the checkpoint cannot be read: " +
				"the next events are the reference")
		}
	}
	fields, err := profile.NewBeside(c.Decode, given)
	if err != nil {
		return err
	}
	log := b.log
	fields.Changed = func(x profile.Change) {
		e := log.Warn().Str("field", clip(x.Field)).Str("alert", string(x.Alert))
		e.Msg("a field changed" + x.Between() + ": " + x.Text())
	}
	b.fields.Store(fields)
	return nil
}

// ErrNoFields means that the task does not profile the fields of events now.
var ErrNoFields = errors.New("the fields of events are profiled by the daemon that predicts, unless it has" +
	" --no-profile")

// SetFieldReference makes the newest window of the fields the reference. Any goroutine may call it. Errors:
// ErrNoFields, profile.ErrNoWindow.
func (b *Board) SetFieldReference(ctx context.Context) error {
	fields := b.fields.Load()
	if fields == nil || b.status.Load().State != Live {
		return ErrNoFields
	}
	return fields.SetReference(ctx)
}

// ProfileFields profiles what is offered until the context ends.
func (b *Board) ProfileFields(ctx context.Context) {
	if fields := b.fields.Load(); fields != nil {
		fields.Run(ctx)
	}
}

// OfferFields offers records to be profiled. The owner of the state calls it.
func (b *Board) OfferFields(records []topics.Record) {
	if fields := b.fields.Load(); fields != nil {
		fields.Offer(records)
	}
}

// FieldReference is the reference of the fields as a checkpoint keeps it; nil: it is not known.
func (b *Board) FieldReference() []byte {
	if fields := b.fields.Load(); fields != nil {
		return fields.Reference()
	}
	return nil
}
