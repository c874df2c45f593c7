package main

// inputs is about what strangers met: texts, encodings, labels, advice.
var inputs = []mutation{
	{"old-times-are-no-seconds",
		[]edit{{mark: "old-times-are-no-seconds", op: with, old: "31_536_000_000", code: "946_684_800_000"}}},
	{"unit-of-a-file", []edit{{mark: "unit-of-a-file", op: with, old: "!j.UnitKnown", code: "true"}}},
	{"marks-in-words", []edit{{mark: "marks-in-words", op: with, old: "modifies(r)", code: "false"}}},
	{"lacking-bytes-named", []edit{{mark: "lacking-bytes-named", op: always}}},
	{"half-a-character-before-a-line-end",
		[]edit{{mark: "half-a-character-before-a-line-end", op: with, old: "trimEnd(raw)", code: "raw"}}},
	{"unread-lines-not-sent", []edit{{mark: "unread-lines-not-sent", op: always}}},
	{"charset-of-a-body", []edit{{mark: "charset-of-a-body", op: never}}},
	{"predict-skipped", []edit{{mark: "predict-skipped", op: never}}},
	{"two-labels-named", []edit{{mark: "two-labels-named", op: never}}},
	{"text-as-label", []edit{{mark: "text-as-label", op: never}}},
	{"label-in-the-header", []edit{{mark: "label-in-the-header", op: never}}},
	{"text-among-words", []edit{{mark: "text-among-words", op: never}}},
	{"null-or-no-bytes", []edit{{mark: "null-or-no-bytes", op: never}}},
	{"repeated-words-are-no-ids",
		[]edit{{mark: "repeated-words-are-no-ids", op: with, old: "2*len(x.distinct) > n", code: "n > 0"}}},
	{"times-as-numbers", []edit{{mark: "times-as-numbers", op: never}}},
	{"rising-ids", []edit{{mark: "rising-ids", op: never}}},
	{"columns-of-the-model", []edit{{mark: "columns-of-the-model", op: never}}},
	{"header-in-another-order", []edit{{mark: "header-in-another-order", op: never}}},
	{"base-of-vw", []edit{{mark: "base-of-vw", op: never}}},
	{"shared-slots-told", []edit{{mark: "shared-slots-told", op: always}}},
	{"quotes-of-labels", []edit{{mark: "quotes-of-labels", op: with, old: "name[0] == '\"'", code: "true"}}},
}
