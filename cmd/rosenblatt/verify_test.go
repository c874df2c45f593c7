package main

import (
	"fmt"
	"testing"

	"rosenblatt/cmd/internal/audit"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/verify"
)

// TestVerifyClean: topics with crashes behind them are in order, by checkpoint, by flags, from halfway, as they are and
// copied.
func TestVerifyClean(t *testing.T) {
	t.Parallel()
	for name, classes := range map[string]bool{"binary": false, "multiclass": true} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, classes)
			for _, from := range h.from() {
				h.clean(t, from...)
				out, dead := h.copyNames()
				h.clean(t, append(from, h.damaged(t, out, dead, h.predictions, h.deadLetters)...)...)
			}
			flags := []string{"--bits", "12"}
			if classes {
				flags = append(flags, "--task", "multiclass", "--multiclass", "ova", "--scores", "--max-classes", "3")
			}
			h.clean(t, flags...)
			h.clean(t, append(flags, "--start", "latest")...)
			text := call(t, "", "verify", "--brokers", h.Cluster.Brokers[0], "--input", h.Name, "--state", h.Dir)
			text.want(t, cli.ExitDone, fmt.Sprintf("\nverified: %d predictions (seq 1 to %d), ",
				len(h.outcome.Predictions), len(h.outcome.Predictions)), "")
			text.want(t, cli.ExitDone,
				": 0 differs, 0 duplicate, 0 hole, 0 order, 0 no-input, "+
					"0 no-prediction, 0 no-dead-letter, 0 foreign in ", "")
			_, wrong := h.verify(t, append(flags, "--learner", "pa1", "--state", h.Dir)...)
			wrong.want(t, cli.ExitUsage, "", `learner is "perceptron" there, "pa1" here`)
		})
	}
}

// TestVerifyFindsDamage: each damage is found and named, and nothing else is.
func TestVerifyFindsDamage(t *testing.T) {
	t.Parallel()
	if testing.Short() || streamtest.Real() {
		t.Skip("copies topics by the dozen: not with -short, and on kfake only")
	}
	for name, classes := range map[string]bool{"binary": false, "multiclass": true} {
		h := newHistory(t, classes)
		for _, d := range damages() {
			s := h.copied()
			want := d.do(s)
			out, dead := h.copyNames()
			t.Run(name+"/"+d.name, func(t *testing.T) {
				t.Parallel()
				topics := h.damaged(t, out, dead, s.predictions, s.deadLetters)
				for from, flags := range h.from() {
					v, got := h.verify(t, append(flags, topics...)...)
					if got.code != cli.ExitFailed || v.OK {
						t.Errorf("from %s: exit %d", from, got.code)
					}
					checkFindings(t, v, want, "from "+from+": "+got.stdout)
				}
			})
		}
	}
}

func checkFindings(t *testing.T, v audit.Report, want []verify.Finding, text string) {
	t.Helper()
	counts := map[verify.Kind]int64{}
	for i, w := range want {
		counts[w.Kind]++
		if i >= len(v.Findings) {
			break
		}
		f := v.Findings[i]
		if f.Kind != w.Kind || f.Seq != w.Seq || !samePlace(f.Output, w.Output, w.Kind == verify.Hole) ||
			!samePlace(f.Input, w.Input, false) || !samePlace(f.DeadLetter, w.DeadLetter, false) {
			t.Errorf("found %+v, want %+v\n%s", f, w, text)
		}
		if len(f.Fields) != len(w.Fields) {
			t.Errorf("fields %+v, want %+v", f.Fields, w.Fields)
			continue
		}
		for j, x := range w.Fields {
			g := f.Fields[j]
			if g.Name != x.Name || x.Published != "" && g.Published != x.Published || x.Computed != "" &&
				g.Computed != x.Computed {
				t.Errorf("field %+v, want %+v", g, x)
			}
		}
	}
	if len(v.Findings) != len(want) {
		t.Errorf("%d findings, want %d:\n%s", len(v.Findings), len(want), text)
	}
	for _, k := range verify.Kinds() {
		if v.Counts[k] != counts[k] {
			t.Errorf("%d of kind %s, want %d", v.Counts[k], k, counts[k])
		}
	}
}

// samePlace compares but for the topics' names.
func samePlace(x, y *verify.Place, any bool) bool {
	if x == nil || y == nil {
		return any || x == y
	}
	return x.Partition == y.Partition && x.Offset == y.Offset
}
