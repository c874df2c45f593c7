package simulation

// An early label is one that became a dead letter, no-example, while an event of its id that was at the brokers before
// it was not predicted.
type early struct {
	label, event spot
	model        string // of the dead letter, with the epoch
	entries      int    // that were readable
}

// unread notes early labels, as of an event in a transaction that was open. The event may be handled before its label,
// and no longer be known: then its prediction is in the flight of the dead letter, which goes out first. A partition
// that was added may not be known yet.
func (o *oracle) unread(at spot, label *input, model string) {
	for of, in := range o.input {
		if in.id == label.id && in.number < label.number && in.later && !in.aborted && in.seq == 0 &&
			in.deadLetters == 0 && of.partition < o.w.partitions {
			o.early = append(o.early, early{at, of, model, len(o.predicted)})
		}
	}
}

// checkEarly is called before a dead letter. Where entries followed that of an early label, it is of a later flight:
// then the event must be predicted. What a process did not complete, the next one makes anew in its own order.
func (o *oracle) checkEarly(model string) {
	kept := o.early[:0]
	for _, e := range o.early {
		in := o.input[e.event]
		switch {
		case e.model != model || in.seq != 0 || in.deadLetters != 0:
		case e.entries == len(o.predicted):
			kept = append(kept, e)
		default:
			o.w.violate("dead letter of label %v, no-example, and its event %v is not predicted yet", e.label, e.event)
		}
	}
	o.early = kept
}
