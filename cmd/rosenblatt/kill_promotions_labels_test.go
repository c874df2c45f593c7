package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// decidingFlags are the learners of this test, and aloneFlags each as a program that has no other is told it.
var (
	decidingFlags = []string{"--challenger", "c1=pa1:C=0.1 scale:none", "--challenger", "b=arow decide:cost=fp:1,fn:4"}
	aloneFlags    = map[string][]string{
		"learner": {"--learner", "perceptron"},
		"c1":      {"--learner", "pa1:C=0.1", "--scale", "none"},
		"b":       {"--learner", "arow", "--decide", "cost=fp:1,fn:4"},
	}
)

// feedLabels appends events every ten milliseconds, and their labels up to half a second later, until it is stopped. Of
// fifty events one gets no label, and one gets it twice. Stopping waits for all, and returns how many events there are.
func feedLabels(t *testing.T, s *streamtest.Setup, labels string) (stop func() int) {
	n, r := 0, rand.New(rand.NewPCG(38, 9))
	due := make([][]int, 50) // of each of the next ticks, the labels: the number of an event, negative for the label -1
	return feedTicks(t, s, func(tick int, send sender) int {
		for _, label := range due[tick%len(due)] {
			y := 1
			if label < 0 {
				label, y = -label, -1
			}
			send(labels, r.IntN(2), fmt.Appendf(nil, `{"id":%d,"label":%d}`, label, y))
		}
		due[tick%len(due)] = due[tick%len(due)][:0]
		const events = 4
		for range events {
			n++
			x, y, label := r.NormFloat64(), r.NormFloat64(), n
			send(s.Name, n%2, fmt.Appendf(nil, `{"id":%d,"features":{"x":%g,"y":%g}}`, n, x, y))
			if x*float64(1-n/2000%2*2)+r.NormFloat64() < 0 { // it turns round every 2,000 events
				label = -n
			}
			for range []int{0, 2, 1}[min(2, n%50)] {
				later := (tick + 1 + r.IntN(len(due)-1)) % len(due)
				due[later] = append(due[later], label)
			}
		}
		return events
	})
}

// TestKilledPromotingWithLabels: two daemons share a model whose labels come later, and learners are promoted all the
// time. The one that predicts, the other one, or both are killed, again and again, and go on with their folder, with a
// damaged newest checkpoint, or with an empty folder, and so from the checkpoint topic. What was published is what
// replay computes that runs each learner alone on the topics, and verify finds nothing.
func TestKilledPromotingWithLabels(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 2)
	labels, outcomes := s.Name+".labels", s.Name+".outcomes"
	s.Cluster.Topic(t, labels, 2)
	s.Cluster.Topic(t, outcomes, 2)
	late := []string{"--labels", labels, "--outcomes", outcomes, "--label-slack", "1s"}
	x := &promoted{pair: pair{setup: s, dirs: [2]string{s.Dir, t.TempDir()}, flags: slices.Concat(decidingFlags, late)},
		told: map[int64]string{}, did: map[string]int{}, r: rand.New(rand.NewPCG(38, 5))}
	x.begin(t, 0)
	x.await(t, 0, board.Live)
	x.begin(t, 1)
	x.await(t, 1, board.Following)
	stop := feedLabels(t, s, labels)
	defer stop()
	kills := streamtest.Rounds(3, 3, 50)
	for range kills {
		x.kill(t)
	}
	n := stop()
	live := x.live(t)
	x.members[live].await(t, "all are predicted", func(d daemonStatus) bool { return d.Read >= int64(n) && d.Lag == 0 })
	for _, i := range []int{1 - live, live} {
		x.members[i].term(t)
		maps.Copy(x.told, x.ended[i]())
	}
	s.Dir = x.dirs[live]
	byScore := auditAlone(t, s, n, x.told, late)
	verifyPromotions(t, s, n, decidingFlags, late...)
	t.Logf("%d kills, %d promotions confirmed, %v; %d events, published by %v", kills, len(x.told), x.did, n, byScore)
}

// promoted is a pair whose learners are promoted at random.
type promoted struct {
	pair
	ended [2]func() map[int64]string
	told  map[int64]string
	did   map[string]int
	r     *rand.Rand
	began uint64
}

func (x *promoted) begin(t *testing.T, i int) {
	x.start(t, i)
	x.began++
	x.ended[i] = promoteAtRandom(t, x.members[i], x.began)
}

// live waits until a member predicts, and returns which one.
func (x *promoted) live(t *testing.T) (which int) {
	t.Helper()
	streamtest.Await(t, "one predicts", func() bool {
		which = slices.IndexFunc(x.members[:], func(p *process) bool {
			p.alive(t)
			s := p.status(t)
			return s.State == board.Live && s.Ready
		})
		return which >= 0
	})
	return which
}

