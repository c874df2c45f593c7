package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
)

// TestBrowser tries the page in a real browser: one, with a new page for each part.
func TestBrowser(t *testing.T) {
	b := chromium(t)
	for _, part := range []struct {
		name string
		try  func(*testing.T, *browser)
	}{{"shows what happens", testShowsWhatHappens}, {"predicts", testPredicts}, {"hostile strings", testHostileStrings},
		{"comes back", testComesBack}, {"nothing yet", testNothingYet},
		{"all wrong", testAllWrong}, {"what adds up", testWhatAddsUp}, {"is it good", testIsItGood},
		{"many partitions", testManyPartitions},
		{"rare label", testRareLabel}, {"classes", testClasses},
		{"slices", testSlices}, {"drift", testDrift}, {"fields", testFields}, {"learners", testLearners},
		{"later labels", testLaterLabels}, {"promotes", testPromoteFromAPage}} {
		t.Run(part.name, func(t *testing.T) { part.try(t, b.page(t)) })
	}
}

// clean fails the test if the page threw something, asked another server, or was told off by its own policy.
func (b *browser) clean(addr string) {
	b.t.Helper()
	for _, kind := range []string{"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded",
		"Page.javascriptDialogOpening"} {
		if said := b.said(kind); len(said) > 0 {
			b.t.Errorf("%.1000s", strings.Join(said, "\n"))
		}
	}
	requests := b.said("Network.requestWillBeSent")
	if len(requests) == 0 {
		b.t.Error("the browser tells nothing")
	}
	for _, request := range requests {
		if !strings.Contains(request, `"url":"http://`+addr) && !strings.Contains(request, `"url":"data:`) {
			b.t.Errorf("a request elsewhere: %.300s", request)
		}
	}
}

// testShowsWhatHappens follows a task in a real browser: figures, trouble, and the way back.
func testShowsWhatHappens(t *testing.T, b *browser) {
	task := newTask(t)
	task.set(func(st *board.Status) {
		st.Recent = &board.Recent{Rejected: map[string][]board.Sample{"syntax": {{Offset: 31,
			Value: []byte(`{"broken`), Size: 8, Error: "a string has no end"}}},
			Mistakes: []board.Sample{{Partition: 1, Offset: 6, Value: []byte(`{"price":1.5,"market":"m1"}`), Size: 27,
				Prediction: "1", Label: "0", Score: 0.25}}}
	})
	s := &Server{Task: task, Version: "v1.2.3", pageEvery: 200 * time.Millisecond, StallAfter: time.Hour,
		CheckpointAfter: time.Hour}
	addr, _ := serve(t, s)
	b.visit("http://" + addr + "/")
	b.wait(`["fraud", "healthy", "perceptron", "epoch 3", "no-change", "majority", "syntax", "v1.2.3", "65.5 kb", "f1"]
		.every((x) => document.body.textContent.toLowerCase().includes(x))`)
	b.wait(`["accuracy", "speed", "ahead"].every((id) => document.querySelector("#" + id + " path.s-last"))
		&& document.querySelectorAll("#legend li").length === 4`)
	b.wait(`document.querySelectorAll("#matrix td").length === 4
		&& document.querySelectorAll("#weights bdi").length > 0`)
	for i := range 50 { // it is told of what is learned, without being asked to load anything
		task.learn(t, fmt.Sprintf(`{"id":"n%d","features":{"price":%d},"label":1}`, i, i))
	}
	b.wait(`document.getElementById("about").textContent.includes("seq 250")`)

	b.eval(`document.querySelector("#rejects details").open = true`)
	task.set(func(st *board.Status) {
		st.SaveError = "no space left on device"
		st.Counts.Rejected = map[string]int64{"syntax": 1234567, "empty": 1}
	})
	b.wait(`document.getElementById("badges").textContent.includes("not ready")
		&& document.getElementById("alarm").textContent.includes("no space left on device")`)
	b.wait(`document.querySelector("#rejects details").open
		&& ["1,234,567", "a string has no end", '{"broken']
		.every((x) => document.querySelector("#rejects details").textContent.includes(x))`)
	task.set(func(st *board.Status) { st.SaveError = "" })
	b.wait(`document.getElementById("badges").textContent.includes("healthy")
		&& !document.querySelector("#alarm section")`)
	task.set(func(st *board.Status) {
		st.State, st.FollowedAt = board.Following, time.Now().Add(time.Hour)
		st.Shared = &board.Shared{Owner: "east-1", Since: time.Now()}
	})
	b.wait(`document.getElementById("about").textContent.includes("east-1 predicts since")
		&& ["Learned along/s", "follows"].every((x) => document.getElementById("tiles").textContent.includes(x))
		&& document.getElementById("pace").textContent === "Learned along/s"`)
	task.set(func(st *board.Status) { st.Silence = &board.Silence{Offset: 152, For: 3 * time.Second} })
	b.wait(`document.getElementById("alarm").textContent.includes("nobody predicts for 3s: offset 152")
		&& !document.getElementById("about").textContent.includes("east-1")
		&& document.querySelectorAll("#alarm section").length === 1
		&& document.querySelector("#alarm section.alarm h2").textContent === "Nobody predicts"
		&& document.querySelector("#badges .bad").textContent === "nobody predicts"
		&& !document.getElementById("badges").textContent.includes("healthy")
		&& !document.getElementById("verdict").classList.contains("better") && document.title.startsWith("✗")`)
	task.set(func(st *board.Status) {
		st.State, st.Recovered = board.Recovering, board.Recovery{Predictions: 5, Done: 1000, Total: 2000}
	})
	b.wait(`document.getElementById("tiles").textContent.includes("1,000 of 2,000")`)
	b.clean(addr)
}

