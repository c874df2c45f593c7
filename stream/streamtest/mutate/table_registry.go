package main

// waits is what protects partitions that wait for schemas, and the state that schemas are.
var waits = []mutation{
	{"too-large-unasked", []edit{{mark: "too-large-unasked", op: never}}},
	{"schema-known-meanwhile", []edit{{mark: "schema-known-meanwhile", op: never}}},
	{"wait-holds-turn", []edit{{mark: "wait-holds-turn", op: never}}},
	{"wait-holds-passing", []edit{{mark: "wait-holds-passing", op: never}}},
	{"schemas-awaited", []edit{{mark: "schemas-awaited", op: drop}}},
	{"schema-of-an-entry", []edit{{mark: "schema-of-an-entry", op: drop}}},
	{"schemas-in-topic", []edit{{mark: "schemas-before-entries", op: drop}}},
	{"schema-of-a-recalled-event", []edit{{mark: "schema-of-a-recalled-event", op: replace, code: "_ = log"}}},
	{"unknown-as-given", []edit{{mark: "unknown-as-given", op: with, old: ", event.UnknownSchema", code: ""}}},
	{"text-of-a-place", []edit{{mark: "text-of-a-place", op: with,
		old: "at.Offset >= positions[at.Partition]", code: "true"}}},
	{"place-lowered", []edit{{mark: "place-lowered", op: never}}},
	{"topic-decides", []edit{{mark: "topic-decides", op: never}}},
	{"replaced-schemas", []edit{{mark: "replaced-schemas", op: never}}},
	{"compared-at-a-start", []edit{{mark: "compared-at-a-start", op: replace, code: "var all []schema.Entry"}}},
	{"doubted-schema", []edit{{mark: "doubted-schema", op: drop}}},
	{"same-schema", []edit{{mark: "same-schema", op: never}}},
	{"schema-gives-nothing-up", []edit{{mark: "schema-gives-nothing-up", op: replace, code: "return all"}}},
	{"schema-warning", []edit{{mark: "schema-warning", op: never}}},
	{"exported-schemas", []edit{{mark: "exported-schemas", op: never}}},
	{"predict-asks", []edit{{mark: "predict-asks", op: replace,
		code: "var found *schema.Schema\nerr := ctx.Err()"}}},
	{"predict-registry", []edit{{mark: "predict-registry", op: never}}},
	{"registry-unready", []edit{{mark: "registry-unready", op: always}}},
}
