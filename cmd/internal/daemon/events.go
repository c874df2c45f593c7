package daemon

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
)

// What Events.Unknown may be.
const (
	reject = "reject"
	skip   = "skip"
	zero   = "zero"   // of Events.NoFeatures, which may be reject, too
	absent = "absent" // of Events.NaN, which may be reject, too

	textIDs = "text"
)

// Events says how events are read.
type Events struct {
	Format        string   `default:"json" placeholder:"${formats}"`
	Envelope      string   `default:"none" placeholder:"${envelopes}|none"`
	Schema        string   `placeholder:"FILE|SUBJECT"`
	Message       string   `placeholder:"NAME"`
	LabelField    string   `placeholder:"NAME"`
	IDField       string   `name:"id-field" placeholder:"NAME"`
	IDs           string   `name:"ids" default:"typed" placeholder:"typed|text"`
	FeaturesField string   `placeholder:"NAME"`
	WeightField   string   `placeholder:"NAME"`
	TextField     string   `placeholder:"NAME"`
	Ignore        []string `placeholder:"NAME"`
	Columns       []string `placeholder:"NAME"`
	Delimiter     string   `placeholder:"CHARACTER"`
	Quote         string   `placeholder:"CHARACTER|none"`
	Escape        string   `placeholder:"CHARACTER|none"`
	Decimal       string   `default:"point" placeholder:"point|comma"`
	Categorical   []string `placeholder:"NAME"`
	Numeric       []string `placeholder:"NAME"`
	TimeParts     []string `placeholder:"NAME"`
	Log           []string `placeholder:"NAME"`
	Cross         []string `placeholder:"NAME*NAME"`
	NGrams        int      `name:"ngrams" placeholder:"N"`
	Encoding      string   `placeholder:"NAME"`
	Missing       []string `placeholder:"WORD"`
	Positive      string   `placeholder:"LABEL"`
	LabelNames    []string `placeholder:"NAME"`
	Tombstones    string   `default:"reject" placeholder:"reject|skip"`
	Unknown       string   `default:"reject" placeholder:"reject|skip"`
	NoFeatures    string   `default:"reject" placeholder:"reject|zero"`
	NaN           string   `name:"nan" default:"reject" placeholder:"reject|absent"`
	MaxBytes      int      `default:"1048576" placeholder:"N"`
	MaxDepth      int      `default:"32" placeholder:"N"`
	MaxFeatures   int      `default:"10000" placeholder:"N"`
}

// FlagHelp implements cli.Documented.
func (Events) FlagHelp() cli.Help {
	return `
format: How an event is written (default: ${default}).
envelope: What is around each event: none, or cloudevents, whose data is the event, or debezium, whose row after the
	change is the event (default: ${default}).
schema: The schema that all events are written with: of avro a file .avsc, or a container file .avro, which has one; of
	protobuf a file .proto, with what it imports in its folder, or a FileDescriptorSet (.desc, .binpb). Or the newest
	one of a subject of --schema-registry, or with SUBJECT:N that of version N, when the model is begun.
message: Which message of --schema events of protobuf are (default: its only one).
label-field: The field with the label, in json a dotted path (default: label).
id-field: The field that identifies an event; it is copied into the prediction (default: id).
ids: With typed, 7 and "7" are two ids; with text, an id that is a json number, true or false is the text that it is
	written as (default: ${default}).
features-field: The field with the features, json only (default: features); events without it are features themselves.
weight-field: The field with an event's weight (default: none, every event weighs 1).
text-field: The field with text, which is split into words.
ignore: Fields that are no features. A name that ends in a dot, or in vw in ^, means all that begin so.
columns: The columns of a table such as csv, in order.
delimiter: What separates the columns of csv: a comma, ";", "|", tab, blanks for runs of blanks, or another character
	(default: a comma; of a file that is replayed or trained on, what its first row has).
quote: What a cell of csv is enclosed in that may hold delimiters and line ends, as "'" (default: a double quote; none
	where tabs separate the columns).
escape: What takes its meaning from the character behind it, as the backslash of Spark and MySQL (default: none).
decimal: Whether numbers in csv have a decimal point or a comma (default: ${default}).
categorical: Features of which a number is a word, as a code is: a=007, never scaled; in csv a column of words, whatever
	they look like. A name that ends in a dot means all that begin with it. Of a file that is replayed or trained on,
	the columns of words are those of its first 1,000 rows.
numeric: Features that are numbers: in json those with numbers in quotes, in csv columns where a number over 1e30 is an
	error and no word. Of a file that is replayed or trained on, the columns of numbers of its first 1,000 rows.
time-parts: Features of json, csv, avro and protobuf that are times: their hour and day of the week are features
	instead, as at.hour=22 and at.weekday=thu. A text is a time as 2026-11-26T22:05:00Z, a number counts from 1970, in
	the unit of its type.
log: Features of which each number v becomes sign(v)*ln(1+|v|), as counts and amounts of money may need. A name that
	ends in a dot, or in vw in ^, means all that begin with it.
cross: Products of features: names of fields with * between them, as country*device, 2 to 4 in one cross, 16 crosses. A
	name that ends in a dot, or in vw in ^, means all that begin with it.
ngrams: Runs of 2 and up to so many neighbouring words of the text field are features, too; 2 to 5 (default: words
	alone).
encoding: How the text of events is encoded, as cp1252, cp850, utf-16 or gbk (default: UTF-8; of a file that begins with
	its byte order mark, UTF-16).
missing: Words that mean a missing value in csv, and in json in what --numeric names, as a blank cell does; none for
	none (default: ${missing}).
positive: The label to tell from all others.
label-names: The spellings of the negative and the positive label (default: -1/1, 0/1 or false/true, whichever is met
	first).
tombstones: What becomes of events that are null, or whose features field is (default: ${default}).
unknown: What becomes of an event with a value that cannot be a feature, in json an array of objects or of several
	kinds, in vw a base, and what is no time where --time-parts names it: it is rejected, or that value is skipped
	(default: ${default}).
no-features: What becomes of an event with neither a field nor a label, as {} is: it is rejected, or taken as one
	whose features are all 0, as an event with a field and no feature always is (default: ${default}).
nan: What becomes of NaN, Infinity and -Infinity in json, as Python writes them, in avro and protobuf, and of nan and
	inf in libsvm and vw: the event is rejected, or they are absent as null is (default: ${default}).
max-bytes: Longest key and value of an event, in bytes (default: ${default}).
max-depth: Deepest nesting of json, 1 to 1000 (default: ${default}).
max-features: Most features of an event (default: ${default}).
`
}

