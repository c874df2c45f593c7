package labels

import (
	"fmt"

	"rosenblatt/stream/event"
	"rosenblatt/stream/schema"
)

// IDKinds is which kinds of ids some records have.
type IDKinds struct {
	Records      int
	Text, Number bool // a number, true or false is a Number

	keys   int    // records whose id is their key
	framed int    // of them those whose key begins with the frame of a schema registry
	schema uint32 // of the first of these
	mixed  bool   // others begin with other frames
}

// Add counts a record.
func (k *IDKinds) Add(e *event.Example) {
	if k.Records++; e.ID != nil {
		text := !e.IDIsJSON || e.ID[0] == '"'
		k.Text, k.Number = k.Text || text, k.Number || !text
	}
}

// AddKey counts a record whose id is its key, in place of Add.
func (k *IDKinds) AddKey(key []byte) {
	if k.Records++; key == nil {
		return
	}
	k.keys++
	id, framed := schema.SeemsFramed(key)
	if !framed {
		return
	}
	if k.framed++; k.framed == 1 {
		k.schema = id
	}
	k.mixed = k.mixed || id != k.schema
}

// allFramed reports whether all keys begin with one frame.
func (k *IDKinds) allFramed() bool { return k.keys > 0 && k.framed == k.keys && !k.mixed }

// Apart says that ids of events and of their labels are of two kinds, so that no label finds its event, and what to do;
// empty if that is not so.
func Apart(events, labels *IDKinds) (found, do string) {
	switch {
	case events.Text && !events.Number && labels.Number && !labels.Text:
		return "ids of events are text, those of labels numbers", twoIDs
	case events.Number && !events.Text && labels.Text && !labels.Number:
		return "ids of events are numbers, those of labels text", twoIDs
	//mutation:framed-keys-told
	case events.allFramed() && labels.keys > 0 && labels.framed == 0:
		return fmt.Sprintf("keys of events begin with the frame of a schema registry (0, schema %d), those of labels "+
			"do not", events.schema), twoKeys
	case labels.allFramed() && events.keys > 0 && events.framed == 0:
		return fmt.Sprintf("keys of labels begin with the frame of a schema registry (0, schema %d), those of events "+
			"do not", labels.schema), twoKeys
	case events.allFramed() && labels.allFramed() && events.schema != labels.schema:
		return fmt.Sprintf("keys of events begin with the frame of schema %d, those of labels with that of schema %d",
			events.schema, labels.schema), twoKeys
	}
	return "", ""
}

// What explains Apart, and says what to do.
const (
	twoIDs  = `7 and "7" are two ids, so no label finds its event: --ids text makes them one`
	twoKeys = "keys are compared byte by byte, so no label finds its event: have both producers serialize keys " +
		"alike, best as plain strings, or join by a field, without --join key"
)
