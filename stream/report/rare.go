package report

import "fmt"

// rare is metrics.Figures.Rare of the best learner.
func (r *Report) rare() (share float64, positive, rare bool) {
	if r.Macro || len(r.Learners) == 0 {
		return 0, false, false
	}
	return r.Learners[0].Rare()
}

// rareNote says why the table is another one.
func (r *Report) rareNote() string {
	share, positive, rare := r.rare()
	if !rare {
		return ""
	}
	name := r.Labels[1]
	if !positive {
		name = r.Labels[0]
	}
	text := fmt.Sprintf("label %s is %.3g %% of the examples: precision, recall and average precision (AP) are shown"+
		" in place of kappas; by chance AP is %.4f\n", name, 100*share, r.Learners[0].Positives.Value())
	if !positive {
		text += fmt.Sprintf("they are of label %s, the positive one, which is not rare: --label-names %s,%s makes %s"+
			" the positive label\n", r.Labels[1], r.Labels[1], r.Labels[0], r.Labels[0])
	}
	return text
}
