package main

import "slices"

type mutation struct {
	name  string
	what  string // is taken out
	pkg   string // whose test has to fail
	test  string // as -run takes it
	edits []edit
}

var table = slices.Concat(checkpoints, limits, starts, protocol, laterLabels, brokers, membership, following, learning,
	verdicts, tables, untrained, lateLabels, inputs, figures, decisions, schemas)
