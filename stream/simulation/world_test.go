package simulation

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/streamtest"
)

// brokers are what worlds share.
type brokers struct {
	net     network
	cluster *streamtest.Cluster
	worlds  []*world   // mostly one
	mu      sync.Mutex // of what the worlds know about the brokers
	lost    map[place]*lost
}

// world is one run of a task: disks, processes, and what is to happen to them.
type world struct {
	*brokers
	t      *testing.T
	seed   uint64
	rng    *rand.Rand // of the driver alone
	mood   mood
	budget int64 // of faults on the way and of the disk; crashes come on top
	setup  *streamtest.Setup
	narrow bool // some events have ids that no prediction in the output has room for
	root   string
	began  time.Time

	processes []*process
	folders   []*folder
	group     sync.WaitGroup
	quiet     atomic.Bool // no more faults
	over      atomic.Bool // the brokers are shut down
	spent     atomic.Int64
	flips     atomic.Int64

	// Of the brokers, with mu held:
	txn     coordinator
	states  map[place]*producerState
	oracle  *oracle
	told    []told
	widths  []int // partitions that the outcomes had, as they were added
	events  int64 // that the brokers have seen: what late requests wait for
	late    []lateRequest
	markers *rand.Rand

	retainer   *rand.Rand      // of retention alone
	partitions int32           // of the input at first
	loosest    labels.Limits   // that allow what any process may do
	starts     map[place]int64 // of logs, where they were moved
	moves      int64           // of them
	retained   *saved          // the manifest that said up to where they could be
	retains    bool            // they are moved
	loses      bool            // a partition has lost its tail

	kfakeEpoch int16 // the highest that kfake has seen: it refuses all below

	note   sync.Mutex // of what follows
	down   time.Time  // no broker is there until then
	broken chan struct{}
	wrong  string // the first violation
	lines  []string
	counts map[string]int
}

// newWorld makes a model and a plan. Without brokers it makes those, too.
func newWorld(t *testing.T, seed uint64, b *brokers) *world {
	w := &world{brokers: b, t: t, seed: seed, rng: rand.New(rand.NewPCG(seed, 0)),
		markers: rand.New(rand.NewPCG(seed, 1)), retainer: rand.New(rand.NewPCG(seed, 5)),
		root: t.TempDir(), began: time.Now(), broken: make(chan struct{}), counts: map[string]int{}}
	w.mood, w.budget = newMood(w.rng), int64(w.rng.IntN(80))
	if nodes := 1 + w.rng.IntN(3); b == nil {
		w.brokers = newBrokers(t, nodes)
	}
	w.worlds = append(w.worlds, w)
	w.setup = &streamtest.Setup{Cluster: w.cluster, Name: modelName, Log: zerolog.Nop(), Config: w.config(),
		Kafka: kafka.Options{ClusterOptions: kafka.ClusterOptions{Dial: w.net.dial}}}
	if seed%3 == 0 {
		w.setup.Kafka.Outcomes = modelName + ".outcomes"
	}
	if seed%3 == 1 {
		w.addLabels()
	}
	if seed%4 < 2 {
		w.setup.State = modelName + ".checkpoints"
	}
	w.retains = w.setup.State != "" && w.retainer.IntN(3) > 0
	if w.rng.IntN(3) == 0 {
		w.setup.Kafka.RenewEvery = []time.Duration{200 * time.Millisecond, 2 * time.Second}[w.rng.IntN(2)]
	}
	w.txn, w.states, w.starts = coordinator{epoch: -1, last: -1}, map[place]*producerState{}, map[place]int64{}
	var err error
	if w.oracle, err = newOracle(w, w.setup.Config.ModelConfig); err != nil {
		t.Fatal(err)
	}
	w.folders = append(w.folders, &folder{mem: vfs.NewCrashableMem(), root: filepath.Join(w.root, "0"),
		rng: rand.New(rand.NewPCG(seed, 2))})
	return w
}

func newBrokers(t *testing.T, nodes int) *brokers {
	b := &brokers{}
	fake, err := kfake.NewCluster(kfake.NumBrokers(nodes), kfake.ListenFn(b.net.listen))
	if err != nil {
		t.Fatal(err)
	}
	b.cluster = &streamtest.Cluster{Fake: fake, Brokers: fake.ListenAddrs()}
	return b
}

