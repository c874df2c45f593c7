package main

// tables is how rows of tables are read.
var tables = []mutation{
	{"lone-quote", []edit{{mark: "lone-quote", op: never}}},
	{"stray-words", []edit{{mark: "stray-words", op: never}}},
	{"truth-in-tables", []edit{{mark: "truth-in-tables", op: never}}},
	{"thousands", []edit{{mark: "thousands", op: never}}},
	{"one-word-among-numbers", []edit{{mark: "one-word-among-numbers", op: never}}},
	{"one-label-left", []edit{{mark: "one-label-left", op: never}}},
	{"rejects-of-the-first-alone", []edit{{mark: "rejects-of-the-first-alone", op: never}}},
	{"uneven-rows", []edit{{mark: "uneven-rows", op: never}}},
	{"quantity-as-classes", []edit{{mark: "quantity-as-classes", op: never}}},
	{"header-separated-otherwise", []edit{{mark: "header-separated-otherwise", op: never}}},
	{"blanks-within-cells", []edit{{mark: "blanks-within-cells", op: never}}},
	{"field-given-twice", []edit{{mark: "field-given-twice", op: never}}},
	{"format-of-the-model", []edit{{mark: "format-of-the-model", op: never}}},
	{"tab-quotes", []edit{{mark: "tab-quotes", op: never}}},
	{"row-names", []edit{{mark: "row-names", op: always}}},
	{"header-again", []edit{{mark: "header-again", op: never}}},
	{"mark-of-a-record", []edit{{mark: "mark-of-a-record", op: drop}}},
	{"absent-nan", []edit{{mark: "absent-nan", op: never}}},
	{"utf-16", []edit{{mark: "utf-16", op: never}}},
	{"line-ends-in-cr", []edit{{mark: "line-ends-in-cr", op: never}}},
	{"escape-in-quotes", []edit{{mark: "escape-in-quotes", op: never}}},
	{"swallowed-rows", []edit{{mark: "swallowed-rows", op: drop}}},
}