// kill waits until something was predicted, kills one member or both, and starts what was killed again.
func (x *promoted) kill(t *testing.T) {
	t.Helper()
	live := x.live(t)
	was := x.members[live].status(t).Seq
	x.members[live].await(t, "it predicts", func(s daemonStatus) bool { return s.Seq > was+20+x.r.Int64N(200) })
	who := [][]int{{live}, {live}, {1 - live}, {live, 1 - live}}[x.r.IntN(4)]
	for _, i := range who {
		_ = x.members[i].Process.Kill()
		<-x.members[i].done
		maps.Copy(x.told, x.ended[i]())
	}
	what := x.r.IntN(3)
	for _, i := range who {
		switch what {
		case 0:
			x.did["damaged"] += damageNewest(t, filepath.Join(x.dirs[i], x.setup.Name))
		case 1:
			x.dirs[i] = t.TempDir()
			x.did["empty folders"]++
		}
	}
	if len(who) == 1 && who[0] == live {
		x.await(t, 1-live, board.Live)
		x.did["taken over"]++
	}
	for _, i := range who {
		x.begin(t, i)
	}
	for _, i := range who {
		x.members[i].await(t, "it is back", func(s daemonStatus) bool { return s.Ready })
	}
	x.did[fmt.Sprintf("%d killed", len(who))]++
}

// auditAlone holds what is in the topics against each learner alone, in the order of the journal: each prediction
// and its score are those of the learner that the headers of the journal name. It returns how many each has published.
func auditAlone(t *testing.T, s *streamtest.Setup, n int, told map[int64]string, late []string) map[string]int {
	t.Helper()
	champions, predictions := publishedBy(t, s, late[3])
	if len(predictions) != n || len(champions) < 5 {
		t.Fatalf("%d predictions of %d, %d promotions", len(predictions), n, len(champions))
	}
	for seq, name := range told {
		if champions[seq] != name {
			t.Errorf("somebody was told that %s is the champion from seq %d on; the journal has %q there", name, seq,
				champions[seq])
		}
	}
	args := append([]string{"replay", "--brokers", s.Cluster.Brokers[0], "--topic", s.Name, "--journal", s.Output(),
		"--order", "journal", "--bits", "12"}, late[:4]...)
	alone := map[string]map[place]scored{}
	for name, flags := range aloneFlags {
		file := filepath.Join(t.TempDir(), "scores.jsonl")
		call(t, "", slices.Concat(args, flags, []string{"--predictions", file})...).want(t, cli.ExitDone, "", "")
		alone[name] = readScores(t, file)
	}
	seqs, by, wrong, differ := slices.Sorted(maps.Keys(champions)), map[string]int{}, 0, 0
	champion, next := "learner", 0
	for _, p := range predictions {
		for ; next < len(seqs) && seqs[next] <= p.Seq; next++ {
			champion = champions[seqs[next]]
		}
		want, has := alone[champion][p.place]
		if has && want == p.scored {
			by[champion]++
		} else if wrong++; wrong < 10 {
			t.Errorf("seq %d is published as %+v; %s alone has %+v (%v)", p.Seq, p, champion, want, has)
		}
		for name := range alone {
			if name != champion && alone[name][p.place] != p.scored {
				differ++
			}
		}
	}
	if wrong > 0 || differ < n/2 || len(by) != len(aloneFlags) {
		t.Errorf("%d of %d scores are wrong; others would have differed %d times; %v", wrong, n, differ, by)
	}
	return by
}

// readScores reads the lines that replay writes.
func readScores(t *testing.T, file string) map[place]scored {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read
	all := map[place]scored{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		p := publishedPrediction{}
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatalf("%v: %s", err, lines.Bytes())
		}
		all[p.place] = p.scored
	}
	return all
}

// place is that of an event.
type place struct {
	Partition int32
	Offset    int64
}

// scored is what a learner says of it. A score is written so that the same bits are read, and none is -0.
type scored struct {
	Prediction int
	Score      float64
}

// publishedPrediction is what is read of a prediction.
type publishedPrediction struct {
	Seq int64
	place
	scored
}

// publishedBy reads the journal with another client: the champions that headers name, by seq, and the predictions in
// order of seq.
func publishedBy(t *testing.T, s *streamtest.Setup, outcomes string) (map[int64]string, []publishedPrediction) {
	t.Helper()
	c, err := kgo.NewClient(kgo.SeedBrokers(s.Cluster.Brokers...), kgo.ConsumeTopics(s.Output(), outcomes),
		kgo.KeepControlRecords())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx := streamtest.Timeout(t, time.Minute)
	ends, err := kadm.NewClient(c).ListEndOffsets(ctx, s.Output(), outcomes)
	if err != nil {
		t.Fatal(err)
	}
	left := int64(0)
	ends.Each(func(e kadm.ListedOffset) { left += e.Offset })
	champions, all := map[int64]string{}, []publishedPrediction{}
	for left > 0 {
		fetched := c.PollFetches(ctx)
		if err := fetched.Err(); err != nil {
			t.Fatal(err)
		}
		fetched.EachRecord(func(r *kgo.Record) {
			if left--; r.Attrs.IsControl() {
				return
			}
			var p publishedPrediction
			if err := json.Unmarshal(r.Value, &p); err != nil {
				t.Fatalf("%v: %s", err, r.Value)
			}
			for _, h := range r.Headers {
				if h.Key == "rosenblatt.champion" {
					champions[p.Seq] = string(h.Value)
				}
			}
			if r.Topic == s.Output() {
				all = append(all, p)
			}
		})
	}
	slices.SortFunc(all, func(a, b publishedPrediction) int { return cmp.Compare(a.Seq, b.Seq) })
	return champions, all
}
