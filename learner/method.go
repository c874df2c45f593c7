package learner

type view struct {
	x      []Feature // with scaled values
	score  float64   // as predict returned it
	norm   float64   // ‖(x, 1)‖², without a bias ‖x‖²
	label  float64   // -1 or 1
	weight float64   // over 0: the example's times its label's
}

// method is a learner's rule. A separator takes each example through predict, prepare and learn; only learn changes
// what affects other examples.
type method interface {
	predict(v *vector, x []Feature) (score, norm float64) // norm is ‖x‖²
	prepare(v *vector, e *view) (updated bool, err error) // err is ErrOverflow
	learn(v *vector, x []Feature, updated bool)           // what prepare was called with
	effective(v *vector, at int) (weight float64)         // at a slot, or of the bias at len(weights)
	start(v *vector, at int)                              // the weight at a slot, or the bias, has been set
	tables() []Column                                     // of fixed length, after the weights
	check(v *vector) error                                // refuses invalid loaded tables
	begin()                                               // as of no example: the tables are all 0
}

type probabilistic interface {
	probability(score float64) float64 // of label 1
}

// additive is common to the methods that use the vector's weights as they are.
type additive struct {
	factor float64 // of (x, 1), from prepare to learn
}

func (*additive) predict(v *vector, x []Feature) (score, norm float64) { return v.product(x) }

func (a *additive) setFactor(factor float64) { a.factor = factor }

func (a *additive) learn(v *vector, x []Feature, updated bool) {
	if updated {
		v.add(x, a.factor)
	}
}

func (*additive) effective(v *vector, at int) float64 { return v.at(at) }
func (*additive) start(*vector, int)                  {}
func (*additive) tables() []Column                    { return nil }
func (*additive) check(*vector) error                 { return nil }
func (*additive) begin()                              {}
