package metrics

import "math"

// Cut is what predicting positive from a score on would have given, over all examples.
type Cut struct {
	Score             float64 `json:"score"`
	Recall            float64 `json:"recall"`
	Precision         float64 `json:"precision"`
	FalsePositiveRate float64 `json:"falsePositiveRate"`
}

// stepsOfCuts is into how many steps of recall and of false positives the cuts are thinned: a curve has at most twice
// as many.
const stepsOfCuts = 100

// Cuts are the points of the precision-recall and the ROC curve, the highest score first: one for each bin that holds
// scores, none unless both labels occurred.
func (s *Binary) Cuts() []Cut {
	negatives, positives := s.all[learned].negatives(), s.all[learned].positives()
	if negatives == 0 || positives == 0 {
		return nil
	}
	type group struct {
		place  int
		counts binCounts
	}
	var groups []group // the lowest scores first
	s.bins.each(func(place int, c binCounts) { groups = append(groups, group{place, c}) })
	var cuts []Cut
	var found, alarms float64 // so far
	for i := len(groups) - 1; i >= 0; i-- {
		found += float64(groups[i].counts[1])
		alarms += float64(groups[i].counts[0])
		cuts = append(cuts, Cut{lowestOf(groups[i].place), found / positives, found / (found + alarms),
			alarms / negatives})
	}
	return cuts
}

// FewCuts are at most 200 of them, for a curve. Between two that follow each other recall or the false positives move
// by a hundredth, unless scores of one bin move them further.
func FewCuts(all []Cut) (few []Cut) {
	var at Cut // the last one
	for i, c := range all {
		//mutation:cuts-are-few
		if stepsOfCuts*(c.Recall-at.Recall) <= 1 && stepsOfCuts*(c.FalsePositiveRate-at.FalsePositiveRate) <= 1 &&
			i < len(all)-1 {
			continue
		}
		few, at = append(few, c), c
	}
	return few
}

// lowestOf is the lowest score of a bin, by its place among all.
func lowestOf(place int) float64 {
	edge := func(m int) float64 { // the least magnitude of a bin
		if m == 0 {
			return 0
		}
		return math.Ldexp(1+float64(m&(pageBins-1))/pageBins, m>>fractionBits+lowestExponent)
	}
	switch m := place - signedBins - 1; {
	case m == 0:
		return math.SmallestNonzeroFloat64
	case m > 0:
		return edge(m)
	case place == signedBins:
		return 0
	}
	m := signedBins - 1 - place
	if m == signedBins-1 {
		return -math.MaxFloat64
	}
	//mutation:edge-of-negative-bins
	return math.Nextafter(-edge(m+1), 0)
}
