package producer

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
)

// TestFormatsByTable: what is printed of a feed names its format, and --key the formats with fields by name.
func TestFormatsByTable(t *testing.T) {
	for _, format := range event.Formats() {
		if format.Name == event.Avro || format.Name == event.Protobuf {
			continue // a header, TestProduceAvro; no files
		}
		file, err := source.From(strings.NewReader("1 a:1\n"), "x", source.Options{Format: format.Name})
		if err != nil {
			t.Fatal(err)
		}
		byName := format.Name == event.JSON || format.Cells != nil
		if strings.Contains(named(), format.Name) != byName {
			t.Errorf("%s: among the formats with fields by name (%s): want %v", format.Name, named(), byName)
		}
		if err := (&Settings{Key: "1 a:1"}).keyable(file.Format(), file.Table().Columns); (err == nil) != byName {
			t.Errorf("%s: %v", format.Name, err)
		}
		f, err := (&Settings{File: "-", Format: format.Name}).open(strings.NewReader("1 a:1\n"))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		f.showTable(&cli.Program{Stderr: &out})
		want := "run needs: --format " + format.Name + " "
		if strings.Contains(out.String(), want) != (format.Cells != nil) {
			t.Errorf("%s: printed %q", format.Name, out.String())
		}
	}
}

// TestColumnsAsArgument: what is printed is an argument of a shell that names the columns, whatever is in the names.
func TestColumnsAsArgument(t *testing.T) {
	f, err := (&Settings{File: "-", Format: event.CSV}).open(strings.NewReader("it's,\"a,b\", x\n1,2,3\n"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	f.showTable(&cli.Program{Stderr: &out})
	_, argument, _ := strings.Cut(strings.TrimSpace(out.String()), "--columns ")
	argument, rest, _ := strings.Cut(argument, " --")
	if want := `label-field 'x' --numeric 'it'\''s,a\,b'`; rest != want {
		t.Errorf("%s, want %s", rest, want)
	}
	if want := `'it'\''s,a\,b,x'`; argument != want {
		t.Errorf("%s, want %s", argument, want)
	}
	if got := kong.SplitEscaped(`it's,a\,b,x`, ','); !slices.Equal(got, f.table.Columns) {
		t.Errorf("%q, want %q", got, f.table.Columns)
	}
}
