package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/profile"
)

// TestReplayProfile: the profile of a file says what its fields hold, and from which event on one of them holds
// something else. Its first events are a reference for other streams.
func TestReplayProfile(t *testing.T) {
	t.Parallel()
	var events strings.Builder
	events.WriteString("heat,place,label\n")
	for i := range 4 * profile.Window {
		heat := 10 + float64(i*7919%100)/10
		if i >= 3*profile.Window {
			heat = heat*1.8 + 32
		}
		fmt.Fprintf(&events, "%.1f,p%d,%d\n", heat, i%3, i%2)
	}
	file, out := write(t, "e.csv", events.String()), filepath.Join(t.TempDir(), "p.json")
	page := filepath.Join(t.TempDir(), "r.html")
	call(t, "", "replay", file, "--profile", out, "--report", page).want(t, cli.ExitDone, "perceptron",
		`events 30001 to 40000: the field "heat": its values are not distributed as before: a shift of`)
	text := read(t, out)
	var r profile.Report
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	heat := r.Fields[0]
	if r.Events != 4*profile.Window || len(r.Fields) != 2 || heat.Now.Mean < 50 || heat.Reference.Mean > 20 ||
		heat.Before.Events != 3*profile.Window || heat.Alert != profile.Shifted || len(r.Changes) != 1 {
		t.Errorf("%s", text)
	}
	for _, want := range []string{"<li>events 30,001 to 40,000: heat: its values are not distributed as before",
		`<th scope="row">heat</th><td>shifted</td><td>100.00 %</td>`, `<th scope="row">place</th><td></td>`} {
		if !strings.Contains(read(t, page), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if ref, err := profile.ReadReference(strings.NewReader(text)); err != nil || len(ref.Fields) != 2 {
		t.Errorf("%+v, %v", ref, err)
	}
	few := write(t, "few.jsonl", strings.Repeat(someEvents, 20))
	result := call(t, "", "replay", few, "--profile", "-")
	result.want(t, cli.ExitDone, "", "nothing was compared")
	if err := json.Unmarshal(bytes.TrimSpace([]byte(result.stdout)), &r); err != nil || r.Fields[0].Reference == nil {
		t.Errorf("%v: %s", err, result.stdout)
	}
	call(t, "", "replay", few, "--profile", few).want(t, cli.ExitUsage, "", "profile")
}
