package verify

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

func (a *auditor) compare(e *journal.Entry, in *input, o *model.Outcome) {
	want := *in.record
	a.checkEpoch(e)
	if e.Epoch != a.epoch || a.encoder == nil {
		a.epoch = e.Epoch
		a.encoder = journal.NewPredictionEncoder(a.From.Config.Decode, a.From.Processor, a.Model, e.Epoch)
	}
	a.computed = a.encoder.Append(a.computed[:0], e.Partition, in.record, in.Example(), o, e.Seq)
	want.Value = a.computed
	a.compareRecord(e, &want, e.Partition)
}

// compareRecord is a finding if the record of an entry is not this one, in this partition.
func (a *auditor) compareRecord(e *journal.Entry, want *topics.Record, partition int32) {
	published := e.Record
	if journal.IsShort(published.Value) {
		journal.Shorten(want)
	}
	sameKey := bytes.Equal(published.Key, want.Key) && (published.Key == nil) == (want.Key == nil)
	if bytes.Equal(want.Value, published.Value) && sameKey && e.Output == partition {
		return
	}
	f := a.about(e, Differs, "")
	if e.Output != partition {
		f.Fields = append(f.Fields, Field{"output partition", fmt.Sprint(e.Output), fmt.Sprint(partition)})
	}
	if !sameKey {
		f.Fields = append(f.Fields, Field{"key", keyText(published.Key), keyText(want.Key)})
	}
	if f.Fields = append(f.Fields, differences(published.Value, want.Value)...); len(f.Fields) == 0 {
		return // another spelling of the same
	}
	names := make([]string, len(f.Fields))
	for i, d := range f.Fields {
		names[i] = d.Name
	}
	f.What = strings.Join(names, ", ") + " not as computed"
	a.found(1, f)
}

// checkEpoch is a finding where epochs go back, but within a flight: what a crash had cut off was published later.
func (a *auditor) checkEpoch(e *journal.Entry) {
	newest := &a.result.Epochs[1]
	if l := e.Flight(); l == nil || l.First != a.flight {
		if a.flight = 0; l != nil {
			a.flight = l.First
		}
		a.before = *newest
	}
	if e.Epoch < a.before {
		a.found(1, a.about(e, Order,
			fmt.Sprintf("it is of epoch %d, after predictions of epoch %d", e.Epoch, a.before)))
	}
	*newest = max(*newest, e.Epoch)
}

func keyText(key []byte) string {
	if key == nil {
		return "null"
	}
	return fmt.Sprintf("%q", key)
}

// differences lists the fields in which two predictions differ, in the order of their names.
func differences(published, computed []byte) (out []Field) {
	var is, want map[string]json.RawMessage
	if err := json.Unmarshal(published, &is); err != nil {
		return []Field{{"value", fmt.Sprintf("%q", published), string(computed)}}
	}
	if err := json.Unmarshal(computed, &want); err != nil {
		return []Field{{"value", string(published), err.Error()}} // a fault of the encoder
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(is)), maps.Keys(want))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if !sameField(name, is[name], want[name]) {
			out = append(out, Field{name, cmp.Or(string(is[name]), "absent"), cmp.Or(string(want[name]), "absent")})
		}
	}
	if n := members(published); n != len(is) {
		out = append(out, Field{"value", fmt.Sprintf("%d fields, some twice", n), fmt.Sprintf("%d fields", len(want))})
	}
	return out
}

// members counts the members of a valid JSON object, duplicates included.
func members(object []byte) (n int) {
	d := json.NewDecoder(bytes.NewReader(object))
	_, _ = d.Token() // it is valid
	for d.More() {
		var skip json.RawMessage
		_, _ = d.Token()
		_ = d.Decode(&skip)
		n++
	}
	return n
}

// sameField reports whether two values of a field are the same to the bit. Scores and strings may be spelled in several
// ways; what is copied from the event is not.
func sameField(name string, x, y json.RawMessage) bool {
	if x == nil || y == nil || bytes.Equal(x, y) {
		return (x == nil) == (y == nil)
	}
	switch name {
	case "score", "probability", "positive", "threshold", "scoreNow":
		var v, w *float64
		return json.Unmarshal(x, &v) == nil && json.Unmarshal(y, &w) == nil && v != nil && w != nil &&
			math.Float64bits(*v) == math.Float64bits(*w)
	case "scores":
		var v, w map[string]json.RawMessage
		if json.Unmarshal(x, &v) != nil || json.Unmarshal(y, &w) != nil || len(v) != len(w) || members(x) != len(v) {
			return false
		}
		for class := range v {
			if !sameField("score", v[class], w[class]) {
				return false
			}
		}
		return true
	}
	var v, w *string
	return json.Unmarshal(x, &v) == nil && json.Unmarshal(y, &w) == nil && v != nil && w != nil && *v == *w
}