// Options returns how events of a format are decoded; the format decides the fields left open.
func (e *Events) Options(format string, bits int, seed uint64) event.Options {
	defaults := event.Defaults(format)
	schema, message, err := SchemaOf(format, e.Schema, e.Message)
	if err != nil { // Check reports it: the values are bare all the same
		schema = e.Schema
	}
	return event.Options{
		Format: format, Bits: bits, Seed: seed,
		LabelField:    cmp.Or(e.LabelField, defaults.LabelField),
		IDField:       cmp.Or(e.IDField, defaults.IDField),
		FeaturesField: cmp.Or(e.FeaturesField, defaults.FeaturesField),
		WeightField:   e.WeightField, TextField: e.TextField, Ignore: e.Ignore, Columns: e.Columns,
		Dialect: e.Dialect().Short(), Missing: e.missing(defaults),
		Categorical: e.featuresOf(e.Categorical, e.TextField), Numeric: e.featuresOf(e.Numeric),
		TimeParts: e.featuresOf(e.TimeParts), Log: e.featuresOf(e.Log), Cross: crossesOf(e.Cross), NGrams: e.NGrams,
		TextIDs: e.IDs == textIDs, Positive: e.Positive, LabelNames: e.LabelNames, Tombstones: e.Tombstones,
		SkipUnknown: e.Unknown == skip, EmptyIsZero: e.NoFeatures == zero, AbsentNaN: e.NaN == absent,
		Encoding: e.encoding(), Framed: defaults.Framed, Envelope: envelopeOf(e.Envelope),
		Schema: schema, Subject: subjectOf(e.Schema), Message: message,
		MaxBytes: e.MaxBytes, MaxDepth: e.MaxDepth, MaxFeatures: e.MaxFeatures,
	}
}

// noEnvelope is what Events.Envelope is without one.
const noEnvelope = "none"

func envelopeOf(given string) string {
	if given == noEnvelope {
		return ""
	}
	return given
}

// featuresOf returns names without those that --ignore leaves out, and others: the words of a text are words without
// being named.
func (e *Events) featuresOf(names []string, others ...string) []string {
	//mutation:text-among-words
	if len(names) > 0 {
		names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			return name != "" && (slices.Contains(e.Ignore, name) || slices.Contains(others, name))
		})
	}
	return names
}

// crossesOf returns crosses of which several may be given in one text, with blanks between them.
func crossesOf(given []string) (all []string) {
	for _, text := range given {
		all = append(all, strings.Fields(text)...)
	}
	return all
}

