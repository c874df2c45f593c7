package main

// untrained is about predictions that were made before anything was learned.
var untrained = []mutation{
	{"untrained-unmarked", "a prediction without a label before anything was learned says so", "./stream",
		"TestUntrainedWithoutLabels", []edit{{mark: "untrained", op: drop}}},
	{"untrained-carried", "the outcome's figures leave out what was untrained when it was predicted", "./stream",
		"TestUntrained", []edit{{mark: "untrained-carried", op: drop}}},
	{"untrained-scored", "a prediction that was made before anything was learned is in no figure", "./stream",
		"TestUntrained", []edit{{mark: "untrained-left-out", op: never}}},
	{"untrained-class-scored", "with several classes, too", "./stream/replay", "TestBaselinesUnderADelay",
		[]edit{{mark: "untrained-class-left-out", op: never}}},
	{"untrained-by-weight-0", "an example of weight 0 teaches nothing", "./stream", "TestUntrainedWithoutLabels",
		[]edit{{mark: "untrained-of-weight-0", op: with, old: "p.weighs", code: "true"}}},
	{"untrained-not-saved", "a checkpoint knows which waiting predictions are in no figure", "./stream/labels",
		"TestAgainstLists", []edit{{mark: "untrained-saved", op: never}}},
	{"untrained-not-restored", "a checkpoint says whether the model has learned", "./stream", "TestUntrained",
		[]edit{{mark: "untrained-restored", op: drop}}},
	{"untrained-not-copied", "a copy of a model says whether that has learned", "./stream/model", "TestTrained",
		[]edit{{mark: "untrained-copied", op: drop}}},
	{"untrained-delayed", "under a delay of replay, an event's label is not there when it is predicted",
		"./stream/replay", "TestDelayByExamples", []edit{{mark: "untrained-delayed", op: never}}},
	{"untrained-calibration", "calibration is a figure, too", "./stream/replay", "TestCalibration",
		[]edit{{mark: "untrained-calibration", op: with, old: " && !o.Untrained", code: ""}}},
	{"untrained-verdict", "the page says where all labels so far are of such predictions", "./stream/web",
		"TestUntrainedVerdict", []edit{{mark: "untrained-verdict", op: drop}}},
}

// lateLabels is about labels that come when their events no longer wait.
var lateLabels = []mutation{
	{"late-in-all", "labels are judged each by itself", "./stream/labels", "TestLateness",
		[]edit{{mark: "late-by-label", op: never}}},
	{"replay-late-labels", "replay's last line says of which label many come too late", "./cmd/rosenblatt",
		"TestReplayLateLabels", []edit{{mark: "replay-names-late-labels", op: never}}},
	{"check-late-labels", "check compares delays with --label-wait", "./cmd/rosenblatt", "TestCheckLateLabels",
		[]edit{{mark: "check-late-labels", op: with, old: "found.TooLate()", code: "found.TooLate()[:0]"}}},
	{"late-labels-unnoticed", "log and page say of which label many come too late", "./stream/web",
		"TestTimeNotices", []edit{{mark: "late-labels-noticed", op: with, old: "i := range v.Late.TooLate",
			code: "i := range v.Late.TooLate[:0]"}}},
	{"late-by-seconds", "a label that is late by times of 1970 is not advised to be waited for", "./stream/labels",
		"TestSecondsAreNotWaitedFor", []edit{{mark: "late-by-seconds", op: never}}},
	{"advice-by-seconds", "and the log names what does mend it", "./stream", "TestAdviceForSeconds",
		[]edit{{mark: "advice-by-seconds", op: never}}},
}
