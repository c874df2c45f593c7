package survey

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"rosenblatt/stream/event"
	"rosenblatt/stream/internal/number"
	"rosenblatt/stream/schema"
)

const nameLabel = "--label-field NAME names the label; "

// Advice is what most likely mends events that are rejected for a reason. Value is that of the first one, or its
// beginning: the advice is about what it holds.
func Advice(o *event.Options, r event.Reason, value []byte) string {
	f, _ := event.FindFormat(o.Format)
	named := ""
	if f.LabelField != "" {
		named = nameLabel
	}
	switch r {
	case event.Empty:
		return emptyAdvice(value)
	case event.TooLarge:
		return "raise --max-bytes"
	case event.Frame:
		return "its error says what the value looks like"
	case event.UnknownSchema:
		return "register the schema, and produce the dead letters again; is --schema-registry the producers' one?"
	case event.BadSchema:
		return "mend the schema where it is registered, or send events with another one"
	case event.Encoding, event.Syntax:
		return unreadable(o, r, value)
	case event.TooDeep:
		return "raise --max-depth"
	case event.Envelope:
		return envelopeAdvice(o)
	case event.BadLabel:
		first, _, _ := bytes.Cut(bytes.TrimSpace(value), []byte(" "))
		if named == "" && bytes.ContainsAny(first, ",:") {
			return "send one class as the label; costs and several labels are not read"
		}
		//mutation:fraction-as-label
		if v, kind := number.Text(first); named == "" && kind == number.Finite && v != math.Trunc(v) {
			return noRegression
		}
		return named + "--positive LABEL tells one from all others, --label-names NEGATIVE,POSITIVE two, " +
			"--task multiclass any number"
	case event.BadWeight:
		if named == "" {
			return "send a number of 0 or more as the weight"
		}
		return "--weight-field NAME names another field"
	case event.BadFeatures, event.NotFinite, event.OutOfRange:
		return badValue(o, r, value)
	case event.TooManyFeatures:
		return "raise --max-features"
	case event.NoFeatures:
		return "is it another --format? --no-features zero takes what has neither a field nor a label, as all zeros"
	case event.TooManyClasses:
		if named == "" {
			return "raise --max-classes"
		}
		return "raise --max-classes, or name the label with --label-field"
	}
	return "mend it where the events are made"
}

// badValue is about values that cannot be features.
func badValue(o *event.Options, r event.Reason, value []byte) string {
	f, _ := event.FindFormat(o.Format)
	switch table := f.Cells != nil; {
	case r == event.BadFeatures && o.Format == event.VW:
		return "--unknown skip leaves the base out, as if it were 0"
	case r == event.BadFeatures && (bytes.Contains(value, []byte(`"features"`)) || o.Format != event.JSON):
		return "--ignore NAME leaves the field out, --unknown skip such values"
	case r == event.BadFeatures:
		return "--ignore NAME leaves the field out, --unknown skip such values; --features-field NAME names the " +
			"features"
	case r == event.NotFinite && table:
		return "--missing names words that are missing values; --ignore NAME leaves the column out"
	case r == event.NotFinite:
		return "--nan absent takes it as absent; --ignore NAME leaves the feature out"
	case table:
		return "--categorical NAME, in place of --numeric, makes words of a column of codes; --ignore NAME " +
			"leaves it out"
	}
	return "send smaller numbers, or --ignore NAME leaves it out"
}

// envelopeAdvice is about a value that is not in the envelope of the settings.
func envelopeAdvice(o *event.Options) string {
	if o.Envelope == event.Debezium {
		return "take the topic of a table: heartbeats and schema changes of Debezium have topics of their own"
	}
	return "leave --envelope out where the value is the event; batches of CloudEvents have to be sent one by one"
}

// emptyAdvice is about a value that is null, or has null in place of its features, has no bytes, or is a comment.
func emptyAdvice(value []byte) string {
	switch text := bytes.TrimSpace(value); {
	//mutation:null-or-no-bytes
	case value != nil && len(value) == 0:
		return "send null as the value, which --tombstones skip passes by, or no record: a value without bytes is no " +
			"null"
	case len(text) > 0 && text[0] == '#':
		return "leave comments out where events are sent"
	}
	return "--tombstones skip passes nulls by"
}

// unreadable is about a value that is none of its format: most first what the value itself shows.
func unreadable(o *event.Options, r event.Reason, value []byte) string {
	text := bytes.TrimSpace(value)
	utf16 := event.SeemsUTF16(value)
	switch {
	case utf16 != "" && o.Encoding == "":
		return "--encoding " + utf16 + " reads it"
	case o.HasSchema():
		if other := readBy(o, text); other != "" {
			return "--format " + other + " reads it"
		}
		return unreadableObject(o, value)
	case len(text) > 5 && text[0] == 0:
		return "--format avro or protobuf with --schema-registry URL reads it"
	case packedBy(text) != "":
		return "the value is packed by " + packedBy(text) + ": let the producer compress batches (compression.type), " +
			"not values"
	case r == event.Encoding && o.Encoding != "":
		return event.EncodingAdvice(value, o.Encoding)
	case r == event.Encoding:
		return "--encoding cp1252, or the name of another one as gbk, reads text that is not UTF-8"
	}
	if other := readBy(o, text); other != "" {
		return "--format " + other + " reads it"
	}
	switch {
	case o.Format == event.CSV && namesColumns(o, value):
		return "send all rows in one order; --columns names it"
	case o.Format == event.CSV:
		return unreadableRow(o, value)
	case o.Format != event.JSON:
		return "mend it where the events are made"
	case bytes.HasPrefix(text, []byte("[")):
		return "send each element of the array as an event of its own"
	case bytes.Contains(text, []byte("NaN")) || bytes.Contains(text, []byte("Infinity")):
		return "--nan absent takes NaN and Infinity for missing values"
	case !bytes.HasPrefix(text, []byte("{")) && bytes.ContainsAny(text, ",;\t"):
		return "--format csv reads rows of a table, with --columns"
	}
	return "send one json object as each event"
}

