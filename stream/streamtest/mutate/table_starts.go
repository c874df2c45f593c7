package main

// starts is what a start and a running task compare.
var starts = []mutation{
	{"config-differs", []edit{{mark: "config-differs", op: always}}},
	{"parameters-not-given", []edit{{mark: "parameters-not-given", op: never}}},
	{"topic-id", []edit{{mark: "topic-id", op: never}}},
	{"input-gone", []edit{{mark: "input-gone", op: never}}},
	{"replaced-at-a-start", []edit{{mark: "epochs-at-a-start", op: replace, code: "_ = ends"}}},
	{"replaced-learned", []edit{{mark: "truncated-learned", op: replace, code: "return p.Replaced"}}},
	{"replaced-while-live", []edit{{mark: "read-before", op: never}}},
	{"other-leader", []edit{{mark: "other-leader", op: never}}},
	{"end-not-reached", []edit{{mark: "end-was-reached", op: always}}},
	{"replaced-not-audited", []edit{{mark: "verify-replaced", op: never}}},
	{"journal-tail-gone", []edit{{mark: "ends-held", op: always}}},
	{"output-unfit", []edit{{mark: "output-unfit", op: never}}},
	{"dead-letters-unfit", []edit{{mark: "dead-letters-unfit", op: never}}},
	{"prepared-once", []edit{{mark: "prepared-again", op: always}}},
	{"deleted-not-seen", []edit{{mark: "deleted-while-running", op: never}}},
	{"recreated-not-seen", []edit{{mark: "recreated-while-running", op: replace, code: "_ = stops.Recreated"}}},
	{"start-unrehearsed", []edit{{mark: "rehearsed", op: always}}},
	{"created-before-tasks", []edit{{mark: "looked-at-first", op: always}}},
	{"planned-is-missing", []edit{{mark: "planned-untold", op: with, old: "ErrUntold", code: "error(nil)"}}},
	{"no-folder-lock",
		[]edit{{mark: "folder-lock", op: with, old: "t.Store.Lock()", code: "func() error {return nil }, error(nil)"}}},
}
