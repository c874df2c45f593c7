package main

// inputs is about what strangers met: texts, encodings, labels, advice.
var inputs = []mutation{
	{"old-times-are-no-seconds", "old times are not taken for seconds: only those of 1970 are",
		"./stream/labels", "TestOldTimesAreNoSeconds",
		[]edit{{mark: "old-times-are-no-seconds", op: with, old: "31_536_000_000", code: "946_684_800_000"}}},
	{"unit-of-a-file", "times of a file are of the unit that is said", "./cmd/rosenblatt", "TestReplayOldTimes",
		[]edit{{mark: "unit-of-a-file", op: with, old: "!j.UnitKnown", code: "true"}}},
	{"marks-in-words", "accents and vowel signs belong to their words", "./stream/event", "TestWordsKeepTheirMarks",
		[]edit{{mark: "marks-in-words", op: with, old: "modifies(r)", code: "false"}}},
}
