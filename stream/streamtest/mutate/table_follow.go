package main

// following is about what a follower passes without an entry, and about epochs without one.
var following = []mutation{
	{"follower-stands-still", "a follower's positions pass what has no entry, as markers and skipped tombstones",
		"./stream", "TestFollowWhatHasNoEntry", []edit{{mark: "follower-reads-on", op: always}}},
	{"labels-stand-still", "a follower's positions in the labels are raised to those of a manifest", "./stream",
		"TestFollowRepeats", []edit{{mark: "follower-raises-labels", op: with, old: "at)", code: "min(at, 0))"}}},
	{"labels-judged-again", "a takeover judges no label again that the writer has passed", "./stream",
		"TestTakeoverJudgesNoLabelAgain", []edit{{mark: "follower-raises-labels", op: with, old: "at)",
			code: "min(at, 0))"}}},
	{"follower-label-time", "a follower's label time is raised to that of a manifest", "./stream",
		"TestTakeoverHasLabelTime", []edit{{mark: "follower-raises-label-time", op: drop}}},
}
