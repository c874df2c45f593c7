package learner

// The parameters that learners take, beside those of every Spec. Each is a field of Spec.
var (
	paramRate = numberParameter("rate", span{most: 1, open: true}, 1, func(s *Spec) any { return &s.Rate },
		"factor of each step")
	paramThreshold = numberParameter("threshold", span{most: MaxValue}, 0, func(s *Spec) any { return &s.Threshold },
		"learn where label*score is at most this")
	paramUpdate = wordParameter("update", []string{UpdateThreshold, UpdateMistake}, func(s *Spec) any { return &s.Update },
		"learn by the threshold, or from wrong predictions only")
	paramDecay = numberParameter("decay", span{most: MaxValue}, 0, func(s *Spec) any { return &s.Decay },
		"the rate falls: rate/(1+decay*t) after t labelled examples")
	paramFadingDecay = numberParameter("decay", span{least: 0.5, most: 1 - 1e-12, unset: true}, 0, func(s *Spec) any { return &s.Decay },
		"the mean fades by this factor with each labelled example")
	paramWindow = numberParameter("window", span{least: 2, most: MaxWindow, whole: true, unset: true}, 0, func(s *Spec) any { return &s.Window },
		"the mean is over about this many labelled examples; default all")
	paramL1 = numberParameter("l1", span{most: MaxValue}, 0, func(s *Spec) any { return &s.L1 },
		"weights shrink toward 0 by this times the rate")
	paramL2 = numberParameter("l2", span{most: MaxValue}, 0, func(s *Spec) any { return &s.L2 },
		"weights shrink in proportion to themselves, by this times the rate")
	paramC = numberParameter("C", span{most: MaxValue, open: true}, 1, func(s *Spec) any { return &s.C },
		"aggressiveness: the larger, the larger a step may be")
	paramR = numberParameter("r", span{most: MaxValue, open: true}, 1, func(s *Spec) any { return &s.R },
		"the larger, the smaller the steps and the slower variances fall")
	paramFloor = numberParameter("floor", span{most: 1}, 0, func(s *Spec) any { return &s.Floor },
		"no variance falls below this")
	paramKernel = wordParameter("kernel", []string{KernelLinear, KernelPoly, KernelRBF}, func(s *Spec) any { return &s.Kernel },
		"x·z, (x·z+offset)^degree or exp(-gamma*‖x-z‖²)")
	paramDegree = numberParameter("degree", span{least: 1, most: MaxDegree, whole: true, unset: true}, 2, func(s *Spec) any { return &s.Degree },
		"of kernel=poly").dependently()
	paramOffset = numberParameter("offset", span{most: MaxValue}, 1, func(s *Spec) any { return &s.Offset },
		"of kernel=poly").dependently()
	paramGamma = numberParameter("gamma", span{most: MaxValue, open: true, unset: true}, 1, func(s *Spec) any { return &s.Gamma },
		"of kernel=rbf").dependently()
	paramBudget = numberParameter("budget", span{least: 1, most: MaxBudget, whole: true}, DefaultBudget, func(s *Spec) any { return &s.Budget },
		"how many examples are kept")

	paramPositiveWeight = numberParameter("positive-weight", span{most: MaxValue, open: true, unset: true}, 1,
		func(s *Spec) any { return &s.PositiveWeight }, "times the weight of examples labelled 1").dependently()
	paramNegativeWeight = numberParameter("negative-weight", span{most: MaxValue, open: true, unset: true}, 1,
		func(s *Spec) any { return &s.NegativeWeight }, "times the weight of examples labelled -1").dependently()
)
