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
	{"lacking-bytes-named", "bytes that an encoding lacks are named, with encodings that fit",
		"./stream/event", "TestWhatFits", []edit{{mark: "lacking-bytes-named", op: always}}},
	{"half-a-character-before-a-line-end", "half a character before a line end does not take the end along",
		"./cmd/internal/source", "TestBytesWithoutMeaning",
		[]edit{{mark: "half-a-character-before-a-line-end", op: with, old: "trimEnd(raw)", code: "raw"}}},
	{"unread-lines-not-sent", "produce does not send lines with other bytes than the file has",
		"./cmd/rosenblatt", "TestProduceUnreadLines", []edit{{mark: "unread-lines-not-sent", op: always}}},
	{"charset-of-a-body", "a body is in the encoding that its Content-Type says",
		"./stream/web", "TestPredictInTheEncoding", []edit{{mark: "charset-of-a-body", op: never}}},
	{"predict-skipped", "what is skipped in a topic gets no prediction by HTTP", "./stream/web", "TestPredictSkips",
		[]edit{{mark: "predict-skipped", op: never}}},
}
