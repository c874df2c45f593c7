package web

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
)

// twoLearners are a champion and a challenger that is better.
func twoLearners() []model.LearnerReport {
	champion, challenger := metrics.Binary{}, metrics.Binary{}
	for i := range 200 {
		label, wrong := int8(1-2*(i%2)), i%4 == 0
		champion.AddLate(label*int8(1-2*boolInt(wrong)), label, [2]int8{1, 1}, 1, true)
		challenger.AddLate(label, label, [2]int8{1, 1}, 1, true)
	}
	var p metrics.Paired
	for i := range 200 {
		p.Add(metrics.Difference{FalseNegatives: int64(boolInt(i%4 == 0))})
	}
	return []model.LearnerReport{
		{Name: model.OwnName, Learner: "perceptron", Scale: "standard", Champion: true, Score: champion.Report()},
		{Name: "<b>c1", Learner: "pa1:C=0.1", Scale: "none", Since: 42, Score: challenger.Report(),
			Decision: &model.Decision{Rule: decision.Rule{Kind: decision.Cost, FP: 1, FN: 20}},
			Against:  &model.Against{Comparison: p.Compare(metrics.Cost{FalsePositive: 1, FalseNegative: 1})}},
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestLearnersAreShown: /status and metrics have champion and challengers, and nothing of them without.
func TestLearnersAreShown(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	for _, path := range []string{"/status", "/metrics"} {
		if text := ask(s, "GET", path, "").Body.String(); strings.Contains(text, `"learners"`) ||
			strings.Contains(text, "challenger") {
			t.Errorf("%s has challengers where there are none", path)
		}
	}
	task.set(func(st *board.Status) {
		st.Learners = twoLearners()
		st.Promotions = []model.Promotion{{Seq: 7, From: "a", To: model.OwnName, Time: 1_800_000_000_000}}
	})
	var body statusBody
	if err := json.Unmarshal(ask(s, "GET", "/status", "").Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	if len(body.Learners) != 2 || body.Champion != model.OwnName {
		t.Fatalf("%+v", body.Learners)
	}
	c := body.Learners[1]
	if c.Name != "<b>c1" || c.Since != 42 || c.Mistakes != 0 || c.Examples != 200 || c.Comparison.Better != "<b>c1" ||
		c.Comparison.Of != "mistakes" || *c.Comparison.Low <= 0 || c.Comparison.Difference != 0.25 ||
		body.Learners[0].Mistakes != 50 || body.Learners[0].Comparison != nil {
		t.Errorf("%+v, %+v", c, c.Comparison)
	}
	if p := body.Promotions[0]; p.Seq != 7 || p.Time.Unix() != 1_800_000_000 {
		t.Errorf("%+v", p)
	}
	text := ask(s, "GET", "/metrics", "").Body.String()
	for _, line := range []string{
		`rosenblatt_champion_info{learner="perceptron",name="learner"} 1`,
		`rosenblatt_challenger_mistakes_total{challenger="<b>c1"} 0`,
		`rosenblatt_challenger_accuracy_ratio{challenger="<b>c1",window="last"} 1`,
		`rosenblatt_challenger_difference{bound="mean",challenger="<b>c1"} 0.25`,
		`rosenblatt_challenger_suspended{challenger="<b>c1"} 0`,
		`rosenblatt_promotions 1`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
}

func testLearners(t *testing.T, b *browser) {
	task := newTask(t)
	task.set(func(st *board.Status) { st.Learners = twoLearners() })
	addr, _ := serve(t, &Server{Task: task, pageEvery: 200 * time.Millisecond})
	b.visit("http://" + addr + "/")
	b.wait(`document.querySelectorAll("#learners tbody tr").length === 2`)
	got := b.eval(`[...document.querySelectorAll("#learners tbody tr")[1].children].map((x) => x.textContent).join()`)
	want := "<b>c1 since seq 42,pa1:C=0.1,200,100.0 %100.0 %,100.0 %100.0 %,100.0 %100.0 %,<b>c1 is better+250 "
	if !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	b.clean(addr)
}
