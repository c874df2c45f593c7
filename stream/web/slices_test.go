package web

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
)

// sliceRows are n values of a field, the i-th with i mistakes of 100 examples.
func sliceRows(n int) (rows []metrics.SliceRow) {
	s := metrics.NewSlices([]string{"<b>shop"})
	for i := range n {
		for j := range 100 {
			prediction := int8(1)
			if j < i {
				prediction = -1
			}
			s.Add(metrics.SliceCodes{s.Code(0, fmt.Appendf(nil, "s%d", i), false, false)}, prediction, 1)
		}
	}
	return s.Rows()
}

// TestSlicesAreShown: /status has them in the order in which they were seen, the page those with most mistakes first,
// metrics their four counts.
func TestSlicesAreShown(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	if text := ask(s, "GET", "/status", "").Body.String(); strings.Contains(text, `"slices"`) {
		t.Error("slices without fields")
	}
	task.set(func(st *board.Status) { st.Slices = sliceRows(52) })
	var body statusBody
	if err := json.Unmarshal(ask(s, "GET", "/status", "").Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	if len(body.Slices) != 51 || body.Slices[7].Value != "s7" || body.Slices[7].Mistakes != 7 ||
		body.Slices[7].Examples != 100 || body.Slices[7].Figures["recall"] != 0.93 || body.Slices[50].Value != "other" {
		t.Errorf("%+v", body.Slices)
	}
	b := s.liveBody(s.look())
	if len(b.Slices) != shownSlices || b.HiddenSlices != 1 || b.Slices[0].Value != "other" ||
		b.Slices[1].Value != "s49" {
		t.Errorf("%d slices, %d hidden, %+v first", len(b.Slices), b.HiddenSlices, b.Slices[0])
	}
	text := ask(s, "GET", "/metrics", "").Body.String()
	for _, line := range []string{
		`rosenblatt_slice_decisions_total{field="<b>shop",label="positive",prediction="negative",value="s7"} 7`,
		`rosenblatt_slice_decisions_total{field="<b>shop",label="positive",prediction="positive",value="s7"} 93`,
		`rosenblatt_slice_decisions_total{field="<b>shop",label="negative",prediction="positive",value="s7"} 0`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
}

// TestUnseenFieldIsNoticed: a field of --by that no event has is said, once enough have been counted.
func TestUnseenFieldIsNoticed(t *testing.T) {
	for n, want := range map[int]bool{99: false, 100: true} {
		by := metrics.NewSlices([]string{"shop", "cuntry", "device"})
		for i := range n {
			by.Add(metrics.SliceCodes{by.Code(0, nil, i > 0, true), by.Code(1, nil, true, false),
				by.Code(2, []byte("tv"), false, false)}, 1, 1)
		}
		task := newTask(t)
		task.set(func(st *board.Status) { st.Slices = by.Rows() })
		s, _ := newServer(task)
		text := ask(s, "GET", "/status", "").Body.String()
		if strings.Contains(text, `has the field \"cuntry\" of --by`) != want ||
			strings.Count(text, "whose labels are known") > 1 {
			t.Errorf("%d events: %s", n, text)
		}
	}
}

func testSlices(t *testing.T, b *browser) {
	task := newTask(t)
	task.set(func(st *board.Status) { st.Slices = sliceRows(20) })
	addr, _ := serve(t, &Server{Task: task, pageEvery: 200 * time.Millisecond})
	b.visit("http://" + addr + "/")
	b.wait(`document.querySelectorAll("#slices tbody tr").length === 20`)
	got := b.eval(`[...document.querySelectorAll("#slices tbody tr")[1].children].map((x) => x.textContent).join()`)
	if got != "<b>shop = s18,100,18,100.0 %,82.0 %" {
		t.Error(got)
	}
	b.clean(addr)
}
