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
	{"stale-probability", []edit{{mark: "probability-is-fresh", op: with, old: "d.score == o.Score", code: "true"}}},
	{"calibration-before-publishing", []edit{{mark: "untrained", op: before,
		code: "if o.Labelled {\n\tp.task.decided(o)\n\t_ = p.task.predict(e, x, o, !p.NoLearn)\n}"}}},
	{"probability-at-the-outcome", []edit{{mark: "published-probability", op: drop}}},
	{"waiting-without-probability", []edit{{mark: "waiting-keeps-probability", op: never}}},
	{"untrained-teaches", []edit{{mark: "untrained-teaches-nothing", op: never}}},
	{"decisions-not-copied", []edit{{mark: "decisions-copied", op: drop}}},
	{"loss-by-prediction", []edit{{mark: "loss-by-score", op: with, old: "(score >= 0)",
		code: "(o&1 != 0)"}}},
	{"unpublished-moves-the-cut", []edit{{mark: "predict", op: before, code: "st.Proc.Publish(o)"}}},
	{"published-moves-no-cut", []edit{{mark: "publish", op: drop}}},
	{"threshold-not-compared", []edit{{mark: "threshold-compared", op: never}}},
	{"verify-publishes-nothing", []edit{{mark: "verify-publishes", op: drop}}},
	{"others-not-counted", []edit{{mark: "others-that-wait", op: drop}}},
	{"own-label-alone", []edit{{mark: "own-label-hears-of-waiting", op: drop}}},
	{"replay-forgets-what-waits", []edit{{mark: "replay-hears-of-waiting", op: drop}}},
	{"predict-without-cut", []edit{{mark: "predict-as-published", op: never}}},
}
