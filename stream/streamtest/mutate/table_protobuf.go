package main

// messages is what reads events of Protocol Buffers.
var messages = []mutation{
	{"protobuf-index", []edit{{mark: "protobuf-index", op: never}}},
	{"protobuf-index-of-map", []edit{{mark: "protobuf-index-of-map", op: never}}},
	{"protobuf-json-name", []edit{{mark: "protobuf-json-name", op: never}}},
	{"protobuf-varint", []edit{{mark: "protobuf-varint", op: never}}},
	{"protobuf-length", []edit{{mark: "protobuf-length", op: never}}},
	{"protobuf-fixed", []edit{{mark: "protobuf-fixed", op: never}}},
	{"protobuf-levels", []edit{{mark: "protobuf-levels", op: never}}},
	{"protobuf-deep-counts", []edit{{mark: "protobuf-deep-counts", op: with, old: "!p.isDeep(p.event())",
		code: "false"}}},
	{"protobuf-ignored-text", []edit{{mark: "protobuf-ignored-text", op: never}}},
	{"protobuf-oneof", []edit{{mark: "protobuf-oneof", op: never}}},
	{"protobuf-merge", []edit{{mark: "protobuf-merge", op: always}}},
	{"protobuf-defaults", []edit{{mark: "protobuf-defaults", op: with, old: " && !d.defaults", code: ""}}},
	{"protobuf-presence", []edit{{mark: "protobuf-presence", op: never}}},
	{"protobuf-empty-string", []edit{{mark: "protobuf-empty-string", op: never}}},
	{"protobuf-entry-absent", []edit{{mark: "protobuf-entry-absent", op: always}}},
	{"protobuf-plan-range", []edit{{mark: "protobuf-plan-range", op: never}}},
	{"protobuf-plan-names", []edit{{mark: "protobuf-plan-names", op: never}}},
	{"protobuf-key-twice", []edit{{mark: "protobuf-key-twice", op: never}}},
	{"protobuf-far-tag", []edit{{mark: "protobuf-far-tag", op: never}}},
	{"protobuf-packed-tag", []edit{{mark: "protobuf-packed-tag", op: with,
		old: "tag == s.tag&^7|uint64(protobuf.Sized)", code: "tag&^7 == s.tag&^7 && tag != s.tag"}}},
	{"protobuf-known-field", []edit{{mark: "protobuf-known-field", op: never}}},
}
