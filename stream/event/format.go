package event

import (
	"slices"
	"strings"

	"rosenblatt/learner"
)

// The names of the formats.
const (
	JSON     = "json"
	LIBSVM   = "libsvm"
	VW       = "vw"
	CSV      = "csv"
	Avro     = "avro"
	Protobuf = "protobuf"
)

// Format is a format of events.
type Format struct {
	Name    string   // as in Options.Format
	Endings []string // the endings of file names
	Scale   string   // the default scaling of features

	// The default names of the fields with a role; empty for a role that the format has no field for.
	LabelField, IDField, FeaturesField string

	// Cells splits a row, with or without its line end, into its cells. It is nil except for tables: formats with
	// Options.Columns, whose files begin with a row of column names.
	Cells func(row []byte, d Dialect) ([]string, error)
	// Missing is the default of Options.Missing.
	Missing []string
	// Comment begins a line of a file that is no event, after blanks; empty for none.
	Comment string
	// Quoted tells that a cell may hold line ends, in quotes or after an escape: see Dialect.Rows.
	Quoted bool

	endings  fieldEndings
	validate func(o *Options) error
	// newParser returns a parser and sets the decoder's roles.
	newParser func(d *Decoder) parser
}

// formats has a row for each format.
var formats = []Format{
	{
		Name: JSON, Endings: []string{".jsonl", ".json"}, Scale: learner.ScaleStandard,
		LabelField: "label", IDField: "id", FeaturesField: "features",
		endings: fieldEndings{',', '}', true}, validate: (*Options).validateObjects, newParser: newJSON,
	}, {
		Name: LIBSVM, Endings: []string{".svm", ".libsvm"}, Scale: learner.ScaleMaxAbs, Comment: "#",
		endings: fieldEndings{' ', ' ', false}, validate: (*Options).validateUnnamed, newParser: newLIBSVM,
	}, {
		Name: VW, Endings: []string{".vw"}, Scale: learner.ScaleMaxAbs,
		endings: fieldEndings{' ', '|', false}, validate: (*Options).validateUnnamed, newParser: newVW,
	}, {
		Name: CSV, Endings: []string{".csv", ".tsv"}, Scale: learner.ScaleStandard,
		LabelField: "label", IDField: "id",
		Cells: csvCells, Quoted: true, Missing: MissingWords(),
		validate: (*Options).validateTable, newParser: newCSV,
	}, {
		Name: Avro, Endings: []string{".avro"}, Scale: learner.ScaleStandard,
		LabelField: "label", IDField: "id", FeaturesField: "features",
		validate: (*Options).validateSchema, newParser: newAvro,
	}, {
		Name: Protobuf, Scale: learner.ScaleStandard,
		LabelField: "label", IDField: "id", FeaturesField: "features",
		validate: (*Options).validateSchema, newParser: newProtobuf,
	},
}

// HasSchema reports whether events are bytes that a schema describes, and no text.
func (o *Options) HasSchema() bool { return o.Format == Avro || o.Format == Protobuf }

// HasObjects reports whether events are objects with named fields, as in json.
func (o *Options) HasObjects() bool { return o.Format == JSON || o.HasSchema() }

// MissingWords returns the words that mean a missing value in a table by default, as in R, pandas and MySQL.
func MissingWords() []string { return []string{"NA", "N/A", "NaN", "nan", "null", "?", `\N`} }

// Formats returns all formats.
func Formats() []Format { return slices.Clone(formats) }

// FindFormat returns the format with this name.
func FindFormat(name string) (f Format, ok bool) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}

// FormatNames returns the names of all formats.
func FormatNames() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	return names
}

// FormatChoice returns the names of all formats as a choice, "a, b or c".
func FormatChoice() string {
	names := FormatNames()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// FileEndings returns the file endings of all formats.
func FileEndings() (endings []string) {
	for _, f := range formats {
		endings = append(endings, f.Endings...)
	}
	return endings
}

// Defaults returns the default options of a format. Tables also need Columns.
func Defaults(format string) Options {
	f, _ := FindFormat(format)
	return Options{
		Format: format, LabelField: f.LabelField, IDField: f.IDField, FeaturesField: f.FeaturesField,
		Missing: slices.Clone(f.Missing), Tombstones: RejectTombstones, Framed: format == JSON,
		MaxBytes: 1 << 20, MaxDepth: 32, MaxFeatures: 10000, Bits: 18,
	}
}
