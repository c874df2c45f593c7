package event

import "rosenblatt/stream/schema"

// What happens to a null value.
const (
	RejectTombstones = "reject" // it is rejected as Empty
	SkipTombstones   = "skip"   // it is skipped: Example.Skip
)

// The tasks.
const (
	Binary     = "binary"     // two labels, the default
	Multiclass = "multiclass" // any number of classes: Example.Class
)

// Options is how events are read. The checkpoint holds the options, to be compared at the next start, because each of
// them affects features, labels or rejections. The zero value is not valid: see Defaults.
type Options struct {
	// Format is the name of one of Formats.
	Format string `json:"format"`

	// The fields with a role: in json dotted paths from the top of the event, in tables (csv) column names;
	// libsvm and vw have none. An empty name means no such field. A dotted path also matches a key with the dot.
	LabelField    string `json:"labelField,omitempty"`
	IDField       string `json:"idField,omitempty"`
	FeaturesField string `json:"featuresField,omitempty"` // json only; without it, other top-level fields are features
	WeightField   string `json:"weightField,omitempty"`
	// TextField is split into words. It is also recognized by its name within the features object.
	TextField string `json:"textField,omitempty"`

	// TextIDs says that an id that is a json number, true or false is the text that it is written as, so that 7 and "7"
	// are one id.
	TextIDs bool `json:"textIDs,omitempty"`

	// Ignore lists what is not a feature: in json paths from the top or, within the features object, feature names;
	// in tables columns; in libsvm and vw feature names. A name that ends in a dot, or in vw in ^, means all that begin
	// so.
	Ignore []string `json:"ignore,omitempty"`
	// Columns is the column names of a table (csv) in order. It is required there; other formats have no columns.
	Columns []string `json:"columns,omitempty"`
	// Dialect is how a table's rows are written. Other formats have none.
	Dialect

	// Subject is where the registry had Schema from, as SUBJECT or SUBJECT:VERSION; empty where it is from a file.
	// While Schema is empty, it has not been asked for yet.
	Subject string `json:"subject,omitempty"`

	// Envelope is what is around each event: empty for nothing, CloudEvents or Debezium.
	Envelope string `json:"envelope,omitempty"`

	// Schema is the text of the schema of all values; avro and protobuf alone have one. Of protobuf it is what
	// protobuf.Bundle returns, and so is Message, the full name of a message.
	Schema  string `json:"schema,omitempty"`
	Message string `json:"message,omitempty"`

	// Categorical lists features of which a number is a word, as it is written: `a=007`. Numeric lists those of which
	// json has numbers in quotes, which are read as a cell of a table is. In a table a number over the limit is an
	// error in them, and a word in a column of neither list. In tables these are columns, in json names of features
	// (within the features object); one that ends in a dot means all names that begin with it. Other formats have none.
	Categorical []string `json:"categorical,omitempty"`
	Numeric     []string `json:"numeric,omitempty"`

	// TimeParts lists features that are times, of json and tables: their hour and day of the week are features instead.
	TimeParts []string `json:"timeParts,omitempty"`
	// Log lists features of which each number v becomes sign(v)·ln(1+|v|), also each element of an array.
	Log []string `json:"log,omitempty"`
	// Cross lists products of features: names of fields with * between them. See crosses.
	Cross []string `json:"cross,omitempty"`
	// NGrams is 0, or 2 to 5: runs of 2 and up to so many neighbouring words of the text field are features, too.
	NGrams int `json:"ngrams,omitempty"`

	// Missing lists the words that mean a missing value in a cell of a table (csv), as a blank cell does, and in a
	// string of Numeric. They are no finite numbers.
	Missing []string `json:"missing,omitempty"`

	// Task is Binary, which is the default, or Multiclass, where every label is a class and Positive and LabelNames are
	// not allowed.
	Task string `json:"task,omitempty"`
	// Positive is the positive label, and all others are negative. If it is empty, labels are LabelNames, or else 1,
	// 0, -1, true and false.
	Positive string `json:"positive,omitempty"`
	// LabelNames is empty or the negative and the positive label, in this order.
	LabelNames []string `json:"labelNames,omitempty"`

	// Tombstones is what happens to null values, and to events whose features field is null, as those of Debezium that
	// tell of a deleted row: RejectTombstones or SkipTombstones.
	Tombstones string `json:"tombstones"`
	// AbsentNaN says that NaN, Infinity and -Infinity in json, which is none with them, are absent, as null is; in an
	// array of numbers, that element is. So are features of libsvm and vw whose value is not finite. Else they are a
	// syntax error, and NotFinite.
	AbsentNaN bool `json:"absentNaN,omitempty"`
	// Encoding is how the text of events is written, by the name that FindEncoding returns; empty for UTF-8. Files are
	// UTF-8 when they are decoded.
	Encoding string `json:"encoding,omitempty"`
	// SkipUnknown says that a value of which no rule makes features is absent (json: an array that holds neither only
	// numbers nor only strings; vw: a base); else its event is rejected as BadFeatures.
	SkipUnknown bool `json:"skipUnknown,omitempty"`

	// Framed says that what the serializers of a schema registry write before json is taken off: 0 and the id of a
	// schema in four bytes, or 1 and a GUID, before an object. Models that were begun before there was this rule do
	// without it. It is not for UTF-16.
	Framed bool `json:"framed,omitempty"`

	// EmptyIsZero says that an event with neither a field nor a label is x = 0, as one is that has a field and no
	// feature; else it is rejected as NoFeatures, since it probably has another format.
	EmptyIsZero bool `json:"emptyIsZero,omitempty"`

	MaxBytes    int `json:"maxBytes"`    // of a value, and of a key; at least 1
	MaxDepth    int `json:"maxDepth"`    // of nested json, 1 to 1000; the event itself has depth 1
	MaxFeatures int `json:"maxFeatures"` // distinct ones of an event; at least 1

	// Names are hashed with xxhash64 and Seed; the lowest Bits bits (1 to 30) are the slot.
	Bits int    `json:"bits"`
	Seed uint64 `json:"seed"`

	// Schemas is what is known of the schemas that events name (NamesSchemas). It is no setting.
	Schemas schema.Store `json:"-"`
}

// maxDepth bounds Options.MaxDepth, because the parser recurses.
const maxDepth = 1000
