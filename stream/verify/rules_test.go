package verify_test

import (
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/streamtest"
)

// TestNullFeatures: what was published under either rule for null features is audited by that rule.
func TestNullFeatures(t *testing.T) {
	for _, rule := range []bool{true, false} {
		s := streamtest.New(t, streamtest.Start(t), 1)
		decode := &s.Config.ModelConfig.Decode
		decode.FeaturesField, decode.Tombstones, decode.NullFeatures = "payload.after", event.SkipTombstones, rule
		s.Cluster.Produce(t, s.Name, 0, `{"label":1,"payload":{"after":{"x":1}}}`, `{"payload":{"after":null}}`,
			`{"label":0,"payload":{"after":{"x":2}}}`)
		s.MustRun(t)
		if r := audit(t, s, s.Client(t)); !r.OK() || r.Predictions != 2 {
			t.Errorf("%t: %+v, findings %+v", rule, r, r.Findings)
		}
		decode.NullFeatures = !rule
		if r := audit(t, s, s.Client(t)); r.OK() == rule { // dead letters are taken as given, their absence is not
			t.Errorf("%t, audited by the other rule: %+v, findings %+v", rule, r, r.Findings)
		}
	}
}
