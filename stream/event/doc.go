// Package event turns events into examples: the key and value of a record into a label, a weight, an id and hashed
// features.
//
// A Decoder reads events in the format of its Options. Decode appends the features of an event to an arena that many
// events share, and fills an Example with the rest; it does not allocate memory per event. A feature is known by its
// hash only: a slot in the model's tables and a fingerprint. Walk decodes an event again to visit the names of its
// features.
//
// A rejected event has an Error: a Reason, and where and what is wrong. If several reasons apply, the first one in the
// order of the constants counts, so the reason depends only on the event and the options.
//
// Formats returns the table of formats. A format is a row of formats (format.go) and a parser in a file of its own;
// tables embed columns (column.go). A parser knows how events are written, and tells the sink each value and the field
// that it belongs to (sink.go, object.go). The sink alone makes features, labels, ids and weights of them. The JSON
// parser is strict (RFC 8259) and builds no tree; its numbers are those of
// strconv, bit for bit. Its tests compare it with encoding/json.
//
// There are two ways through the decoder. Most producers write the same keys in the same order, or leave some of them
// out. So the decoder keeps a template of earlier events, in any format: what preceded each value, and what the value
// was for. An event that fits is read in a single pass, without looking up names (single_pass.go). Any other event, and
// every one that has to be rejected, is read by the format's parser. The result is the same.
//
// Caveats: two names in one event with the same 64-bit hash are taken for one. A JSON key that contains a dot is the
// same name as the nested fields that it spells. In a text format each event is one line.
package event
