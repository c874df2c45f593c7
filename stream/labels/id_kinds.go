package labels

import "rosenblatt/stream/event"

// IDKinds is which kinds of ids some records have.
type IDKinds struct {
	Records      int
	Text, Number bool // a number, true or false is a Number
}

// Add counts a record.
func (k *IDKinds) Add(e *event.Example) {
	if k.Records++; e.ID != nil {
		text := !e.IDIsJSON || e.ID[0] == '"'
		k.Text, k.Number = k.Text || text, k.Number || !text
	}
}

// Apart says that ids of events and of their labels are of two kinds, so that no label finds its event; empty if that
// is not so.
func Apart(events, labels *IDKinds) string {
	switch {
	case events.Text && !events.Number && labels.Number && !labels.Text:
		return "ids of events are text, those of labels numbers"
	case events.Number && !events.Text && labels.Text && !labels.Number:
		return "ids of events are numbers, those of labels text"
	}
	return ""
}

// TwoIDs explains Apart, and says what to do.
const TwoIDs = `7 and "7" are two ids, so no label finds its event: --ids text makes them one`