// unreadableObject is about a value that is none of its schema.
func unreadableObject(o *event.Options, value []byte) string {
	//mutation:framed-advice
	if o.NamesSchemas() {
		return "is the value cut off, or --schema-registry another one than its producer's?"
	}
	if id, ok := schema.SeemsFramed(value); ok {
		return fmt.Sprintf("it begins as the frame of a schema registry does (0, schema %d): if it is one, leave "+
			"--schema out, and with --schema-registry URL each event names its own", id)
	}
	return "is --schema the one that it was written with? The value has to be bare: neither the frame of a " +
		"schema registry nor a container file"
}

// namesColumns reports whether a row has the names of the columns as its cells, in any order and case.
func namesColumns(o *event.Options, row []byte) bool {
	cells, err := o.Dialect.Cells(row)
	if err != nil || len(cells) != len(o.Columns) {
		return false
	}
	return !slices.ContainsFunc(cells, func(cell string) bool {
		return !slices.ContainsFunc(o.Columns, func(name string) bool {
			return strings.EqualFold(strings.TrimSpace(cell), name)
		})
	})
}

// packedBy names the program that has packed a value; empty if it is not packed.
func packedBy(value []byte) string {
	for _, p := range [...]struct{ begins, name string }{{"\x1f\x8b", "gzip"}, {"\x28\xb5\x2f\xfd", "zstd"},
		{"\x04\x22\x4d\x18", "lz4"}, {"\x82SNAPPY", "snappy"}, {"\x78\x9c", "zlib"}, {"BZh91AY&SY", "bzip2"}} {
		if bytes.HasPrefix(value, []byte(p.begins)) {
			return p.name
		}
	}
	return ""
}

// readBy is another format, with its usual settings, that accepts a value; empty if there is none. Tables need columns.
func readBy(o *event.Options, value []byte) string {
	for _, name := range []string{event.JSON, event.VW, event.LIBSVM} {
		if name == o.Format {
			continue
		}
		d, err := event.New(event.Defaults(name))
		if err != nil {
			continue
		}
		var e event.Example
		if d.Decode(&event.Record{Value: value}, nil, &e); e.Rejected == nil && e.End > e.Start {
			return name
		}
	}
	return ""
}

// LabelAdvice says what an operator can do about label records rejected for a reason, by the error and the value of the
// first one and how they are read. split says that each partition has a model of its own.
func LabelAdvice(o *event.Options, r event.Reason, text string, value []byte, split bool) string {
	//mutation:no-example-of-split
	if split && r == event.NoExample {
		return LabelAdvice(o, r, text, value, false) + "; and a label has to be in the partition of its event: do " +
			"producers of both place keys with one partitioner? `rosenblatt check` compares them with --partitioner"
	}
	switch r {
	case event.Syntax:
		if o.Format == event.CSV && bytes.HasPrefix(bytes.TrimSpace(value), []byte("{")) {
			return "--labels-format json reads it"
		}
		if o.Format == event.CSV {
			return "--labels-columns names as many as the rows have cells"
		}
		if !bytes.HasPrefix(bytes.TrimSpace(value), []byte("{")) && bytes.ContainsAny(value, ",;\t") {
			return "--labels-format csv reads rows of a table, with --labels-columns"
		}
		return "send one json object as each label"
	case event.NoID:
		if strings.Contains(text, event.NoKey) {
			return "have the producer of labels write the id as the key, or leave --join key out: then a field is " +
				"the id"
		}
		return "--labels-id-field NAME names the id of the event; --join key takes the key of the record"
	case event.NoLabel:
		return "--labels-label-field NAME names the label"
	case event.BadLabel:
		return "--label-names NEGATIVE,POSITIVE or --positive LABEL says how labels are spelled, --task multiclass " +
			"takes any; is the label in another field, --labels-label-field NAME"
	case event.BadWeight:
		return "--labels-weight-field NAME names another field"
	case event.NoExample:
		return "write ids alike on both sides; where labels come before their events, raise --label-slack; where" +
			" events are rejected, mend those: their labels find none"
	case event.ConflictingLabel:
		return "the first label of an event counts"
	case event.LateLabel:
		return "raise --label-wait or, where too many events wait, --waiting-examples"
	case event.TooManyClasses:
		return "raise --max-classes, or name the label with --labels-label-field"
	}
	return Advice(o, r, value)
}
