package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
)

// besideFlags are the learners of these tests.
var besideFlags = []string{"--challenger", "c1=pa1:C=0.1 scale:none", "--challenger", "b=arow"}

// promoteAtRandom asks a daemon for promotions until it ends, and returns the promotions that it was told of.
func promoteAtRandom(t *testing.T, p *process, seed uint64) (ended func() map[int64]string) {
	t.Helper()
	r, told, done := rand.New(rand.NewPCG(seed, 38)), map[int64]string{}, make(chan struct{})
	names := []string{"learner", "c1", "b"}
	client := &http.Client{Timeout: 20 * time.Second}
	go func() {
		defer close(done)
		for {
			select {
			case <-p.done:
				return
			case <-time.After(time.Duration(r.IntN(20)) * time.Millisecond):
			}
			at := listens.FindStringSubmatch(p.log.String())
			if at == nil {
				continue
			}
			name := names[r.IntN(len(names))]
			res, err := client.Post(at[1]+"promote?learner="+name, "", nil)
			if err != nil {
				continue // it is killed
			}
			var body struct{ Seq int64 }
			err = json.NewDecoder(res.Body).Decode(&body)
			_ = res.Body.Close()
			if err == nil && res.StatusCode == http.StatusOK && body.Seq > 0 {
				told[body.Seq] = name
			}
		}
	}()
	return func() map[int64]string { <-done; return told }
}

// TestKilledWhilePromoting: learners are promoted all the time, and the daemon is killed at random moments. It goes on
// with its folder, with a damaged newest checkpoint, or with an empty folder and the checkpoint topic. Every score is
// as recomputed, every promotion that somebody was told of is in the journal, and verify finds nothing, from the start
// and from a checkpoint.
func TestKilledWhilePromoting(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 2)
	const each = 12_000
	for p := range 2 {
		s.Cluster.Produce(t, s.Name, p, elec2(t)[p*each:(p+1)*each]...)
	}
	kills, r := streamtest.Rounds(4, 25, 50), rand.New(rand.NewPCG(38, 4))
	flags := append(slices.Clone(besideFlags), "--checkpoint-topic", s.Name+".checkpoints", "--create-topics")
	told, did := map[int64]string{}, map[string]int{}
	c, dir := s.Client(t), s.Dir
	note := func(all map[int64]string) {
		for seq, name := range all {
			told[seq] = name
		}
	}
	for i := range kills {
		at := int64(2*each*i/kills + r.IntN(2*each/kills))
		p := start(t, s, dir, append(flags, "--chunk-records", "64")...)
		ended := promoteAtRandom(t, p, uint64(i))
		streamtest.Await(t, fmt.Sprintf("%d predictions", at), func() bool { p.alive(t); return predicted(t, c) >= at })
		_ = p.Process.Kill()
		<-p.done
		note(ended())
		switch r.IntN(3) {
		case 0:
			did["damaged"] += damageNewest(t, filepath.Join(dir, s.Name))
		case 1:
			dir = t.TempDir()
			did["empty folders"]++
		}
	}
	p := start(t, s, dir, append(flags, "--until-end")...)
	ended := promoteAtRandom(t, p, 1000)
	if code := p.exit(t, time.Minute); code != 0 {
		t.Fatalf("the last run ended with %d:\n%s", code, p.tail())
	}
	note(ended())
	s.Dir = dir
	auditPromotions(t, s, told, 2*each)
	t.Logf("%d kills, %d promotions confirmed, %v", kills, len(told), did)
}

