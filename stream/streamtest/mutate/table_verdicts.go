package main

// verdicts is what counts findings.
var verdicts = []mutation{
	{"check-counts-rejects", []edit{{mark: "check-counts-rejects", op: never}}},
	{"check-compares-topics-alone", []edit{{mark: "check-compares-settings", op: replace,
		code: "c.ModelConfig, c.Model = h.Config, h.Model"}}},
	{"check-counts-warnings", []edit{{mark: "check-counts-warnings", op: drop}}},
	{"check-counts-label-rejects", []edit{{mark: "check-counts-label-rejects", op: never}}},
	{"check-label-subject", []edit{{mark: "check-label-subject", op: drop}}},
	{"check-compares-ids", []edit{{mark: "check-compares-ids", op: never}}},
	{"replay-counts-rejects", []edit{{mark: "replay-counts-rejects", op: never}}},
	{"labels-rejected-is-success", []edit{{mark: "all-labels-rejected-is-an-error", op: never}}},
	{"all-labels-rejected", []edit{{mark: "all-labels-rejected", op: never}}},
	{"page-counts-rejects", []edit{{mark: "page-counts-rejects", op: never}}},
	{"ids-as-text", []edit{{mark: "ids-as-text", op: with, old: "!s.options.TextIDs", code: "true"}}},
	{"learned-though-untrained", []edit{{mark: "learned-though-untrained", op: never}}},
	{"no-outcome-followed", []edit{{mark: "no-outcome-followed", op: never}}},
	{"outcomes-not-named", []edit{{mark: "outcomes-not-named", op: never}}},
	{"outside-the-range", []edit{{mark: "outside-the-range", op: never}}},
	{"label-of-a-rejected-event", []edit{{mark: "label-of-a-rejected-event", op: never}}},
	{"flag-of-another-command", []edit{{mark: "flag-of-another-command", op: always}}},
	{"column-of-labels-unnamed", []edit{{mark: "column-of-labels-named", op: with, old: "}[i]", code: "}[1-i]"}}},
	{"keyless-labels", []edit{{mark: "keyless-labels", op: with, old: `s.Out != ""`, code: "false"}}},
	{"framed-keys-told", []edit{{mark: "framed-keys-told", op: never}}},
	{"key-is-null", []edit{{mark: "key-is-null", op: never}}},
	{"check-matches-labels", []edit{{mark: "check-matches-labels", op: never}}},
	{"framed-advice", []edit{{mark: "framed-advice", op: never}}},
}