// testPredicts pastes an example and reads the prediction.
func testPredicts(t *testing.T, b *browser) {
	task := newTask(t)
	task.set(func(st *board.Status) {
		st.Recent = &board.Recent{Mistakes: []board.Sample{{Value: []byte(`{"pri`), Size: 1 << 20},
			{Value: []byte(`{"price":1.5,"market":"m1"}`), Size: 27, Prediction: "1", Label: "0"}}}
	})
	s := &Server{Task: task, pageEvery: 200 * time.Millisecond}
	addr, _ := serve(t, s)
	b.visit("http://" + addr + "/")
	b.wait(`!document.getElementById("fill").hidden`)
	b.eval(`document.getElementById("fill").click(), document.querySelector("#ask [type=submit]").click()`)
	b.wait(`document.querySelector("#prediction .bars")`)
	if got := b.eval(`document.getElementById("value").value`); got != `{"price":1.5,"market":"m1"}` {
		t.Errorf("the last whole mistake is %s", got)
	}
	_, p := predict(t, s, "?explain=9", `{"price":1.5,"market":"m1"}`)
	text := b.eval(`document.getElementById("prediction").innerText`)
	score := b.eval(fmt.Sprintf(`String(+(%v).toPrecision(4)).replace("-", "−")`, p.Score))
	for _, part := range []string{"Prediction " + string(p.Prediction), "score " + score, "price", "market=m1", "bias",
		"seq 200"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in %s", part, text)
		}
	}
	b.eval(`document.getElementById("value").value = "{\"<img src=x onerror=alert(1)>",
		document.querySelector("#ask [type=submit]").click()`)
	b.wait(`document.getElementById("prediction").textContent.includes("syntax")`)
	b.eval(`document.getElementById("value").value = '{"<img src=x onerror=alert(1)>":1,"</script>":2}',
		document.querySelector("#ask [type=submit]").click()`)
	b.wait(`document.getElementById("prediction").textContent.includes("<img src=x onerror=alert(1)>")`)
	if n := b.eval(`document.querySelectorAll("img").length`); n != "0" {
		t.Error("a feature's name became an element")
	}
	// 400 is an answer; the browser makes a note of it.
	b.mu.Lock()
	b.events = slices.DeleteFunc(b.events, func(e string) bool {
		return strings.HasPrefix(e, "Log.entryAdded") && strings.Contains(e, "predict?explain")
	})
	b.mu.Unlock()
	b.clean(addr)
}

