package web

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"rosenblatt/learner"
	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
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

// testRareLabel: with a rare label the page leads with precision and recall, in its tiles, its curves and its figures.
func testRareLabel(t *testing.T, b *browser) {
	task := newTask(t)
	task.set(func(st *board.Status) {
		setRare(st, 60_000, 100, 0.41)
		st.Score.Last.Confusion = metrics.Confusion{FalseNegative: 2, FalsePositive: 5, TrueNegative: 993}
		st.Decision = &model.Decision{Rule: decision.Rule{Kind: decision.Cost, FP: 1, FN: 20}}
	})
	addr, _ := serve(t, &Server{Task: task, pageEvery: 200 * time.Millisecond})
	b.visit("http://" + addr + "/")
	b.wait(`document.querySelector("#verdict h2") && !document.getElementById("scores").hidden`)
	const legend = `document.querySelector("#legend").textContent`
	const tiles = `[...document.querySelectorAll("#tiles dt")].slice(0, 4).map((x) => x.textContent).join()`
	for what, want := range map[string]string{
		`document.querySelector("#verdict h2").textContent`: "Better than chance at finding fraud",
		tiles: "Precision, last 10,000,Recall, last 10,000,Cost of 1,000 events, last 10,000," +
			"Average precision, last 10,000",
		`document.querySelectorAll("#tiles > div")[2].querySelector("dd").textContent`: "181",
		`document.querySelector("#tiles dd").textContent`:                              "50.00 %",
		`document.getElementById("measured").textContent`:                              "Precision and recall",
		legend: "precision 50.0 %recall 10.0 %average precision 41.0 %",
		`document.querySelector("#scores tbody th").textContent`: "precision",
		`String(document.getElementById("ofall").hidden)`:        "true",
	} {
		if got := b.eval(what); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	b.clean(addr)
}

// testClasses: the page has precision, recall and F1 of each class, the most frequent first.
func testClasses(t *testing.T, b *browser) {
	task := newClasses(t, learner.OVA)
	teach(t, task)
	addr, _ := serve(t, &Server{Task: task, pageEvery: 200 * time.Millisecond})
	b.visit("http://" + addr + "/")
	b.wait(`document.querySelectorAll("#classes tbody tr").length === 3`)
	recall := task.status.ByClass[1][0].Figures().Recall.Value()
	want := fmt.Sprintf("<b>virginica 20 %.1f %%", 100*recall)
	got := b.eval(`(([name, n, , recall]) => [name, n, recall.firstChild].map((x) => x.textContent).join(" "))(
		document.querySelectorAll("#classes tbody tr")[1].children)`)
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.clean(addr)
}
