package producer

import (
	"os"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
	"rosenblatt/stream/survey"
)

// runNeeds returns the settings with which run reads the file's events as produce does: which column is the label, how
// labels are spelled, and which columns hold words or numbers. It also says what to do with a column that is likely
// a text.
func (s *Settings) runNeeds(file *source.File) (settings string, notes []string) {
	table := file.Table()
	o := event.Defaults(file.Format())
	info, err := os.Stat(s.File)
	if table.Columns == nil && table.Label == "" && (s.File == "-" || err != nil || !info.Mode().IsRegular()) {
		return "", nil // what is written to a pipe is sent as it comes
	}
	kinds := ""
	first := file.Ahead(daemon.KindRows)
	if table.Label != "" {
		o.LabelField = s.LabelField
		_, settings = (&daemon.Events{LabelField: s.LabelField}).OfFile(&o, table)
		return " " + settings + cli.When(file.Weighted(), " --weight-field "+cli.Argument(table.Weight)), nil
	}
	if o.Schema = table.Schema; o.Schema != "" {
		kinds = "--format " + o.Format + " --schema " + cli.Argument(s.File)
	}
	usual := o.LabelField
	var e daemon.Events
	if s.LabelField != "" && usual != "" && s.LabelField != usual {
		e.LabelField, o.LabelField = s.LabelField, s.LabelField
	}
	if table.Columns != nil {
		o.Columns, o.Dialect, o.IDField = table.Columns, table.Dialect, s.IDField
		e.ChooseLabel(&o)
		kinds = daemon.FixKinds(&o, first)
	}
	if o.LabelField != usual {
		settings = " --label-field " + cli.Argument(o.LabelField)
	}
	found, err := survey.New(o)
	if err != nil {
		return "", nil // sending goes on, and what reads the events says it
	}
	for _, value := range first {
		found.Add(&event.Record{Value: value})
	}
	if named := found.LabelSettings(); named != "" {
		settings += " " + named
	}
	if text := found.Texts(); text != "" {
		notes = append(notes, text)
	}
	return settings + cli.When(kinds != "", " "+kinds), notes
}
