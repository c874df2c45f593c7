package main

// following is about what a follower passes without an entry, and about epochs without one.
var following = []mutation{
	{"follower-stands-still", []edit{{mark: "follower-reads-on", op: always}}},
	{"topic-unread-untold", []edit{{mark: "topic-unread", op: never}}},
	{"unread-and-ready", []edit{{mark: "unread-unready", op: never}}},
	{"labels-stand-still", []edit{{mark: "follower-raises-labels", op: with, old: "at)", code: "min(at, 0))"}}},
	{"labels-judged-again", []edit{{mark: "follower-raises-labels", op: with, old: "at)", code: "min(at, 0))"}}},
	{"takeover-labels-as-looked", []edit{{mark: "takeover-raises-labels", op: never}}},
	{"follower-label-time", []edit{{mark: "follower-raises-label-time", op: drop}}},
	{"labels-not-passed", []edit{{mark: "labels-passed", op: drop}}},
	{"labels-read-from-below", []edit{{mark: "reader-advances", op: drop}}},
	{"letters-dropped", []edit{{mark: "dropped-counted", op: drop}}},
	{"manifest-ahead", []edit{{mark: "manifest-of-own-epoch", op: with, old: " || m.Seq > st.Seq", code: ""}}},
	{"manifest-of-any-epoch",
		[]edit{{mark: "manifest-of-own-epoch", op: with, old: " || m.Epoch != epoch", code: ""}}},
	{"starts-not-compared", []edit{{mark: "starts-compared", op: never}}},
	{"folder-of-equal-seq", []edit{{mark: "later-positions", op: replace, code: "return m.Epoch > in.Epoch"}}},
	{"epoch-of-folders", []edit{{mark: "epoch-of-folder", op: drop}}},
	{"stale-on-the-way-out", []edit{{mark: "stop-before-first-entry", op: never}}},
	{"epoch-of-letters", []edit{{mark: "epoch-of-dead-letters", op: drop}}},
	{"epoch-of-manifests", []edit{{mark: "epoch-of-manifest", op: drop}}},
	{"letters-of-a-new-writer", []edit{{mark: "new-dead-letter", op: never}}},
	{"manifest-of-a-new-writer", []edit{{mark: "new-manifest", op: always}}},
	{"not-restored", []edit{{mark: "not-restored", op: never}}},
	{"behind-the-topic", []edit{{mark: "behind-the-topic", op: never}}},
	{"needed-behind-the-topic", []edit{{mark: "needed-behind-the-topic", op: never}}},
}
