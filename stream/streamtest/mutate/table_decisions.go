package main

// decisions is what makes probabilities and cuts right.
var decisions = []mutation{
	{"calibration-fades-by-errors", "a calibration forgets as errors add up", "./learner/decision", "TestReference",
		[]edit{{mark: "calibration-fades-by-errors", op: with, old: "math.Abs(off)/window", code: "1/window"}}},
	{"calibration-bounded", "the bound of a calibration's step", "./learner/decision", "TestReference",
		[]edit{{mark: "calibration-bounded", op: with, old: "p.bounded", code: "p.direction"}}},
	{"calibration-guard", "a calibration of few labels is not steep", "./learner/decision", "TestScalesOfScores",
		[]edit{{mark: "calibration-guard", op: with, old: "deviation > 0", code: "deviation < 0"}}},
	{"cut-not-silent-for-ever", "a cut of precision that predicts nothing comes back", "./learner/decision",
		"TestSilentCutComesBack", []edit{{mark: "cut-not-silent-for-ever", op: with, old: "c.Theta > c.start",
			code: "c.Theta < c.start"}}},
	{"cut-damped-by-waiting", "waiting predictions damp the steps of a cut", "./learner/decision",
		"TestWaitingDampsTheCut", []edit{{mark: "cut-damped-by-waiting", op: drop}}},
}
