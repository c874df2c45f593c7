package main

// decisions is what makes probabilities and cuts right.
var decisions = []mutation{
	{"calibration-fades-by-errors",
		[]edit{{mark: "calibration-fades-by-errors", op: with, old: "math.Abs(off)/window", code: "1/window"}}},
	{"calibration-bounded", []edit{{mark: "calibration-bounded", op: with, old: "p.bounded", code: "p.direction"}}},
	{"calibration-guard", []edit{{mark: "calibration-guard", op: with, old: "deviation > 0", code: "deviation < 0"}}},
	{"cut-not-silent-for-ever",
		[]edit{{mark: "cut-not-silent-for-ever", op: with, old: "c.Theta > c.start", code: "c.Theta < c.start"}}},
	{"cut-damped-by-waiting", []edit{{mark: "cut-damped-by-waiting", op: drop}}},
}
