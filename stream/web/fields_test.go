package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/profile"
)

// changedFields is the report of a stream of which one field is gone, and another one other than before.
func changedFields(t testing.TB) *profile.Report {
	t.Helper()
	p, err := profile.New(event.Defaults(event.JSON), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 * profile.Window {
		e := fmt.Sprintf(`{"label":1,"x":%d,"<b>":"w%d","gone":1}`, i%9, i%2)
		if i >= 2*profile.Window {
			e = fmt.Sprintf(`{"label":1,"x":%d,"<b>":"new%d"}`, 50+i%9, i%2)
		}
		p.Add(&event.Record{Value: []byte(e), Timestamp: 1764250000000 + int64(i)})
	}
	return p.Report()
}

func TestFields(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	want(t, ask(s, http.MethodGet, "/profile", ""), http.StatusNotFound)
	if body := ask(s, http.MethodGet, "/status", "").Body.String(); strings.Contains(body, `"fields":`) {
		t.Errorf("fields that are not profiled: %s", body)
	}
	task.status.Fields = changedFields(t)
	w := ask(s, http.MethodGet, "/profile", "")
	want(t, w, http.StatusOK)
	if ref, err := profile.ReadReference(w.Body); err != nil || len(ref.Fields) != 3 {
		t.Errorf("%+v, %v", ref, err)
	}
	var body struct {
		Fields  []profile.Brief
		Notices []string
	}
	if err := json.Unmarshal(ask(s, http.MethodGet, "/status", "").Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	if f := body.Fields; len(f) != 3 || f[0].Alert != profile.Shifted || *f[0].Shift.Before < 1 ||
		*f[1].NewWords < 0.9 || f[2].Alert != profile.Rarer || f[2].Present != 0 {
		t.Errorf("%+v", f)
	}
	notices := strings.Join(body.Notices, "\n")
	for _, want := range []string{
		`the field "x" changed between 2025-11-27T13:26:50Z and 2025-11-27T13:27:10Z: its values`,
		`the field "gone" changed between 2025-11-27T13:26:50Z and 2025-11-27T13:27:10Z: less than half`} {
		if !strings.Contains(notices, want) {
			t.Errorf("%s\nwant %s", notices, want)
		}
	}
	got := ask(s, http.MethodGet, "/metrics", "").Body.String()
	for _, want := range []string{"rosenblatt_fields_alerting 3\n",
		`rosenblatt_field_alerting{field="gone"} 1`, `rosenblatt_field_present_ratio{field="gone"} 0`,
		`rosenblatt_field_shift{against="before",field="x"} `, `rosenblatt_field_shift{against="reference",field="x"} `,
		`rosenblatt_field_new_words_ratio{field="<b>"} 1`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// TestWeightiestFields: metrics are of the fields with the largest weights.
func TestWeightiestFields(t *testing.T) {
	v := &view{Status: &newTask(t).status}
	v.Summary = &model.Summary{Weights: []model.ClassWeights{{Top: []learner.NamedWeight{{Name: "f70=a=b", Weight: -3},
		{Name: "f71[3]", Weight: 2}, {Name: "f72^q", Weight: 1}, {Name: "f73", Weight: 4}, {Name: "f74", Weight: 5}}}}}
	var all []profile.Brief
	for i := range 80 {
		all = append(all, profile.Brief{Name: fmt.Sprint("f", i)})
	}
	got := v.weightiest(all)
	if len(got) != maxFieldMetrics {
		t.Fatalf("%d fields", len(got))
	}
	for i, name := range []string{"f74", "f73", "f70", "f71", "f72", "f0"} {
		if got[i].Name != name {
			t.Errorf("field %d is %s, want %s", i, got[i].Name, name)
		}
	}
}
