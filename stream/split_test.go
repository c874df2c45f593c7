package stream_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// split makes a setup whose partitions have a model each, with events in all of them, and the setups of its tasks.
func split(t *testing.T, partitions, records int) (all *streamtest.Setup, tasks []*streamtest.Setup) {
	t.Helper()
	s := streamtest.New(t, streamtest.Start(t), partitions)
	s.Kafka.Split = true
	if _, err := s.Client(t).Ensure(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	for p := range partitions {
		s.Cluster.Produce(t, s.Name, p, events(uint64(p), records)...)
		tasks = append(tasks, s.Of(int32(p)))
	}
	return s, tasks
}

// TestSplit: each partition has a model that learned from it alone, with its own seq, beside the others.
func TestSplit(t *testing.T) {
	t.Parallel()
	_, tasks := split(t, 3, 50)
	ran := make([]*stream.Task, len(tasks))
	var all sync.WaitGroup
	for p, s := range tasks {
		ran[p] = s.Task(t)
		all.Go(func() {
			if err := ran[p].Run(t.Context()); err != nil {
				t.Errorf("partition %d: %v", p, err)
			}
		})
	}
	all.Wait()
	for p, s := range tasks {
		o := s.Audit(t)
		status := ran[p].Status()
		if n := len(o.Predictions) + len(o.DeadLetters); n != 50 || status.Seq != int64(len(o.Predictions)) {
			t.Errorf("partition %d: %d outcomes, seq %d", p, n, status.Seq)
		}
		if x := status.Partitions; len(x) != 1 || x[0].Partition != int32(p) || x[0].Position != 50 {
			t.Errorf("partition %d: %+v", p, x)
		}
	}
}

// TestSplitCrashAnywhere kills the tasks of all partitions at random steps, again and again. Each has its own journal
// and recovers from that, whatever the others do.
func TestSplitCrashAnywhere(t *testing.T) {
	t.Parallel()
	partitions, records, most := 16, 120, 6
	switch {
	case streamtest.Real():
		partitions, records, most = 4, 20, 1
	case testing.Short():
		records = 40
	}
	_, tasks := split(t, partitions, records)
	crashes := make([]int, partitions)
	var all sync.WaitGroup
	for p, s := range tasks {
		r := rand.New(rand.NewPCG(uint64(p), 5))
		s.Config.BatchRecords, s.Config.CheckpointEvery = 1+r.IntN(20), int64(1+r.IntN(40))
		s.Config.CheckpointInterval, s.Config.Grace = time.Millisecond, time.Minute
		all.Go(func() { crashes[p] = crashUntilThrough(t, s, r, most) })
	}
	all.Wait()
	for _, s := range tasks {
		if t.Failed() {
			return
		}
		s.Audit(t)
	}
	t.Log("crashes:", crashes)
}

// TestSplitFencesItsPartitionAlone: a takeover of one task leaves no mark in the partitions of the others, which go on
// under the epoch that they hold.
func TestSplitFencesItsPartitionAlone(t *testing.T) {
	t.Parallel()
	s, tasks := split(t, 2, 10)
	tasks[0].Config.UntilEnd = false
	first, stop, _ := live(t, tasks[0])
	streamtest.Await(t, "predictions", func() bool { return first.Status().Seq == 10 })
	tasks[1].MustRun(t)
	tasks[1].MustRun(t)
	s.Cluster.Produce(t, s.Name, 0, events(7, 10)...)
	streamtest.Await(t, "predictions", func() bool { return first.Status().Seq == 20 })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if e := first.Status().Epoch; e != 1 {
		t.Errorf("epoch %d", e)
	}
}

// TestAddedPartitionIsAnotherTasks: partitions that are added to the topics are nothing to the tasks that run.
func TestAddedPartitionIsAnotherTasks(t *testing.T) {
	t.Parallel()
	s, tasks := split(t, 2, 10)
	tasks[1].Config.UntilEnd, tasks[1].Config.WatchEvery = false, 10*time.Millisecond
	task, stop, _ := live(t, tasks[1])
	streamtest.Await(t, "predictions", func() bool { return task.Status().Seq == 10 })
	s.Cluster.AddPartitions(t, s.Name, 4)
	if _, err := s.Client(t).Ensure(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	before := task.Status().EndsAt
	streamtest.Await(t, "some looks at the topics", func() bool {
		return task.Status().EndsAt.Sub(before) > 50*time.Millisecond
	})
	s.Cluster.Produce(t, s.Name, 1, events(7, 10)...)
	streamtest.Await(t, "predictions", func() bool { return task.Status().Seq == 20 })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if e := task.Status().Epoch; e != 1 {
		t.Errorf("epoch %d", e)
	}
	tasks[1].Audit(t)
}

// TestOtherModelPer: a checkpoint and a journal of the other kind are found and named, either way, predictions or not.
func TestOtherModelPer(t *testing.T) {
	t.Parallel()
	for _, records := range []int{0, 10} {
		t.Run(fmt.Sprint(records, " records"), func(t *testing.T) {
			t.Parallel()
			s, tasks := split(t, 2, records)
			rememberProducer(t, s.Cluster, s.MustRun(t))
			_, err := tasks[0].Run(t)
			wantOtherKind(t, err, "all")
			s, tasks = split(t, 2, records)
			rememberProducer(t, s.Cluster, tasks[0].MustRun(t))
			_, err = s.Run(t)
			wantOtherKind(t, err, "partition")
		})
	}
	s, tasks := split(t, 2, 10)
	tasks[0].MustRun(t)
	s.Config.Model, s.Dir = tasks[0].Config.Model, s.Dir+"/"+tasks[0].Config.Model
	if _, err := s.Run(t); !stops.Is(err, stops.ConfigDiffers) {
		t.Errorf("a checkpoint of one partition: %v", err)
	}
}

// rememberProducer lets kfake remember a task's producer as Kafka does, also without an open transaction.
func rememberProducer(t *testing.T, c *streamtest.Cluster, task *stream.Task) {
	t.Helper()
	file, _, err := task.Store.Newest()
	var h model.Header
	if err != nil || json.Unmarshal(file.Header, &h) != nil {
		t.Fatal(err)
	}
	if c.Fake == nil {
		return
	}
	c.Fake.ControlKey(kmsg.DescribeProducers.Int16(), func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.Fake.KeepControl()
		t := r.(*kmsg.DescribeProducersRequest).Topics[0]
		p := kmsg.DescribeProducersResponseTopicPartition{Partition: t.Partitions[0]}
		p.ActiveProducers = []kmsg.DescribeProducersResponseTopicPartitionActiveProducer{{ProducerID: h.Producer.ID}}
		res := r.ResponseKind().(*kmsg.DescribeProducersResponse)
		res.Topics = []kmsg.DescribeProducersResponseTopic{{Topic: t.Topic,
			Partitions: []kmsg.DescribeProducersResponseTopicPartition{p}}}
		return res, nil, true
	})
}

func wantOtherKind(t *testing.T, err error, modelPer string) {
	t.Helper()
	stop, ok := errors.AsType[*stops.Error](err)
	if !ok || stop.Name != stops.OtherWriter {
		t.Fatal(err)
	}
	t.Log(stop)
	if want := "--model-per " + modelPer; !strings.Contains(stop.Error(), want) {
		t.Errorf("%v: want %s", stop, want)
	}
}
