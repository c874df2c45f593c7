package model

import "testing"

// TestInheritDual: a model goes on with other parameters, though its columns of kept examples are others.
func TestInheritDual(t *testing.T) {
	names := []string{"dual:budget=20", "dual:budget=20,predict=mean", "dual:budget=20,update=pa1,predict=mean"}
	for _, before := range names {
		for _, after := range names {
			from, to := newSavedModel(t, "", before, "none"), newSavedModel(t, "", after, "none")
			for range 50 {
				from.learn()
			}
			if err := to.proc.inheritModel(from.proc); err != nil {
				t.Fatalf("%s, then %s: %v", before, after, err)
			}
			if a, b := from.proc.Bias(Positive), to.proc.Bias(Positive); before == after && a != b {
				t.Errorf("%s: bias %v, then %v", before, a, b)
			}
			to.learn()
		}
	}
}
