// Package event turns events into examples: from the key and value of a record to a label, a weight, an id and hashed
// features.
//
// A Decoder reads events in one of four formats (json, libsvm, vw, csv), as its Options say. Decode appends an event's
// features to an arena that many events share and fills an Example with the rest; it allocates nothing per event.
// Features are known by hash only: a slot of the model's tables and a fingerprint. Walk decodes an event again to tell
// the names, for those who want to learn or to show them.
//
// An event that is no example is rejected with a Reason and a text that says where and what. Of several reasons the first in
// the order of the constants counts, so what an event is rejected for depends on nothing but the event and the options.
//
// The json parser is a strict one of our own (RFC 8259): one pass, no tree, text checked to be UTF-8 beforehand. Numbers become
// float64 as strconv has them, bit for bit. Its tests hold it against encoding/json.
//
// Caveats: two names of one event with the same 64-bit hash count as one. A json key that holds a dot is the same name
// as the nested fields it spells. In a text format every event is one line; nothing is read across events.
package event
