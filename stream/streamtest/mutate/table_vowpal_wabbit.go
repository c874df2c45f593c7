package main

// fromVW is what users of Vowpal Wabbit meet first.
var fromVW = []mutation{
	{"options-of-vw", []edit{{mark: "options-of-vw", op: never}}},
	{"guess-at-a-letter", []edit{{mark: "guess-at-a-letter", op: never}}},
	{"guess-at-two-letters", []edit{{mark: "guess-at-two-letters", op: with,
		old: "d == 1 && len(word) > 2", code: "d == 1"}}},
	{"rate-by-other-names", []edit{{mark: "rate-by-other-names", op: never}}},
	{"no-text-in-vw", []edit{{mark: "no-text-in-vw", op: never}}},
	{"costs-of-vw", []edit{{mark: "costs-of-vw", op: never}}},
	{"blank-in-a-tag", []edit{{mark: "blank-in-a-tag", op: never}}},
	{"no-classes-of-a-quantity", []edit{{mark: "no-classes-of-a-quantity", op: never}}},
	{"fraction-as-label", []edit{{mark: "fraction-as-label", op: never}}},
	{"weights-as-checkpoint", []edit{{mark: "weights-as-checkpoint", op: never}}},
	{"folder-of-a-model", []edit{{mark: "folder-of-a-model", op: never}}},
	{"format-of-lines", []edit{{mark: "format-of-lines", op: never}}},
	{"rejected-not-read-again", []edit{{mark: "rejected-not-read-again", op: never}}},
	{"not-read-again", []edit{{mark: "not-read-again", op: never}}},
}
