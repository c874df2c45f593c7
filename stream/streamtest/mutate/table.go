package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// mutation is what is done to the code. What that takes out, and which test has to fail, is in the README.
type mutation struct {
	name  string
	edits []edit
}

var table = slices.Concat(checkpoints, limits, starts, protocol, laterLabels, brokers, membership, seen, following,
	learning, verdicts, tables, untrained, lateLabels, inputs, figures, decisions, drifts, schemas, formats, envelopes,
	messages, waits, challengers, fromVW)

// described is a row of the README.
type described struct {
	what string // is taken out
	pkg  string // whose test has to fail
	test string // as -run takes it
}

var rowOf = regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\| (.+) \\| `(\\S+) -run '(.+)'` \\|.*\\|$")

// readRows reads the table of the README: a row for each mutation, and none else.
func readRows(path string) (map[string]described, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rows := map[string]described{}
	for _, m := range rowOf.FindAllStringSubmatch(string(text), -1) {
		known := slices.ContainsFunc(table, func(x mutation) bool { return x.name == m[1] })
		if _, twice := rows[m[1]]; twice || !known {
			return nil, fmt.Errorf("%s: a second row of %s, or one without a mutation", path, m[1])
		}
		rows[m[1]] = described{m[2], m[3], strings.ReplaceAll(m[4], `\|`, "|")}
	}
	for _, m := range table {
		if rows[m.name].test == "" {
			return nil, fmt.Errorf("%s: no row of %s, as | `%[2]s` | WHAT IT TAKES OUT | `./PACKAGE -run 'TEST'` | |",
				path, m.name)
		}
	}
	return rows, nil
}
