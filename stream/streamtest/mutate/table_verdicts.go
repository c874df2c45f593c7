package main

// verdicts is what counts findings.
var verdicts = []mutation{
	{"check-counts-rejects", "check fails where most events are rejected", "./cmd/rosenblatt", "TestCheckCounts",
		[]edit{{mark: "check-counts-rejects", op: never}}},
	{"check-counts-warnings", "the last line of check counts its warnings", "./cmd/rosenblatt", "TestCheckCounts",
		[]edit{{mark: "check-counts-warnings", op: drop}}},
	{"check-counts-label-rejects", "check fails where most labels are rejected", "./cmd/rosenblatt",
		"TestCheckCountsLabels", []edit{{mark: "check-counts-label-rejects", op: never}}},
	{"check-compares-ids", "check fails where no label can find its event", "./cmd/rosenblatt", "TestIDsAsText",
		[]edit{{mark: "check-compares-ids", op: never}}},
	{"replay-counts-rejects", "the last line of replay counts rejected events", "./cmd/rosenblatt",
		"TestReplayVerdict", []edit{{mark: "replay-counts-rejects", op: never}}},
	{"labels-rejected-is-success", "a replay of which every label is rejected is an error", "./cmd/rosenblatt",
		"TestReplayVerdict", []edit{{mark: "all-labels-rejected-is-an-error", op: never}}},
	{"all-labels-rejected", "a task that has rejected the last hundred labels is not ready", "./stream/web",
		"TestReadyByRejectedLabels", []edit{{mark: "all-labels-rejected", op: never}}},
	{"page-counts-rejects", "the page's verdict counts rejected records", "./stream/web", "TestRejectedVerdict",
		[]edit{{mark: "page-counts-rejects", op: never}}},
	{"ids-as-text", "with --ids text a number and a text are one id", "./stream/event", "TestIDsAsText",
		[]edit{{mark: "ids-as-text", op: with, old: "!s.options.TextIDs", code: "true"}}},
}
