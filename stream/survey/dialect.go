package survey

import (
	"bytes"

	"rosenblatt/stream/event"
)

const otherColumns = "--columns names as many as the rows have cells (of a file, with --no-header)"

// unreadableRow is about a row that is not one of the dialect, or has another number of cells.
func unreadableRow(o *event.Options, row []byte) string {
	quotes := bytes.ContainsAny(row, "\"'")
	if d, ok := readDialect(o, row); ok {
		text := d.FlagsBeside(o.Dialect) + " reads it"
		//mutation:header-separated-otherwise
		if !reads(d, string(o.AppendRow(nil, o.Columns...)), len(o.Columns)) {
			text += "; the header of a file is separated otherwise: add --columns " +
				event.ShellList(o.Columns...)
		}
		if quotes && d.Quote == event.NoQuote {
			text += ", where quotes are characters; else double the quotes in a quoted cell"
		}
		return text
	}
	if quotes {
		return "quote the whole cell and double the quotes in it"
	}
	return otherColumns
}

// reads reports whether a row has so many cells.
func reads(d event.Dialect, row string, n int) bool {
	cells, err := d.Cells([]byte(row))
	return err == nil && len(cells) == n
}

// readDialect returns the dialect, closest first, by which a row has as many cells as there are columns.
func readDialect(o *event.Options, row []byte) (d event.Dialect, ok bool) {
	for _, delimiter := range append([]string{o.Delimiter, ""}, event.GuessedDelimiters...) {
		for _, quote := range []string{o.Quote, `"`, event.NoQuote, "'"} {
			for _, escape := range []string{o.Escape, "", `\`} {
				d := event.Dialect{Delimiter: delimiter, Quote: quote, Escape: escape, Decimal: o.Decimal}
				cells, err := d.Cells(row)
				if err == nil && len(cells) == len(o.Columns) && len(cells) > 1 {
					return d.Short(), true
				}
			}
		}
	}
	return d, false
}
