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
