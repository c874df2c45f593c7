package main

// tables is how rows of tables are read.
var tables = []mutation{
	{"lone-quote", "a quote that does not close takes its line alone", "./cmd/internal/source", "TestLoneQuote",
		[]edit{{mark: "lone-quote", op: never}}},
	{"tab-quotes", "in a table separated by tabs a quote is a character", "./cmd/internal/source", "TestTable",
		[]edit{{mark: "tab-quotes", op: never}}},
	{"row-names", "a header a name short leaves the first column without one", "./cmd/internal/source", "TestRowNames",
		[]edit{{mark: "row-names", op: always}}},
	{"header-again", "a row of the columns' names is no event", "./stream/event", "TestHeaderAgain",
		[]edit{{mark: "header-again", op: never}}},
	{"mark-of-a-record", "a byte order mark before a record has no meaning", "./stream/event", "TestMarkOfARecord",
		[]edit{{mark: "mark-of-a-record", op: drop}}},
	{"absent-nan", "with --nan absent NaN is absent", "./stream/event", "TestAbsentNaN",
		[]edit{{mark: "absent-nan", op: never}}},
	{"utf-16", "a file with the byte order mark of UTF-16 is read as that", "./cmd/internal/source", "TestEncodings",
		[]edit{{mark: "utf-16", op: never}}},
	{"line-ends-in-cr", "lines of a file may end in CR alone", "./cmd/internal/source", "TestLineEndsInCR",
		[]edit{{mark: "line-ends-in-cr", op: never}}},
	{"escape-in-quotes", "where there are quotes, an escape outside of them does not hide a delimiter",
		"./stream/event",
		"TestTextAgainstOracle", []edit{{mark: "escape-in-quotes", op: never}}},
	{"swallowed-rows", "a row that holds whole rows is noted", "./cmd/internal/source", "TestSpans",
		[]edit{{mark: "swallowed-rows", op: drop}}},
}
