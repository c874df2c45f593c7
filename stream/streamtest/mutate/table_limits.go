package main

// limits is what bounds records and requests of others.
var limits = []mutation{
	{"fused-multiply-add", "products are rounded before they are added: they are fused", "./learner", "TestBits",
		[]edit{{mark: "rounded-product", op: replace, imports: "math",
			code: "score = math.FMA(weights[x[i].Slot], value, score)"}}},
	{"batch-crc", "the CRC of a record batch", "./stream/recordbatch", "TestEveryFlippedBitIsCorrupt",
		[]edit{{mark: "batch-crc", op: never}}},
	{"unpack-limit", "the limit on what a batch unpacks to", "./stream/recordbatch", "TestLimitOfUnpacking|TestBombs",
		[]edit{{mark: "unpack-limit", op: after, code: "limit += 1 << 30"}}},
	{"layout-runs", "the limit on the runs of a layout", "./stream/journal", "TestDamagedLayout",
		[]edit{{mark: "layout-runs", op: with, old: "MostRuns", code: "uint64(len(b)/3)"}}},
	{"layout-entries", "the limit on the entries of a layout's run", "./stream/journal", "TestDamagedLayout",
		[]edit{{mark: "layout-entries", op: with, old: "min(uint64(left), MostRunEntries)", code: "uint64(left)"}}},
	{"huge-body", "the limit on a request's body", "./stream/web", "TestHugeRequests|TestPredictTooLarge",
		[]edit{{mark: "huge-body", op: with, old: "int64(limit)", code: "int64(limit)<<10"}}},
	{"all-rejected", "a task that has rejected the last hundred events is not ready", "./stream/web",
		"TestReadyByRejections", []edit{{mark: "all-rejected", op: never}}},
	{"predictions-late", "a task whose predictions are not acknowledged for long is not ready", "./stream/web",
		"TestReadyByLatency", []edit{{mark: "predictions-late", op: never}}},
	{"slow-headers", "the time limits on a request", "./stream/web", "TestSlowClients",
		[]edit{{mark: "read-header-timeout", op: drop}, {mark: "read-timeout", op: drop}}},
	{"any-host", "the comparison of a request's Host with the server's names", "./stream/web", "TestHost",
		[]edit{{mark: "host", op: never}}},
	{"half-open", "a new connection takes the place of one without a complete header", "./stream/web",
		"TestHalfOpenConnections|TestPlaces", []edit{{mark: "evict", op: never}}},

	{"decoder-panics", "a panic in the decoder rejects its record", "./stream/event", "TestPanicIsInternal",
		[]edit{{mark: "decoder-panic", op: with, old: "recover()", code: "any(nil)"}}},
}