// InFile returns how a file of events is read; where no format is given its ending tells it. Note is called with what
// may be wrong with the file.
func (e *Events) InFile(formatGiven, noHeader bool, note func(text string)) source.Options {
	o := source.Options{Dialect: e.Dialect(), DelimiterGiven: e.Delimiter != "", Encoding: e.Encoding,
		NoHeader: noHeader, Columns: e.Columns, Note: note}
	if formatGiven {
		o.Format = e.Format
	}
	return o
}

// encoding is the one name that the encoding has. Validate reports what is none.
func (e *Events) encoding() string {
	if _, name, err := event.FindEncoding(e.Encoding); err == nil {
		return name
	}
	return e.Encoding
}

// Dialect returns how rows of a table are written.
func (e *Events) Dialect() event.Dialect {
	return event.ParseDialect(e.Delimiter, e.Quote, e.Escape, e.Decimal)
}

// SetDialect makes the settings say how rows of a table are written.
func (e *Events) SetDialect(d event.Dialect) {
	e.Delimiter, e.Quote, e.Escape, e.Decimal = d.Delimiter, d.Quote, d.Escape, cmp.Or(d.Decimal, "point")
}

// missing is what was given, else the default of the format.
func (e *Events) missing(defaults event.Options) []string {
	switch {
	case len(e.Missing) == 0 && len(e.Numeric) > 0 && defaults.HasObjects():
		return event.MissingWords()
	case len(e.Missing) == 0:
		return defaults.Missing
	case len(e.Missing) == 1 && e.Missing[0] == "none":
		return nil
	}
	return e.Missing
}

// Complete adds what is known of a file's table, if it is one, and validates the options. If the settings name columns
// too (given), they must be those of the file.
func (e *Events) Complete(o *event.Options, t source.Table, given bool) error {
	if t.Schema != "" {
		if o.Schema = t.Schema; e.Schema != "" {
			return cli.Usagef("schema: the file has the schema of its objects: leave --schema out")
		}
	}
	if o.NamesSchemas() && o.Schemas == nil {
		return cli.Usagef("format %s: it needs --schema FILE", o.Format)
	}
	if t.Columns != nil {
		o.Columns, o.Dialect = t.Columns, t.Dialect
		keepKinds(o, len(e.Categorical)+len(e.Numeric) > 0)
	}
	if _, known := t.Values[o.LabelField]; t.Label != "" && e.LabelField != "" && !known {
		return cli.Usagef("label-field: the file declares no attribute %q", o.LabelField)
	}
	if t.Columns != nil && given && !slices.Equal(t.Columns, e.Columns) {
		return cli.Usagef("columns: the file's first row names them, %s: leave --columns out or, if that row is an "+
			"event, say --no-header", strings.Join(t.Columns, ","))
	}
	var wrong cli.Faults
	if e.choices(&wrong); len(wrong) > 0 {
		return &cli.UsageError{Err: wrong[0]}
	}
	if err := o.Validate(); err != nil {
		return cli.Usagef("format %s: %w", o.Format, err)
	}
	return nil
}

// choices finds settings that are none of the words that they may be; the first is the default.
func (e *Events) choices(f *cli.Faults) {
	f.OneOf("envelope", cmp.Or(e.Envelope, noEnvelope), append([]string{noEnvelope}, event.Envelopes()...)...)
	f.OneOf("ids", cmp.Or(e.IDs, "typed"), "typed", textIDs)
	f.OneOf("decimal", cmp.Or(e.Decimal, "point"), "point", event.DecimalComma)
	f.OneOf("unknown", cmp.Or(e.Unknown, reject), reject, skip)
	f.OneOf("no-features", cmp.Or(e.NoFeatures, reject), reject, zero)
	f.OneOf("nan", cmp.Or(e.NaN, reject), reject, absent)
	_, _, err := SchemaOf(e.Format, e.Schema, e.Message)
	f.Check("schema", err)
}

// Check finds what is wrong with settings by themselves, and reads the schema that they name.
func (e *Events) Check(f *cli.Faults) {
	f.OneOf("format", e.Format, event.FormatNames()...)
	e.choices(f)
	f.OneOf("tombstones", e.Tombstones, event.RejectTombstones, event.SkipTombstones)
	f.Within("max-bytes", int64(e.MaxBytes), 1, math.MaxInt32)
	f.Within("max-depth", int64(e.MaxDepth), 1, 1000)
	f.Within("max-features", int64(e.MaxFeatures), 1, math.MaxInt32)
}