// evil is what other people's bytes may hold: elements, ends of elements, marks that turn the direction of writing,
// controls, what is no UTF-8, and much of it.
var evil = "<img src=x onerror=alert(1)></script><script>alert(2)</script>" +
	"\u202egnp.exe\u2066\x00\x07\u2028&lt;b&gt;'\"`${alert(3)}\xff\xfe " +
	strings.Repeat("\u202e<b>", 200_000)

// testHostileStrings puts evil wherever a text from elsewhere may stand. None of it becomes an element, none changes
// how the rest is read, none makes the page wider.
func testHostileStrings(t *testing.T, b *browser) {
	task := newTask(t)
	sample := board.Sample{Value: []byte(evil)[:1024], Size: len(evil), Error: evil, Prediction: evil, Label: `"` +
		evil[:60] + `"`}
	task.set(func(st *board.Status) {
		st.Model, st.Learner, st.SaveError, st.Labels = evil, evil, evil, [2]string{evil, evil}
		st.Counts.Rejected = map[string]int64{evil[:100]: 3, "syntax": 1}
		st.Recent = &board.Recent{Rejected: map[string][]board.Sample{evil[:100]: {sample, sample},
			"syntax": {sample}}, Mistakes: []board.Sample{sample}}
		st.Accepted = []model.Acceptance{{Name: "config", What: evil}}
		top := []learner.NamedWeight{{Name: evil, Weight: 1}}
		matrix := &model.Matrix{Classes: []string{evil}, Cells: [][]float64{{1, 0}, {2, 0}},
			Fading: [][]float64{{1, 0}, {0, 0}}, Pairs: []model.Confusions{{Label: evil, Prediction: evil}}}
		st.Summary = &model.Summary{At: start, Weights: []model.ClassWeights{{Class: evil, Top: top}}, Matrix: matrix}
	})
	s := &Server{Task: task, Version: evil[:60], pageEvery: 200 * time.Millisecond}
	s.Trouble = func() (string, time.Time) { return evil, time.Now() }
	addr, _ := serve(t, s)
	b.visit("http://" + addr + "/")
	b.wait(`document.querySelectorAll("#weights bdi").length && document.querySelectorAll("#matrix td").length
		&& document.querySelector("#mistakes details") && document.querySelector("#accepted li")`)
	b.eval(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`)
	if n := b.eval(`document.querySelectorAll("img, b > b, iframe, script:not(body > script), [onerror]").length
		+ document.scripts.length`); n != "1" {
		t.Errorf("%s elements that nobody meant", n)
	}
	if marks := b.eval(`/[\u202a-\u202e\u2066-\u2069\u0000\u0007\u2028]/
		.test(document.body.textContent + document.title)`); marks != "false" {
		t.Error("marks that turn the direction of writing came through")
	}
	for _, id := range []string{"rejects", "mistakes", "weights", "matrix", "alarm", "accepted", "checkpoint"} {
		if shown := b.eval(`document.getElementById("` + id +
			`").textContent.includes("<img src=x onerror=alert(1)>")`); shown != "true" {
			t.Errorf("%s does not show it as text", id)
		}
	}
	for _, width := range []int{390, 1200} {
		b.look(width, "dark")
		b.fits(width)
	}
	b.clean(addr)
}

// testComesBack: when the daemon is gone the page says so, and goes on when it is there again.
func testComesBack(t *testing.T, b *browser) {
	task := newTask(t)
	first := &Server{Task: task, pageEvery: 200 * time.Millisecond}
	addr, stop := serve(t, first)
	b.visit("http://" + addr + "/")
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	b.wait(`!document.getElementById("stale").hidden
		&& document.getElementById("stale").textContent.includes("No update from the daemon")`)
	// "healthy" would be a guess.
	b.wait(`document.getElementById("badges").textContent === "no connection" && document.title.startsWith("✗ ")`)
	task.set(func(st *board.Status) { st.Seq = 777 })
	second := &Server{Task: task, pageEvery: 200 * time.Millisecond}
	serveAt(t, second, addr)
	b.wait(`document.getElementById("stale").hidden
		&& document.getElementById("about").textContent.includes("seq 777")`)
	b.wait(`document.getElementById("badges").textContent.includes("healthy") && !document.title.startsWith("✗")`)
}

