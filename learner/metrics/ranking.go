package metrics

import "slices"

// ranking computes figures of the order in which scores put the labels. Groups of equal scores are added, the lowest
// first.
type ranking struct {
	negatives, positives           float64 // of all groups
	lowerNegatives, lowerPositives float64 // of the groups added
	wins, precision                float64 // pairs won, in halves; the precision at each positive, summed up
}

func (r *ranking) add(negatives, positives float64) {
	//mutation:auc-ties
	r.wins += float64(positives * (2*r.lowerNegatives + negatives))
	if positives > 0 {
		found, alarms := r.positives-r.lowerPositives, r.negatives-r.lowerNegatives
		//mutation:average-precision
		r.precision += float64(positives * (found / (found + alarms)))
	}
	r.lowerNegatives += negatives
	r.lowerPositives += positives
}

// set sets the areas: the chance that a positive example scores higher than a negative one, ties counting half (Mann
// and Whitney 1947), and Σ (R_n − R_{n−1})·P_n over the cuts.
func (r *ranking) set(f *Figures) {
	//mutation:auc-of-one-label
	f.RocAUC = Quotient(r.wins, 2*r.lowerNegatives*r.lowerPositives)
	f.AveragePrecision = Quotient(r.precision, r.lowerPositives)
}

// rank sets the areas of the last n examples of the ring.
func (s *Binary) rank(n int, f *Figures) {
	var scores [2][]float64 // by label; to sort numbers is quicker than to sort examples
	for i := max(0, s.filled-n); i < s.filled; i++ {
		at, label := s.place(i), 0
		if s.outcomes[at].positive() {
			label = 1
		}
		scores[label] = append(scores[label], s.scores[at])
	}
	negatives, positives := scores[0], scores[1]
	slices.Sort(negatives)
	slices.Sort(positives)
	r := ranking{negatives: float64(len(negatives)), positives: float64(len(positives))}
	for len(negatives)+len(positives) > 0 {
		var lowest float64
		switch {
		case len(negatives) == 0:
			lowest = positives[0]
		case len(positives) == 0:
			lowest = negatives[0]
		default:
			lowest = min(negatives[0], positives[0])
		}
		r.add(float64(equalFirst(&negatives, lowest)), float64(equalFirst(&positives, lowest)))
	}
	r.set(f)
}

// equalFirst removes the scores at the beginning that are equal to one, and returns how many they are.
func equalFirst(scores *[]float64, to float64) (n int) {
	for n < len(*scores) && (*scores)[n] == to {
		n++
	}
	*scores = (*scores)[n:]
	return n
}
