package daemon

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// TestPartitionOf: as producers on librdkafka 2.16 have placed these keys on Apache Kafka 4.3.1, by its partitioners
// consistent_random and murmur2_random. Those that each of them has placed at random are in any partition.
func TestPartitionOf(t *testing.T) {
	t.Parallel()
	const any = -1
	for _, c := range []struct {
		key      []byte
		crc, mur [2]int // of 5 partitions and of 16
	}{
		{[]byte("anna"), [2]int{3, 7}, [2]int{3, 7}}, {[]byte("bert"), [2]int{2, 14}, [2]int{4, 11}},
		{[]byte("carl"), [2]int{2, 1}, [2]int{2, 10}}, {[]byte("dora"), [2]int{1, 15}, [2]int{0, 6}},
		{[]byte("21"), [2]int{2, 4}, [2]int{0, 12}}, {[]byte("foobar"), [2]int{4, 5}, [2]int{1, 14}},
		{[]byte("a-little-bit-long-string"), [2]int{4, 2}, [2]int{2, 0}},
		{[]byte("žluťoučký"), [2]int{1, 5}, [2]int{1, 4}}, {[]byte{0, 0xff}, [2]int{4, 2}, [2]int{3, 1}},
		{[]byte{}, [2]int{any, any}, [2]int{1, 9}}, {nil, [2]int{any, any}, [2]int{any, any}},
	} {
		for i, n := range []int{5, 16} {
			for partitioner, want := range map[string]int{crc32: c.crc[i], murmur2: c.mur[i]} {
				got, fixed := (&Keys{partitioner}).PartitionOf(c.key, allOf(n))
				if fixed != (want != any) || fixed && got != want {
					t.Errorf("%q by %s, of %d: %d %v, want %d", c.key, partitioner, n, got, fixed, want)
				}
			}
		}
	}
}

// produceKeys writes an event for each key, at a time in ms and after it, to the partition that is named.
func produceKeys(t *testing.T, c *streamtest.Cluster, topic string, keys []string, at int64, of func(key string) int) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(c.Brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for i, key := range keys {
		r := &kgo.Record{Topic: topic, Partition: int32(of(key)), Key: []byte(key),
			Timestamp: time.UnixMilli(at + int64(i)), Value: []byte(`{"label":1,"x":1}`)}
		if err := client.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

var names = strings.Fields("anna bert carl dora emil frida gerd hanna ida jens kurt lena max nora otto paul")

// TestKeysElsewhere: the newest events show which partitioner has placed their keys. By another one than the setting
// /predict?key= does not guess, and the daemon says which one fits, if one does.
func TestKeysElsewhere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		placed, setting string
		want            string // in /status; empty: all is well
	}{
		"java":        {murmur2, murmur2, ""},
		"librdkafka":  {crc32, murmur2, "but where crc32 does: set --partitioner crc32"},
		"set":         {crc32, crc32, ""},
		"set wrongly": {murmur2, crc32, "but where murmur2 does: set --partitioner murmur2"},
		"others":      {"", murmur2, "/predict needs ?partition=N"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cluster, s := splitCluster(t, 4, 0)
			s.Partitioner = c.setting
			place := func(key string) int { return len(key) % 4 }
			if c.placed != "" {
				place = func(key string) int {
					p, _ := (&Keys{c.placed}).PartitionOf([]byte(key), allOf(4))
					return p
				}
			}
			produceKeys(t, cluster, s.Input, names, 1000, place)
			d, url, stop, _ := serve(t, s)
			streamtest.Await(t, "live models, and a look at the keys", func() bool {
				if live(d) < 4 {
					return false
				}
				d.mu.Lock()
				defer d.mu.Unlock()
				return len(d.keys) == 1
			})
			if status := get(t, url+"/status"); c.want != "" && !strings.Contains(status, c.want) ||
				c.want == "" && !strings.Contains(status, `"notices":[],"tasks"`) {
				t.Errorf("/status: %.600s: want %s", status, c.want)
			}
			res, err := http.Post(url+"/predict?key=anna", "application/json", strings.NewReader(`{"x":1}`))
			if err != nil {
				t.Fatal(err)
			}
			text := body(t, res)
			if refused := res.StatusCode == http.StatusConflict; refused != (c.want != "") ||
				refused && !strings.Contains(text, "unknown-partition") {
				t.Errorf("/predict: %d %s", res.StatusCode, text)
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOldKeysDoNotCount: keys that were placed when the topic had fewer partitions do not count beside newer ones.
func TestOldKeysDoNotCount(t *testing.T) {
	t.Parallel()
	cluster, s := splitCluster(t, 2, 0)
	by := func(n int) func(string) int {
		return func(key string) int { p, _ := s.PartitionOf([]byte(key), allOf(n)); return p }
	}
	produceKeys(t, cluster, s.Input, names, 1000, by(2))
	cluster.AddPartitions(t, s.Input, 5)
	for round := range int64(4) {
		produceKeys(t, cluster, s.Input, names, 2000+100*round, by(5))
	}
	d := run(t, s)
	if k := d.keys[topics.Input]; k.Keys != judged || k.Differ() {
		t.Errorf("%+v", k)
	}
	s.Partitioner = "fnv1a"
	if _, err := New(s, d.log); err == nil || !strings.Contains(err.Error(), `partitioner: "fnv1a": want murmur2`) {
		t.Error(err)
	}
}

// TestLabelsElsewhere: labels whose keys another partitioner has placed are of no event in their partitions. The
// daemon says that before, and what is logged of the first one names it.
func TestLabelsElsewhere(t *testing.T) {
	t.Parallel()
	c, s := splitCluster(t, 4, 0)
	s.Labels, s.Partitioner, s.Join, s.LabelSlack = s.Input+".labels", crc32, "key", 0
	c.Topic(t, s.Labels, 4)
	by := func(partitioner string) func(string) int {
		return func(key string) int { p, _ := (&Keys{partitioner}).PartitionOf([]byte(key), allOf(4)); return p }
	}
	const now = 1_795_257_554_000 // a label of 1970 is told to be one in seconds
	produceKeys(t, c, s.Input, names, now, by(crc32))
	produceKeys(t, c, s.Labels, names, now+1000, by(murmur2))
	var log lockedBuffer
	d := logging(t, s, zerolog.New(&log))
	if err := d.Run(streamtest.Timeout(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	text := log.String()
	for _, want := range []string{"records of " + s.Labels + " with a key", "let producers of both place keys",
		`"reason":"no-example"`, "do producers of both place keys with one"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if notices := d.keyNotices(); len(notices) != 1 || !strings.Contains(notices[0], s.Labels) {
		t.Errorf("%q", notices)
	}
}

// lockedBuffer is what several goroutines write to.
type lockedBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}