// testNothingYet: without a label there is no accuracy, not one of 0 %.
func testNothingYet(t *testing.T, b *browser) {
	task := newTask(t)
	task.set(func(st *board.Status) {
		st.Score, st.Counts, st.Seq = metrics.Report{}, model.Counts{}, 0
		st.Partitions = []board.PartitionStatus{{Partition: 0}}
	})
	addr, _ := serve(t, &Server{Task: task, pageEvery: 200 * time.Millisecond})
	b.visit("http://" + addr + "/")
	b.wait(`["No label seen yet.", "The topic has no records yet."]
		.every((x) => document.body.textContent.includes(x))`)
	if tiles := b.eval(`document.getElementById("tiles").innerText`); strings.Contains(tiles, "0.00 %") {
		t.Errorf("an accuracy of nothing: %s", tiles)
	}
	if hidden := b.eval(`document.getElementById("matrix").hidden`); hidden != "true" {
		t.Error("a matrix of nothing")
	}
	if written := b.eval(`document.getElementById("value").placeholder`); !strings.Contains(written, `{"features":`) {
		t.Errorf("no example of an event of the format, but %q", written)
	}
	b.clean(addr)
}

// testAllWrong: an axis of shares stays between 0 and 100 %, whatever is on it.
func testAllWrong(t *testing.T, b *browser) {
	for share, ends := range map[float64][2]string{0: {"0 %", "10 %"}, 1: {"90 %", "100 %"}} {
		task := newTask(t)
		task.set(func(st *board.Status) {
			st.Score.Last.Accuracy, st.Score.Fading.Accuracy = metrics.Known(share), metrics.Known(share)
			st.Score.Baselines = slices.Clone(st.Score.Baselines)
			for i := range st.Score.Baselines {
				st.Score.Baselines[i].Last.Accuracy = metrics.Known(share)
			}
		})
		addr, _ := serve(t, &Server{Task: task, pageEvery: 200 * time.Millisecond})
		b.visit("http://" + addr + "/")
		b.wait(`document.querySelector("#accuracy path.s-last")`)
		texts := b.eval(`JSON.stringify([...document.querySelectorAll("#accuracy text")]
			.map((x) => x.textContent).filter((x) => x.endsWith("%")))`)
		if !strings.HasPrefix(texts, `["`+ends[0]+`"`) || !strings.HasSuffix(texts, `"`+ends[1]+`"]`) {
			t.Errorf("the axis for %v: %s", share, texts)
		}
	}
}

// testWhatAddsUp: where a score is no sum of weights, the predict box says what it is instead.
func testWhatAddsUp(t *testing.T, b *browser) {
	votes := newClasses(t, learner.OVO)
	teach(t, votes)
	for _, c := range []struct {
		task  *literal
		value string
		says  string
	}{
		{newTask(t), `{"price":1.5,"market":"m1"}`, ""},
		{newTaskOf(t, "dual:kernel=rbf,gamma=0.5"), `{"price":1.5,"market":"m1"}`,
			"its score comes from the examples that it keeps"},
		{votes, `{"x":1,"y":1}`, "it is a count of votes"},
	} {
		addr, _ := serve(t, &Server{Task: c.task, pageEvery: 200 * time.Millisecond})
		b.visit("http://" + addr + "/")
		b.eval(fmt.Sprintf("document.getElementById('value').value = %q", c.value))
		b.eval(`document.getElementById("value")
			.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", ctrlKey: true}))`)
		b.wait(`document.querySelector("#prediction .bars")`)
		text := b.eval(`document.getElementById("prediction").innerText`)
		if notes := b.eval(`document.querySelectorAll("#prediction > .note").length`); c.says == "" && notes != "1" ||
			!strings.Contains(text, c.says) {
			t.Errorf("want %q in %s", c.says, text)
		}
		b.clean("127.0.0.1:")
	}
}
