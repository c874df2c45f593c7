package main

// drifts is what detects them, and begins a learner anew.
var drifts = []mutation{
	{"adwin-empty-window", []edit{{mark: "adwin-empty-window", op: drop}}},
	{"drift-is-a-rise", []edit{{mark: "drift-is-a-rise", op: with, old: "1+d.spec.Rise", code: "1"}}},
	{"cut-that-shows-most",
		[]edit{{mark: "cut-that-shows-most", op: with, old: "ratio > most", code: "ratio > most && !changed"}}},
	{"untrained-drifts", []edit{{mark: "untrained-does-not-drift", op: never}}},
	{"drifts-of-other-settings",
		[]edit{{mark: "drifts-of-other-settings", op: with, old: "next.alike(p.drifts)", code: "p.drifts != nil"}}},
	{"drifts-not-copied", []edit{{mark: "drifts-copied", op: drop}}},
	{"drifts-not-saved", []edit{{mark: "drifts-saved", op: never}}},
	{"drifts-not-inherited", []edit{{mark: "drifts-inherited", op: drop}}},
	{"drifts-logged-again",
		[]edit{{mark: "drifts-logged-once", op: with, old: ">= d.logged", code: ">= 0"}}},
	{"drifts-of-a-recovery-are-news", []edit{{mark: "recovered-drifts-are-no-news", op: never}}},
	{"reset-stays-trained", []edit{{mark: "reset-is-untrained", op: drop}}},
	{"reset-changes-nothing", []edit{{mark: "reset-touches-all", op: drop}}},
	{"reset-before-learning", []edit{{mark: "reset-behind-the-example", op: before,
		code: "if drifted && p.drifts.resets {\n\tp.table.ForgetWeights()\n\tp.Trained, drifted = false, false\n}"}}},
	{"other-sites-set-the-reference", []edit{{mark: "other-sites-change-nothing", op: before, code: "return next"}}},
	{"reference-stays", []edit{{mark: "reference-as-it-is-now", op: never}}},
	{"reset-keeps-variances", []edit{{mark: "reset-of-the-method", op: drop}}},
}
