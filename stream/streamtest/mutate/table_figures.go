package main

// figures is about what is said of predictions: it is of the examples that it names, and absent where they do not give
// it.
var figures = []mutation{
	{"auc-of-one-label", "of one label there is no AUC", "./learner/metrics", "TestFiguresOverSamplers",
		[]edit{{mark: "auc-of-one-label", op: replace,
			code: "f.RocAUC = Known(r.wins / max(1, 2*r.lowerNegatives*r.lowerPositives))"}}},
	{"auc-ties", "equal scores count half in the AUC", "./learner/metrics", "TestFiguresOverSamplers",
		[]edit{{mark: "auc-ties", op: with, old: " + negatives", code: ""}}},
	{"average-precision", "the precision at each cut", "./learner/metrics", "TestFiguresOverSamplers",
		[]edit{{mark: "average-precision", op: with, old: "found + alarms", code: "found + 2*alarms"}}},
	{"matthews", "the spread of labels in their correlation with predictions", "./learner/metrics",
		"TestFiguresOverSamplers", []edit{{mark: "matthews", op: with, old: "c.negatives()", code: "c.positives()"}}},
	{"matthews-of-classes", "the same of several classes", "./learner/metrics", "TestMulticlassAgainstDefinitions",
		[]edit{{mark: "matthews-of-classes", op: with, old: "1-predictedSquares", code: "1-labelSquares"}}},
	{"last10000", "the last 10,000 are no more", "./learner/metrics", "TestScoreAgainstNaive",
		[]edit{{mark: "last10000", op: never}}},
	{"last10000-of-classes", "the same of several classes", "./learner/metrics", "TestMulticlassAgainstDefinitions",
		[]edit{{mark: "last10000-of-classes", op: never}}},
	{"reliability-bin", "the calibration error is by the probability of the positive label", "./learner/metrics",
		"TestProbabilities", []edit{{mark: "reliability-bin", op: with, old: "int(p*", code: "int(given*"}}},
	{"figures-that-are-absent", "no sample of a figure that the labels do not give", "./stream/web",
		"TestMetricsOfOneLabel",
		[]edit{{mark: "figures-that-are-absent", op: with, old: "known &&", code: "(known || true) &&"}}},
	{"cuts-are-few", "a curve has at most 200 points", "./learner/metrics", "TestCuts",
		[]edit{{mark: "cuts-are-few", op: never}}},
	{"edge-of-negative-bins", "a cut takes no score of the next lower bin", "./learner/metrics", "TestCuts",
		[]edit{{mark: "edge-of-negative-bins", op: with, old: "edge(m+1)", code: "edge(m)"}}},
	{"rare-table", "of a rare label the table shows precision and recall", "./stream/report", "TestRareLabel",
		[]edit{{mark: "rare-table", op: never}}},
	{"page-speaks-of-accuracy", "of a rare label the page judges by average precision", "./stream/web",
		"TestRareVerdict", []edit{{mark: "page-speaks-of-accuracy", op: never}}},
}
