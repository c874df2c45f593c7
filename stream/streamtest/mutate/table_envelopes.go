package main

// envelopes is what finds events in envelopes.
var envelopes = []mutation{
	{"envelope-borrowed", []edit{{mark: "envelope-borrowed", op: never}}},
	{"envelope-id", []edit{{mark: "envelope-id", op: with, old: "e.ID == nil && !d.records.field",
		code: "e.ID == nil"}}},
	{"offset-in-envelope", []edit{{mark: "offset-in-envelope", op: drop}}},
	{"envelope-batch", []edit{{mark: "envelope-batch", op: never}}},
	{"envelope-content-type", []edit{{mark: "envelope-content-type", op: with, old: "!structured && ", code: ""}}},
	{"envelope-unseen", []edit{{mark: "envelope-unseen", op: never}}},
	{"envelope-no-data", []edit{{mark: "envelope-no-data", op: never}}},
	{"envelope-base64", []edit{{mark: "envelope-base64", op: never}}},
	{"envelope-no-after", []edit{{mark: "envelope-no-after", op: never}}},
	{"envelope-deleted", []edit{{mark: "envelope-deleted", op: replace, code: "case \"-\":"}}},
	{"schema-part-again", []edit{{mark: "schema-part-again", op: with, old: "!bytes.Equal(text, z.outer.known)",
		code: "z.types == nil || bytes.Equal(text, nil)"}}},
	{"schema-part-known", []edit{{mark: "schema-part-known", op: with, old: "bytes.HasPrefix(o.value[i:], o.known)",
		code: "len(o.value)-i > len(o.known)"}}},
	{"envelope-unavailable", []edit{{mark: "envelope-unavailable", op: with, old: "bytes.Equal(text, unavailable)",
		code: "len(text) < 0"}}},
	{"decimal-base64", []edit{{mark: "decimal-base64", op: never}}},
	{"clock-single-pass", []edit{{mark: "clock-single-pass", op: with, old: " || len(z.clocks) > 0", code: ""}}},
	{"envelope-asked", []edit{{mark: "envelope-asked", op: never}}},
	{"cloud-event-of-a-body", []edit{{mark: "cloud-event-of-a-body", op: never}}},
	{"base64-surveyed", []edit{{mark: "base64-surveyed", op: never}}},
}
