package daemon

import (
	"encoding/json"
	"testing"
)

// TestFingerprint: each shared setting is in it, and names next to each other do not run together.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for i, change := range []func(r *Resolved){
		func(*Resolved) {},
		func(r *Resolved) { r.Settings.Labels, r.Settings.Outcomes = "xy", "" },
		func(r *Resolved) { r.Settings.Labels, r.Settings.Outcomes = "x", "y" },
		func(r *Resolved) { r.Settings.Start = "latest" },
		func(r *Resolved) { r.Settings.FromModel = "model" },
		func(r *Resolved) { _ = json.Unmarshal([]byte(`{"a":1}`), &r.Task.Weights) },
	} {
		r := &Resolved{Settings: Defaults()}
		change(r)
		f, err := r.fingerprint()
		if err != nil {
			t.Fatal(err)
		}
		if before, there := seen[f]; there {
			t.Errorf("change %d has the fingerprint of %d", i, before)
		}
		seen[f] = i
	}
}
