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
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/event"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
)

// brokers are what worlds share.
type brokers struct {
	net     network
	cluster *streamtest.Cluster
	worlds  []*world   // mostly one
	mu      sync.Mutex // of what the worlds know about the brokers
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
	widths  []int // partitions that the outcomes had, as they were added
	events  int64 // that the brokers have seen: what late requests wait for
	late    []lateRequest
	markers *rand.Rand

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
		markers: rand.New(rand.NewPCG(seed, 1)), root: t.TempDir(), began: time.Now(),
		broken: make(chan struct{}), counts: map[string]int{}}
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
	if w.rng.IntN(3) == 0 {
		w.setup.Kafka.RenewEvery = []time.Duration{200 * time.Millisecond, 2 * time.Second}[w.rng.IntN(2)]
	}
	w.txn, w.states = coordinator{epoch: -1, last: -1}, map[place]*producerState{}
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
func (w *world) config() stream.Config {
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
	return stream.Config{Model: modelName, ModelConfig: fixed, Build: "test",
		CheckpointInterval: []time.Duration{time.Millisecond, 50 * time.Millisecond, time.Second}[r.IntN(3)],
		CheckpointEvery:    int64(1 + r.IntN(60)),
		BatchRecords:       1 + r.IntN(30), Grace: time.Duration(1+r.IntN(8)) * time.Second,
		WatchEvery: []time.Duration{20 * time.Millisecond, 300 * time.Millisecond, time.Second}[r.IntN(3)]}
}

// topics makes the topics and returns the parcels of the input.
func (w *world) topics() (parcels []parcel) {
	r := w.rng
	if p := w.setup.Config.Partition; p != nil { // newWorlds has made the topics
		events := [][]parcel{w.plan(*p, 20+r.IntN(80))}
		return w.barren(shuffle(r, append(events, w.planLabels(events)...)))
	}
	in, deadLetters := 1+r.IntN(4), 1+r.IntN(2)
	out := in + r.IntN(2)
	w.create(w.setup.Name, in)
	w.create(w.setup.DeadLetters(), deadLetters)
	if w.narrow = w.seed%5 < 2 && !w.hasLabels(); w.narrow {
		w.create(w.setup.Output(), out, "max.message.bytes", "2000")
	} else {
		w.create(w.setup.Output(), out)
	}
	outcomes := w.setup.Kafka.Outcomes
	if outcomes != "" {
		w.widths = append(w.widths, 1+r.IntN(4))
		w.create(outcomes, w.widths[0])
	}
	if w.setup.State != "" {
		w.create(w.setup.State, 1, "cleanup.policy", "compact")
	}
	var lists [][]parcel
	for p := range in {
		lists = append(lists, w.plan(int32(p), 20+r.IntN(80)))
	}
	parcels = shuffle(r, append(lists, w.planLabels(lists)...))
	if r.IntN(4) == 0 {
		grown := w.plan(int32(in), 10+r.IntN(30))
		grown[0].before = func() {
			if out < in+1 {
				w.widen(w.setup.Output(), in+1)
			}
			if w.seed%2 == 0 {
				w.widen(w.setup.DeadLetters(), deadLetters+1)
			}
			if outcomes != "" {
				w.mu.Lock()
				w.widths = append(w.widths, w.widths[0]+1)
				w.mu.Unlock()
				w.widen(outcomes, w.widths[1])
			}
			w.widen(w.setup.Name, in+1)
		}
		half := len(parcels) / 2
		parcels = append(parcels[:half:half], shuffle(r, [][]parcel{parcels[half:], grown})...)
	}
	return w.barren(parcels)
}

// skipsNull reports whether null values are skipped.
func (w *world) skipsNull() bool {
	return w.setup.Config.ModelConfig.Decode.Tombstones == event.SkipTombstones
}

// shuffle merges lists, each in its own order.
func shuffle(r *rand.Rand, lists [][]parcel) (out []parcel) {
	for {
		var left []int
		for i := range lists {
			if len(lists[i]) > 0 {
				left = append(left, i)
			}
		}
		if len(left) == 0 {
			return out
		}
		i := left[r.IntN(len(left))]
		out, lists[i] = append(out, lists[i][0]), lists[i][1:]
	}
}

// create makes a topic; config is name, value, name, value ...
func (w *world) create(name string, partitions int, config ...string) {
	req := kmsg.NewPtrCreateTopicsRequest()
	req.Version, req.TimeoutMillis = 4, 1000
	t := kmsg.NewCreateTopicsRequestTopic()
	t.Topic, t.NumPartitions, t.ReplicationFactor = name, int32(partitions), 1
	for i := 0; i < len(config); i += 2 {
		c := kmsg.NewCreateTopicsRequestTopicConfig()
		c.Name, c.Value = config[i], &config[i+1]
		t.Configs = append(t.Configs, c)
	}
	req.Topics = append(req.Topics, t)
	for _, address := range w.cluster.Brokers { // one of them is the controller
		res, err := ask[*kmsg.CreateTopicsResponse](&w.net, address, req)
		if err == nil && res.Topics[0].ErrorCode == 0 {
			return
		}
	}
	w.t.Fatalf("create topic %s", name)
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
