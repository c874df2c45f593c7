package learner

import (
	"math"
	"slices"
)

// LearnerInfo describes a learner.
type LearnerInfo struct {
	Name        string          // of Spec.Learner
	Help        string          // one line
	Parameters  []ParameterInfo // in Spec.String's order
	Probability bool            // see Model.Probability
	Direct      bool            // it has a rule for MultiSpec.Scheme Direct
	Kernel      bool            // it keeps examples instead of weights: Model.Keep, not Model.SetWeight
}

type definition struct {
	LearnerInfo
	parameters []*parameter
	method     func(s Spec, slots int) method
}

// learners is the table of learners. Parsing, defaults, validation and help read it.
var learners = []*definition{
	{
		LearnerInfo: LearnerInfo{Name: Perceptron, Help: "Rosenblatt's perceptron", Direct: true},
		parameters:  takes(paramRate, paramThreshold, paramUpdate, paramDecay, paramL1, paramL2),
		method:      newPerceptron,
	}, {
		LearnerInfo: LearnerInfo{Name: Averaged, Help: "the mean of a perceptron's weights", Direct: true},
		parameters:  takes(paramRate, paramThreshold, paramUpdate, paramMeanWindow, paramMeanDecay),
		method:      newAveraged,
	}, {
		LearnerInfo: LearnerInfo{Name: PA, Help: "passive-aggressive", Direct: true},
		parameters:  takes(),
		method:      newPassive,
	}, {
		LearnerInfo: LearnerInfo{Name: PA1, Help: "passive-aggressive, its step bounded by C", Direct: true},
		parameters:  takes(paramC),
		method:      newPassive,
	}, {
		LearnerInfo: LearnerInfo{Name: PA2, Help: "passive-aggressive, its step damped by C", Direct: true},
		parameters:  takes(paramC),
		method:      newPassive,
	}, {
		LearnerInfo: LearnerInfo{Name: AROW, Help: "adaptive regularization, a variance for each weight"},
		parameters:  takes(paramR, paramFloor),
		method:      newArow,
	}, {
		LearnerInfo: LearnerInfo{Name: Logistic, Help: "logistic regression, a rate for each weight or for all",
			Probability: true},
		parameters: takes(paramRate.withDefault(0.5), paramSchedule, paramWindow, paramDecay, paramL1, paramL2),
		method:     newLogistic,
	}, {
		LearnerInfo: LearnerInfo{Name: ALMA, Help: "approximate large margins, a separator of norm 1"},
		parameters:  takes(paramAlpha, paramB, paramC.withDefault(math.Sqrt2)),
		method:      newAlma,
	}, {
		LearnerInfo: LearnerInfo{Name: Dual, Help: "kernel perceptron: counts of kept examples", Kernel: true},
		parameters: takes(paramRate, paramThreshold, paramDualUpdate, paramDualC, paramPredict, paramKernel,
			paramDegree, paramOffset, paramGamma, paramBudget),
		method: newDual,
	},
}

// takes lists what a learner takes: parameters of its own, then those of every learner.
func takes(own ...*parameter) []*parameter {
	return append(own, paramBias, paramPositiveWeight, paramNegativeWeight)
}

// Learners describes all learners, in the order of the table.
func Learners() []LearnerInfo {
	infos := make([]LearnerInfo, len(learners))
	for i := range learners {
		infos[i] = learners[i].LearnerInfo
		for _, p := range learners[i].parameters {
			infos[i].Parameters = append(infos[i].Parameters, p.ParameterInfo)
		}
	}
	return infos
}

// definitionOf returns nil for an unknown learner.
func definitionOf(name string) *definition {
	at := slices.IndexFunc(learners, func(d *definition) bool { return d.Name == name })
	if at < 0 {
		return nil
	}
	return learners[at]
}

// parameter returns nil for one that the learner does not take.
func (d *definition) parameter(key string) *parameter {
	at := slices.IndexFunc(d.parameters, func(p *parameter) bool { return p.Key == key })
	if at < 0 {
		return nil
	}
	return d.parameters[at]
}

// keys lists the learner's parameters as a sentence.
func (d *definition) keys(last string) string {
	keys := make([]string, len(d.parameters))
	for i, p := range d.parameters {
		keys[i] = p.Key
	}
	return list(keys, last)
}

// namesOf lists the learners that have a property as a sentence.
func namesOf(last string, has func(*definition) bool) string {
	var names []string
	for _, d := range learners {
		if has(d) {
			names = append(names, d.Name)
		}
	}
	return list(names, last)
}

func learnerNames() string { return namesOf("or", func(*definition) bool { return true }) }
