package web

import (
	"fmt"
	"testing"
	"time"

	"rosenblatt/stream/board"
)

// testLaterLabels: how many predictions wait, what became of the others, and how late labels are.
func testLaterLabels(t *testing.T, b *browser) {
	task := newLateTask(t)
	change := func(change func(*board.LabelStatus)) {
		task.set(func(st *board.Status) {
			late := *st.Late
			change(&late)
			st.Late = &late
		})
	}
	change(func(late *board.LabelStatus) {
		late.Oldest = start.Add(-2 * time.Hour).UnixMilli()
		for p := range int32(70) {
			more := board.PartitionStatus{Partition: 2 + p, Position: 5, End: 5 + int64(p)}
			late.Partitions = append(late.Partitions, more)
		}
	})
	s, c := newServer(task)
	s.pageEvery = 200 * time.Millisecond
	addr, _ := serve(t, s)
	b.visit("http://" + addr + "/")
	says := func(id string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			b.wait(fmt.Sprintf(`!document.getElementById(%q).closest("[hidden]")
				&& document.getElementById(%[1]q).textContent.includes(%q)`, id, text))
		}
	}
	says("tiles", "Waiting for labels31the oldest for 2 h 0 min")
	says("labels", "31 predictions wait for a label, by the clock the oldest for 2 h 0 min. "+
		"By the times of labels they wait for 1 d at most.",
		"labelled: its label came12", "expired: no label came in time5", "evicted: too many waited1",
		"not later1", "up to 10 s2", "longer1", "On average 1 d 8 h", "8 more partitions are listed at /status",
		"20 label records read, 2 repeated, 1 null skipped, rejected: ", "no-example 3", "4 events without an id",
		"1 partition of it: a label is ahead of its event")
	says("counted", "An example counts when its outcome is known")
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int{390, 1200} {
			b.look(width, scheme)
			b.fits(width)
		}
	}
	change(func(late *board.LabelStatus) { late.Stalled = true })
	s.look()
	c.pass(stillFor)
	says("alarm", "labels-stalled: 31 predictions wait for labels")
	says("labels", "Labels stand still")
	change(func(late *board.LabelStatus) { *late = board.LabelStatus{Wait: time.Hour} })
	says("labels", "No prediction waits for a label. No label has been read yet.", "No label of an event has come yet.")
	b.clean(addr)
}
