package main

// learning is what makes the arithmetic of learners and figures right.
var learning = []mutation{
	{"step-sign", []edit{{mark: "step-sign", op: with, old: "e.label", code: "-e.label"}}},
	{"zero-is-negative", []edit{{mark: "sign-of-zero", op: with, old: "score >= 0", code: "score > 0"}}},
	{"class-tie", []edit{{mark: "class-tie", op: with, old: "x > numbers[best]", code: "x >= numbers[best]"}}},
	{"direct-norm", []edit{{mark: "direct-norm", op: with, old: "2*m.view.norm", code: "m.view.norm"}}},
	{"arow-beta", []edit{{mark: "arow-beta", op: with, old: "a.r", code: "2*a.r"}}},
	{"adagrad-sum", []edit{{mark: "adagrad-sum", op: with, old: "g*g", code: "0*g"}}},
	{"window-errors", []edit{{mark: "window-errors", op: with, old: "*math.Abs(l.gradient)", code: ""}}},
	{"gradient-sign", []edit{{mark: "gradient-sign", op: with, old: "-sigmoid", code: "sigmoid"}}},
	{"mean-lag", []edit{{mark: "mean-lag", op: with, old: "now.done", code: "(now.done+1)"}}},
	{"shrunk-sign", []edit{{mark: "shrunk-sign", op: replace, code: "return left"}}},
	{"alma-norm", []edit{{mark: "alma-norm", op: replace, code: "v.scale = scale"}}},
	{"dual-evicts-the-newest", []edit{{mark: "dual-eviction", op: with, old: "<", code: "<="}}},
	{"dual-bias", []edit{{mark: "dual-bias", op: with, old: "+v.one", code: "+0"}}},
	{"dual-lag", []edit{{mark: "dual-lag", op: with, old: "s.lag", code: "0*s.lag"}}},
	{"sparse-uncentred", []edit{{mark: "sparse-uncentred", op: with, old: "m.count >= among.half && ", code: ""}}},
	{"kappa-chance", []edit{{mark: "kappa-chance", op: with, old: "(tn+fn)", code: "(tn+fp)"}}},
	{"scaled-twice", []edit{{mark: "scaled-twice", op: always}}},
	{"baselines-ahead", []edit{{mark: "late-baselines", op: with, old: "was.Baselines", code: "o.Baselines"}}},
}
