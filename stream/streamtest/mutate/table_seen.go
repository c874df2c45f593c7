package main

// seen is about what people are told of who predicts.
var seen = []mutation{
	{"counted-as-warm", []edit{{mark: "counted-as-warm", op: never}}},
	{"lost-and-own", []edit{{mark: "lost-and-own", op: never}}},
	{"handed-anew", []edit{{mark: "handed-anew", op: never}}},
	{"nobody-had-it", []edit{{mark: "nobody-had-it", op: with, old: `m.handed[task].before == ""`, code: "true"}}},
	{"group-since-told", []edit{{mark: "group-since-told", op: drop}}},
	{"takes-over-in-fact",
		[]edit{{mark: "takes-over-in-fact", op: with, old: "b.shared.taking.Load() && ", code: ""}}},
	{"markers-end-it", []edit{{mark: "markers-end-it", op: with, old: "learned ||", code: "look.Written ||"}}},
	{"passed-ends-it",
		[]edit{{mark: "passed-ends-it", op: with, old: "over || !q.Since", code: "over || false && !q.Since"}}},
	{"quiet-told-again", []edit{{mark: "quiet-told-again", op: never}}},
	{"silence-as-cause",
		[]edit{{mark: "silence-as-cause", op: with, old: "silent >= board.SilentAfter", code: "false"}}},
	{"first-start-missed-nothing",
		[]edit{{mark: "first-start-missed-nothing", op: with, old: " && st.Seq > 0", code: ""}}},
	{"ends-and-takes-over",
		[]edit{{mark: "ends-and-takes-over", op: with, old: "v.State == board.Stopping", code: "false"}}},
	{"seen-to-predict", []edit{{mark: "seen-to-predict", op: with, old: "&& v.Writer.At.After(x.Given)", code: ""}}},
	{"idle-sees-nothing", []edit{{mark: "idle-sees-nothing", op: with, old: "v.State == board.Idle", code: "false"}}},
	{"to-take-over", []edit{{mark: "to-take-over", op: with, old: "x.Given.After(s.Since)", code: "false"}}},
	{"follower-predicts", []edit{{mark: "follower-predicts", op: never}}},
	{"follower-has-a-pace",
		[]edit{{mark: "follower-has-a-pace", op: with, old: " || st.State == board.Following", code: ""}}},
	{"reload-told", []edit{{mark: "reload-told", op: never}}},
}
