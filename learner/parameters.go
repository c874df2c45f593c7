package learner

var (
	positive    = span{most: MaxValue, open: true}
	nonNegative = span{most: MaxValue}
)

// The parameters of learners: fields of Spec.
var (
	paramRate = numberParameter("rate", "factor of each step",
		span{most: 1, open: true}, 1, func(s *Spec) any { return &s.Rate })
	paramThreshold = numberParameter("threshold", "learn where label*score is at most this",
		nonNegative, 0, func(s *Spec) any { return &s.Threshold })
	paramUpdate = wordParameter("update", "learn by the threshold, or from wrong predictions only",
		[]string{UpdateThreshold, UpdateMistake}, func(s *Spec) any { return &s.Update })
	paramDualUpdate = wordParameter("update", "learn by the threshold, from wrong predictions only, or as pa1 does",
		[]string{UpdateThreshold, UpdateMistake, UpdatePA1}, func(s *Spec) any { return &s.Update })
	paramDualC = numberParameter("C", "of update=pa1: the larger, the larger a step may be",
		span{most: MaxValue, open: true, unset: true}, 1, func(s *Spec) any { return &s.C }).dependently()
	paramPredict = wordParameter("predict", "by the weights as they are last, or by their mean",
		[]string{PredictLast, PredictMean}, func(s *Spec) any { return &s.Predict })
	paramDecay = numberParameter("decay", "the rate falls to rate/(1+decay*t) after t labelled examples",
		nonNegative, 0, func(s *Spec) any { return &s.Decay })
	paramMeanDecay = numberParameter("decay", "old weights fade in the mean by this factor with each labelled example",
		span{least: 0.5, most: 1 - 1e-12, unset: true}, 0, func(s *Spec) any { return &s.Decay })
	paramMeanWindow = numberParameter("window", "the mean is over about this many labelled examples (default: all)",
		span{least: 2, most: MaxWindow, whole: true, unset: true}, 0, func(s *Spec) any { return &s.Window })
	paramSchedule = wordParameter("schedule", "a rate for each weight by its gradients, or one for all",
		[]string{ScheduleAdaGrad, ScheduleConstant}, func(s *Spec) any { return &s.Schedule })
	paramWindow = numberParameter("window", "of schedule=adagrad: past gradients fade as errors add up to it; 0: never",
		span{least: 2, most: MaxWindow, whole: true, zero: true}, 300,
		func(s *Spec) any { return &s.Window }).dependently()
	paramL1 = numberParameter("l1", "weights shrink toward 0 at this speed",
		nonNegative, 0, func(s *Spec) any { return &s.L1 })
	paramL2 = numberParameter("l2", "weights shrink in proportion to themselves at this speed",
		nonNegative, 0, func(s *Spec) any { return &s.L2 })
	paramC = numberParameter("C", "aggressiveness: the larger, the larger a step may be",
		positive, 1, func(s *Spec) any { return &s.C })
	paramAlpha = numberParameter("alpha", "the closer to 0, the larger the margins that it learns from",
		span{most: 1, open: true}, 0.9, func(s *Spec) any { return &s.Alpha })
	paramB = numberParameter("B", "the larger, the larger the margins that it learns from",
		positive, 1/0.9, func(s *Spec) any { return &s.B })
	paramR = numberParameter("r", "the larger, the smaller each step and the slower variances fall",
		positive, 1, func(s *Spec) any { return &s.R })
	paramFloor = numberParameter("floor", "no variance falls below it",
		span{most: 1}, 0, func(s *Spec) any { return &s.Floor })
	paramKernel = wordParameter("kernel", "x·z, (x·z+offset)^degree or exp(-gamma·‖x-z‖²)",
		[]string{KernelLinear, KernelPoly, KernelRBF}, func(s *Spec) any { return &s.Kernel })
	paramDegree = numberParameter("degree", "of kernel=poly",
		span{least: 1, most: MaxDegree, whole: true, unset: true}, 2,
		func(s *Spec) any { return &s.Degree }).dependently()
	paramOffset = numberParameter("offset", "of kernel=poly",
		nonNegative, 1, func(s *Spec) any { return &s.Offset }).dependently()
	paramGamma = numberParameter("gamma", "of kernel=rbf",
		span{most: MaxValue, open: true, unset: true}, 1, func(s *Spec) any { return &s.Gamma }).dependently()
	paramBudget = numberParameter("budget", "how many examples are kept",
		span{least: 1, most: MaxBudget, whole: true}, DefaultBudget, func(s *Spec) any { return &s.Budget })

	paramBias = wordParameter("bias", "the value of a feature that every example has; 0: scores are w·x",
		[]string{BiasOn, BiasOff}, func(s *Spec) any { return &s.Bias }).dependently()
	paramPositiveWeight = numberParameter("positive-weight", "multiplies the weights of examples labelled 1",
		span{most: MaxValue, open: true, unset: true}, 1, func(s *Spec) any { return &s.PositiveWeight }).dependently()
	paramNegativeWeight = numberParameter("negative-weight", "multiplies the weights of examples labelled -1",
		span{most: MaxValue, open: true, unset: true}, 1, func(s *Spec) any { return &s.NegativeWeight }).dependently()
)