// auditPromotions audits a setup with the learners of besideFlags.
func auditPromotions(t *testing.T, s *streamtest.Setup, told map[int64]string, predictions int) {
	t.Helper()
	fixed := &s.Config.ModelConfig
	for i, text := range []string{besideFlags[1], besideFlags[3]} {
		x, err := fixed.ParseChallenger(text, i+1, learner.ParseLearner)
		if err != nil {
			t.Fatal(err)
		}
		fixed.Challengers = append(fixed.Challengers, x)
	}
	o := s.Audit(t)
	if len(o.Predictions) != predictions || len(o.Champions) < 5 {
		t.Errorf("%d predictions, %d promotions", len(o.Predictions), len(o.Champions))
	}
	for seq, name := range told {
		if o.Champions[seq] != name {
			t.Errorf("somebody was told that %s is the champion from seq %d on; the journal has %q there", name, seq,
				o.Champions[seq])
		}
	}
	verifyPromotions(t, s, predictions, besideFlags)
	newest := newestCheckpoint(t, s.Dir, s.Name)
	file, err := checkpoint.Open(checkpoint.OS{}, newest)
	if err != nil {
		t.Fatal(err)
	}
	_, proc, err := model.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if proc.Champion() != o.Proc.Champion() || len(proc.Promotions()) != len(o.Proc.Promotions()) {
		t.Errorf("%s after %d promotions; the journal says %s after %d", proc.Champion(), len(proc.Promotions()),
			o.Proc.Champion(), len(o.Proc.Promotions()))
	}
}

// verifyPromotions audits with the program: from the start with the settings of the newest checkpoint and with those
// given, beside among them, and from the oldest checkpoint that is kept.
func verifyPromotions(t *testing.T, s *streamtest.Setup, predictions int, beside []string, flags ...string) {
	t.Helper()
	args := append([]string{"--brokers", s.Cluster.Brokers[0], "--input", s.Name, "--output", s.Output(),
		"--dead-letter", s.DeadLetters()}, flags...)
	v, got := verifyJSON(t, append(args[:len(args):len(args)], "--state", s.Dir)...)
	if got.code != cli.ExitDone || !v.OK || v.Predictions != int64(predictions) {
		t.Errorf("exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	bare := append(append(args[:len(args):len(args)], "--bits", "12"), beside...)
	if v, got = verifyJSON(t, bare...); len(v.Findings) > 0 || v.Predictions != int64(predictions) {
		t.Errorf("without a checkpoint: exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	corrupt, err := filepath.Glob(filepath.Join(s.Dir, s.Name, "*.corrupt")) // was set aside
	for i := 0; err == nil && i < len(corrupt); i++ {
		err = os.Remove(corrupt[i])
	}
	if err != nil {
		t.Fatal(err)
	}
	inMiddle(t, s, append(args, "--state", s.Dir))
}

// damageNewest changes a byte of the newest checkpoint of a folder, and returns how many it changed.
func damageNewest(t *testing.T, dir string) int {
	t.Helper()
	files, err := (&checkpoint.Store{Dir: dir}).Files()
	if err != nil || len(files) < 2 {
		return 0 // it has but one
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(files[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
	return 1
}

// TestPromotionsTakenOver: two daemons share a model, learners are promoted all the time, and the one that predicts is
// killed again and again.
func TestPromotionsTakenOver(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	const partitions = 2
	s := streamtest.New(t, streamtest.Start(t), partitions)
	x := &pair{setup: s, dirs: [2]string{s.Dir, t.TempDir()}, flags: besideFlags}
	told, kills := map[int64]string{}, streamtest.Rounds(1, 3, 25)
	ended := [2]func() map[int64]string{}
	begin := func(i int) {
		x.start(t, i)
		ended[i] = promoteAtRandom(t, x.members[i], uint64(i))
	}
	begin(0)
	x.await(t, 0, "live")
	begin(1)
	x.await(t, 1, "following")
	stop := feed(t, s, partitions)
	defer stop()
	for k := range kills {
		live := k % 2
		was := championOf(t, x.members[live].address(t)).Seq
		streamtest.Await(t, "it predicts", func() bool {
			return championOf(t, x.members[live].address(t)).Seq > was+100
		})
		_ = x.members[live].Process.Kill()
		<-x.members[live].done
		for seq, name := range ended[live]() {
			told[seq] = name
		}
		x.await(t, 1-live, "live")
		begin(live)
		x.await(t, live, "following")
	}
	n := stop()
	at := x.members[kills%2]
	streamtest.Await(t, "all are predicted", func() bool { return championOf(t, at.address(t)).Seq == int64(n) })
	for i := range 2 {
		x.members[1-(kills+i)%2].term(t)
		for seq, name := range ended[1-(kills+i)%2]() {
			told[seq] = name
		}
	}
	s.Dir = x.dirs[kills%2]
	auditPromotions(t, s, told, n)
	t.Logf("%d kills, %d promotions confirmed", kills, len(told))
}