// config is the task's: small chunks, many checkpoints, a learner with memory of its own.
func (w *world) config() state.Config {
	r := w.rng
	options := event.Defaults(event.JSON)
	options.Bits = 6
	if w.seed%2 == 0 {
		options.Bits = 10 // so many slots that most checkpoints hold only what has changed
	}
	name := []string{"perceptron", "averaged:window=50", "pa1", "arow", "logistic"}[r.IntN(5)]
	if w.seed%7 < 3 {
		options.Tombstones = event.SkipTombstones
	}
	fixed := model.Config{Learner: learner.Spec{Scale: []string{"standard", "maxabs", "none"}[r.IntN(3)],
		Bits: options.Bits}, Decode: options}
	if err := learner.ParseLearner(name, &fixed.Learner); err != nil {
		w.t.Fatal(err)
	}
	fixed.Learner = fixed.Learner.WithDefaults()
	if r.IntN(3) == 0 {
		fixed.Decode.Task, fixed.Multiclass, fixed.MaxClasses = event.Multiclass,
			[]string{learner.OVA, learner.OVO}[r.IntN(2)], 3
	}
	w.decide(&fixed)
	w.challenge(&fixed)
	return state.Config{Model: modelName, ModelConfig: fixed, Build: "test", Drift: w.detect(&fixed),
		CheckpointInterval: []time.Duration{time.Millisecond, 50 * time.Millisecond, time.Second}[r.IntN(3)],
		CheckpointEvery:    int64(1 + r.IntN(60)),
		BatchRecords:       1 + r.IntN(30), Grace: time.Duration(1+r.IntN(8)) * time.Second,
		WatchEvery: []time.Duration{20 * time.Millisecond, 300 * time.Millisecond, time.Second}[r.IntN(3)]}
}

// decide lets two labels be calibrated in half of the worlds, and decided by a rule.
func (w *world) decide(c *model.Config) {
	r := rand.New(rand.NewPCG(w.seed, 36)) // of its own: what else is drawn stays
	if c.Decode.Task == event.Multiclass || r.IntN(2) == 0 {
		return
	}
	rules := []string{"sign", "probability=0.4", "cost=fp:1,fn:3", "precision=0.7", "recall=0.8", "alerts=0.3"}
	calibrate := []string{"platt", ""}[r.IntN(2)]
	if err := c.SetDecisions(calibrate, rules[r.IntN(len(rules))]); err != nil {
		w.t.Fatal(err)
	}
}

// detect has drifts detected in most worlds, soon and often; at them the learner begins anew in two of three of these.
func (w *world) detect(c *model.Config) *model.Drift {
	r := rand.New(rand.NewPCG(w.seed, 38)) // of its own, too
	settings := []string{"adwin:delta=0.9,rise=0,clock=1,of=mistakes",
		"adwin:delta=0.9,rise=0.05,clock=2,of=mistakes", "none"}[r.IntN(3)]
	onDrift := []string{"none", "reset", "reset"}[r.IntN(3)]
	if settings == "none" {
		onDrift = "none"
	}
	rule, err := c.SetDrift(settings, onDrift)
	if err != nil {
		w.t.Fatal(err)
	}
	return rule
}

// skipsNull reports whether null values are skipped.
func (w *world) skipsNull() bool {
	return w.setup.Config.ModelConfig.Decode.Tombstones == event.SkipTombstones
}

// background runs f in a goroutine that the world's end waits for.
func (w *world) background(f func()) { w.group.Go(f) }

// violate notes what must not be. The first one counts.
func (w *world) violate(format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	w.logf("VIOLATION: %s", what)
	w.note.Lock()
	defer w.note.Unlock()
	if w.wrong == "" {
		w.wrong = what
		close(w.broken)
	}
}

func (w *world) failed() bool {
	select {
	case <-w.broken:
		return true
	default:
		return false
	}
}

func (w *world) logf(format string, args ...any) {
	w.note.Lock()
	defer w.note.Unlock()
	w.lines = append(w.lines, fmt.Sprintf("%10.4f ", time.Since(w.began).Seconds())+fmt.Sprintf(format, args...))
}

func (w *world) count(what string) {
	w.note.Lock()
	defer w.note.Unlock()
	w.counts[what]++
}

// markerDelay is how long a marker takes: mostly no time, now and then longer than a takeover waits. The caller holds
// w.mu.
func (w *world) markerDelay() time.Duration {
	d := time.Duration(w.markers.IntN(2000)) * time.Microsecond
	if x, y := w.markers.Float64(), w.markers.IntN(100); x < w.mood.marker && !w.quiet.Load() {
		d = time.Duration(y) * 20 * time.Millisecond
		if y == 99 {
			d = 70 * time.Second
		}
	}
	return d
}

func (w *world) isDown() bool {
	w.note.Lock()
	defer w.note.Unlock()
	return time.Now().Before(w.down)
}
