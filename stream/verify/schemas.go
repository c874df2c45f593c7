package verify

import (
	"fmt"
	"slices"
	"strings"

	"rosenblatt/stream/event"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/topics"
)

// LackingSchemas is the error of an audit that lacks schemas of events that were predicted.
type LackingSchemas struct{ IDs []schema.ID }

// Error implements error.
func (e *LackingSchemas) Error() string {
	names := make([]string, len(e.IDs))
	for i, id := range e.IDs {
		names[i] = id.String()
	}
	return fmt.Sprintf("nothing is proved: events that were predicted have schemas that nobody knows here: %s. Give "+
		"--state with the folder of the model, whose file schemas has them, or --schema-registry",
		strings.Join(names, ", "))
}

// lacksSchema reports whether the schema of a record, which was predicted, is not known, and cannot be asked for now.
// Nothing is waited for. What is asked for is decoded again.
func (a *auditor) lacksSchema(o *event.Options, r *topics.Record, e *event.Example, again func()) bool {
	id := a.unknownSchema(o, r, e, again)
	a.lack(id)
	return id != nil
}

// unknownSchema returns the schema that lacksSchema is about; nil if none is lacking.
func (a *auditor) unknownSchema(o *event.Options, r *topics.Record, e *event.Example, again func()) *schema.ID {
	if e.Rejected == nil || e.Rejected.Reason != event.UnknownSchema {
		return nil
	}
	var f schema.Frame
	in, ok := o.Opener().Open(r)
	if !ok || f.Read(in, o.Format == event.Protobuf) != "" || a.knows(f.ID) {
		again()
		return nil
	}
	return &f.ID
}

// lack notes that something cannot be computed without a schema; nil is none.
func (a *auditor) lack(id *schema.ID) {
	if id != nil && !slices.Contains(a.lacking, *id) {
		a.lacking = append(a.lacking, *id)
	}
}

// knows reports whether a schema is known, or the registry says it.
func (a *auditor) knows(id schema.ID) bool {
	known, ok := a.From.Config.Decode.Schemas.(*schema.Known)
	if !ok {
		return false
	}
	if known.Newest(id) == nil && a.Ask != nil && !slices.Contains(a.asked, id) {
		a.asked = append(a.asked, id)
		if s, err := a.Ask(a.ctx, id); err == nil && s != nil {
			_ = known.Add([]schema.Entry{{ID: id, Schema: s}}) // nothing is saved, and there is no limit
		}
	}
	return known.Newest(id) != nil
}

// otherSchema reports whether a dead letter was decided with another schema than its record has now: an operator has
// accepted that since.
func (a *auditor) otherSchema(at schema.Place, epoch int64) bool {
	known, ok := a.From.Config.Decode.Schemas.(*schema.Known)
	at.Read = true
	return ok && known.ChangedSince(at, epoch)
}
