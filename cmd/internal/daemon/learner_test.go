package daemon

import (
	"strings"
	"testing"

	"rosenblatt/learner"
)

func TestParseLearnerSaysWhatIsMeant(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		several bool
		want    string // how the error ends
	}{
		{"logistc", true, "did you mean logistic?"},
		{"logistc:rate=1", false, "did you mean logistic?"},
		{"perceptron:rat=0.5", false, "did you mean rate?"},
		{"perceptron:rate=0.5,thresold=1", false, "did you mean threshold?"},
		{"logistic:lr=0.5", true, "did you mean rate?"},
		{"logistic:l1=0.1,learning_rate=0.5", true, "did you mean rate?"},
		{"logistic:ll=0.5", true, "positive-weight or negative-weight"},
		{"pa1:lr=0.5", true, "want C, bias, positive-weight or negative-weight"},
		{"logistic,pa", true, `did you mean "logistic pa"? Spaces separate learners`},
		{"logistic,pa", false, "a model has one learner, replay compares several"},
		{"logistic pa", false, "a model has one learner, replay compares several"},
		{"perceptron:rate=0.5,threshold=1,pa1:C=1,arow", true,
			`did you mean "perceptron:rate=0.5,threshold=1 pa1:C=1 arow"? Spaces separate learners`},
		{"svm", true, "logistic, alma or dual"},
		{"perceptron:rate=2", true, "over 0 and up to 1"},
		{"pa1:C=1", true, ""},
	} {
		err := ParseLearner(c.text, &learner.Spec{}, c.several)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}
