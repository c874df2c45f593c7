package main

// tables is how rows of tables are read.
var tables = []mutation{
	{"lone-quote", "a quote that does not close takes its line alone", "./cmd/internal/source", "TestLoneQuote",
		[]edit{{mark: "lone-quote", op: never}}},
	{"tab-quotes", "in a table separated by tabs a quote is a character", "./cmd/internal/source", "TestTable",
		[]edit{{mark: "tab-quotes", op: never}}},
	{"row-names", "a header a name short leaves the first column without one", "./cmd/internal/source", "TestRowNames",
		[]edit{{mark: "row-names", op: always}}},
	{"swallowed-rows", "a row that holds whole rows is noted", "./cmd/internal/source", "TestSpans",
		[]edit{{mark: "swallowed-rows", op: drop}}},
}
