package web

import (
	"strings"
	"testing"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream/board"
)

// testIsItGood: the page begins with an answer, and has the log-loss where there is a probability.
func testIsItGood(t *testing.T, b *browser) {
	for _, name := range []string{learner.Logistic, learner.Perceptron} {
		task := newTaskOf(t, name)
		task.status.Timings.Latency.Observe(0.002)
		addr, _ := serve(t, &Server{Task: task, pageEvery: 200 * time.Millisecond})
		b.visit("http://" + addr + "/")
		b.wait(`document.querySelector("#verdict h2") && !document.getElementById("scores").hidden`)
		if above := b.eval(`document.getElementById("verdict").getBoundingClientRect().top
			< document.getElementById("tiles").getBoundingClientRect().top`); above != "true" {
			t.Error("the verdict is not above the figures")
		}
		verdict := b.eval(`document.getElementById("verdict").innerText`)
		if !strings.Contains(verdict, "% of the last 200 predictions with a label were correct") {
			t.Error(verdict)
		}
		tiles, scores := b.eval(`document.getElementById("tiles").innerText`),
			b.eval(`document.getElementById("scores").innerText`)
		probable := name == learner.Logistic
		for _, text := range []string{tiles, scores} {
			if strings.Contains(strings.ToLower(text), "log-loss") != probable ||
				strings.Contains(text, "frequencies alone") != probable {
				t.Errorf("%s: %s", name, text)
			}
		}
		task.status.Timings.Latency.Observe(0.002)
		b.wait(`document.getElementById("tiles").innerText.includes("99 % within")`)
		b.clean("127.0.0.1:")
	}
}

// testManyPartitions: the page stays short, those with the largest lag come first, and the list keeps its place when it
// is updated.
func testManyPartitions(t *testing.T, b *browser) {
	task := newTask(t)
	task.set(func(st *board.Status) {
		st.Partitions = make([]board.PartitionStatus, 64)
		for i := range st.Partitions {
			st.Partitions[i] = board.PartitionStatus{Partition: int32(i), End: int64(10 + i)}
		}
	})
	addr, _ := serve(t, &Server{Task: task, pageEvery: 200 * time.Millisecond})
	b.visit("http://" + addr + "/")
	b.wait(`document.querySelectorAll("#input details tbody tr").length === 64`)
	if rows := b.eval(`JSON.stringify([...document.querySelectorAll("#input > .wide tbody th")]
		.map((x) => +x.textContent))`); rows != "[63,62,61,60,59,58,57,56]" {
		t.Errorf("the first list has %s", rows)
	}
	if open := b.eval(`document.querySelector("#input details").open`); open != "false" {
		t.Error("all partitions are listed from the start")
	}
	b.eval(`document.querySelector("#input details").open = true,
		document.querySelector("#input details .wide").scrollTop = 300`)
	if high := b.eval(`document.getElementById("input").offsetHeight < 900`); high != "true" {
		t.Error("64 partitions make a long page")
	}
	task.set(func(st *board.Status) { st.Partitions[5].End = 12345 })
	b.wait(`document.querySelector("#input > .wide").textContent.includes("12,345")`)
	if at := b.eval(`document.querySelector("#input details .wide").scrollTop`); at != "300" {
		t.Errorf("the list was scrolled to 300 and is at %s", at)
	}
	b.clean(addr)
}
