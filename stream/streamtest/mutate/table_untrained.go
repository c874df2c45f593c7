package main

// untrained is about predictions that were made before anything was learned.
var untrained = []mutation{
	{"untrained-unmarked", []edit{{mark: "untrained", op: drop}}},
	{"untrained-carried", []edit{{mark: "untrained-carried", op: drop}}},
	{"untrained-scored", []edit{{mark: "untrained-left-out", op: never}}},
	{"untrained-class-scored", []edit{{mark: "untrained-class-left-out", op: never}}},
	{"untrained-by-weight-0", []edit{{mark: "untrained-of-weight-0", op: with, old: "p.weighs", code: "true"}}},
	{"untrained-not-saved", []edit{{mark: "untrained-saved", op: never}}},
	{"untrained-not-restored", []edit{{mark: "untrained-restored", op: drop}}},
	{"untrained-not-copied", []edit{{mark: "untrained-copied", op: drop}}},
	{"untrained-delayed", []edit{{mark: "untrained-delayed", op: never}}},
	{"untrained-calibration", []edit{{mark: "untrained-calibration", op: with, old: " && !o.Untrained", code: ""}}},
	{"untrained-verdict", []edit{{mark: "untrained-verdict", op: drop}}},
}

// lateLabels is about labels that come when their events no longer wait.
var lateLabels = []mutation{
	{"late-in-all", []edit{{mark: "late-by-label", op: never}}},
	{"replay-late-labels", []edit{{mark: "replay-names-late-labels", op: never}}},
	{"check-late-labels",
		[]edit{{mark: "check-late-labels", op: with, old: "found.TooLate(1)", code: "found.TooLate(1)[:0]"}}},
	{"late-labels-unnoticed",
		[]edit{{mark: "late-labels-noticed", op: with, old: "i := range v.Late.TooLate",
			code: "i := range v.Late.TooLate[:0]"}}},
	{"late-lost-with-the-log", []edit{{mark: "late-counted-again", op: never}}},
	{"in-time-lost-with-the-journal", []edit{{mark: "labels-counted-again", op: drop}}},
	{"late-counts-not-saved", []edit{{mark: "late-counts-saved", op: with, old: "l.list", code: "l.list[:0]"}}},
	{"late-untold-at-the-end",
		[]edit{{mark: "late-at-the-end", op: with, old: "TooLate(least)", code: "TooLate(least)[:0]"}}},
	{"seconds-count-as-late", []edit{{mark: "late-by-seconds-uncounted", op: never}}},
	{"late-by-seconds", []edit{{mark: "late-by-seconds", op: never}}},
	{"advice-by-seconds", []edit{{mark: "advice-by-seconds", op: never}}},
}
