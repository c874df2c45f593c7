package main

// schemas is what protects what a schema registry says.
var schemas = []mutation{
	{"strange-404",
		[]edit{{mark: "strange-404", op: with, old: "object && slices.Contains(codes, body.Code)",
			code: "(object || slices.Contains(codes, body.Code) || true)"}}},
	{"registry-schema",
		[]edit{{mark: "registry-schema", op: replace, code: "if r.Schema == nil {\nr.Schema = new(string)\n}"}}},
	{"registry-redirect", []edit{{mark: "registry-redirect", op: drop}}},
	{"unknown-confirmed", []edit{{mark: "unknown-confirmed", op: never}}},
	{"unknown-remembered", []edit{{mark: "unknown-remembered", op: never}}},
	{"asked-once", []edit{{mark: "asked-once", op: with, old: "c.calls[id]", code: "(*call)(nil)"}}},
	{"registry-levels", []edit{{mark: "registry-levels", op: never}}},
	{"registry-references", []edit{{mark: "registry-references", op: never}}},
	{"registry-bytes", []edit{{mark: "registry-bytes", op: never}}},
	{"max-schemas", []edit{{mark: "max-schemas", op: never}}},
	{"schema-saved-first",
		[]edit{{mark: "schema-saved-first", op: replace,
			code: "if save != nil {\ndefer func() { _ = save(next.added) }()\n}"}}},
	{"schema-sum", []edit{{mark: "schema-sum", op: never}}},
	{"torn-schema", []edit{{mark: "torn-schema", op: never}}},
}
