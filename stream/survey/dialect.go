package survey

import (
	"bytes"

	"rosenblatt/stream/event"
)

// unreadableRow is about a row that is not one of the dialect, or has another number of cells.
func unreadableRow(o *event.Options, row []byte) string {
	quotes := bytes.ContainsAny(row, "\"'")
	if d, ok := readDialect(o, row); ok {
		text := d.FlagsBeside(o.Dialect) + " reads it"
		if quotes && d.Quote == event.NoQuote {
			text += ", where quotes are characters; else double the quotes in a quoted cell"
		}
		return text
	}
	if quotes {
		return "quote the whole cell and double the quotes in it"
	}
	return "--columns names as many as the rows have cells (of a file, with --no-header)"
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
