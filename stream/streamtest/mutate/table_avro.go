package main

// formats is what reads events by a schema.
var formats = []mutation{
	{"avro-branch", []edit{{mark: "avro-branch", op: never}}},
	{"avro-symbol", []edit{{mark: "avro-symbol", op: never}}},
	{"avro-length", []edit{{mark: "avro-length", op: never}}},
	{"avro-count", []edit{{mark: "avro-count", op: never}}},
	{"avro-negative-count", []edit{{mark: "avro-negative-count", op: never}}},
	{"avro-nothings", []edit{{mark: "avro-nothings", op: never}}},
	{"avro-plan-range", []edit{{mark: "avro-plan-range", op: never}}},
	{"avro-plan-null", []edit{{mark: "avro-plan-null", op: never}}},
	{"avro-key-twice", []edit{{mark: "avro-key-twice", op: never}, {mark: "avro-plain-key-twice", op: with,
		old: " || k.event == p.plan.event", code: ""}}},
	{"token-kept", []edit{{mark: "token-kept", op: never}}},
	{"json-form-of-a-body", []edit{{mark: "json-form-of-a-body", op: never}}},
	{"inspect-bytes", []edit{{mark: "inspect-bytes", op: never}}},
	{"schema-lacks-label", []edit{{mark: "schema-lacks-label", op: never}}},
	{"form-of-a-mistake", []edit{{mark: "form-of-a-mistake", op: never}}},
}
