package streamtest

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/event"
	"rosenblatt/stream/internal/awake"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

// Setup is one task under test: its topics, its folder, and its configuration.
type Setup struct {
	Cluster *Cluster
	Name    string // of input topic and model
	Out     string // the output topic; by default it follows from Name
	Dir     string // state folder
	Config  state.Config
	Kafka   kafka.Options               // the rest is filled in by Client
	Adjust  func(*stream.Task)          // changes each task; may be nil
	Log     zerolog.Logger              // nothing is logged by default
	Wrap    func(topics.Log) topics.Log // between task and cluster; may be nil
	State   string                      // the checkpoint topic; none by default
	Gone    [][]topics.Record           // input records that the log no longer has, by partition, for Audit
}

// New makes a setup for format json and the perceptron, with an input topic of this many partitions, an output and a
// dead-letter topic.
func New(t testing.TB, c *Cluster, partitions int) *Setup {
	t.Helper()
	s := &Setup{Cluster: c, Name: Name(t), Dir: t.TempDir(), Log: zerolog.Nop()}
	c.Topic(t, s.Name, partitions)
	c.Topic(t, s.Output(), partitions)
	c.Topic(t, s.DeadLetters(), 1)
	options := event.Defaults(event.JSON)
	options.Bits = 12
	s.Config = state.Config{Model: s.Name, UntilEnd: true, CheckpointInterval: time.Second, Build: "test",
		ModelConfig: model.Config{Learner: learner.Spec{Learner: "perceptron", Scale: "standard",
			Bits: options.Bits}.WithDefaults(), Decode: options}}
	return s
}

// Output names the output topic.
func (s *Setup) Output() string { return cmp.Or(s.Out, s.Name+".predictions") }

// DeadLetters names the dead-letter topic.
func (s *Setup) DeadLetters() string { return s.Name + ".dlq" }

// Client opens the setup's topics. It is closed with the test.
func (s *Setup) Client(t testing.TB) *kafka.Client {
	t.Helper()
	o := s.Kafka
	o.Brokers, o.Input, o.Output, o.DeadLetters = s.Cluster.Brokers, s.Name, s.Output(), s.DeadLetters()
	o.Checkpoints = s.State
	o.TransactionalID, o.Group, o.ClientID, o.Log = "rosenblatt."+s.Output(), "rosenblatt-"+s.Name, "test", s.Log
	c, err := kafka.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	if s.Config.Partition != nil {
		return c.Task(*s.Config.Partition)
	}
	return c
}

// Of is the setup of the task of one partition, which has a model of its own.
func (s *Setup) Of(partition int32) *Setup {
	one := *s
	one.Config.Model, one.Config.Partition = fmt.Sprintf("%s.%d", s.Name, partition), &partition
	one.Dir = filepath.Join(s.Dir, one.Config.Model)
	return &one
}

// Task makes a task of its own on the setup's topics and folder.
func (s *Setup) Task(t testing.TB) *stream.Task {
	t.Helper()
	c := s.Client(t)
	j := c.Journal()
	task := (&stream.Task{Config: s.Config, Log: c, Journal: j, Group: c, Logger: s.Log,
		Store: &checkpoint.Store{FS: checkpoint.OS{}, Dir: filepath.Join(s.Dir, s.Name)}}).Open()
	if s.State != "" {
		task.Checkpoints = j.Checkpoints()
	}
	if s.Wrap != nil {
		task.Log = s.Wrap(task.Log)
	}
	if s.Adjust != nil {
		s.Adjust(task)
	}
	return task
}

// Run runs a task of its own to its end within two minutes.
func (s *Setup) Run(t testing.TB) (*stream.Task, error) {
	t.Helper()
	ctx, cancel := awake.Timeout(context.Background(), 2*time.Minute)
	defer cancel()
	task := s.Task(t)
	err := task.Run(ctx)
	if err == nil && ctx.Err() != nil { // an ordinary end of a task
		err = fmt.Errorf("not at its end after two minutes: %+v", task.Status().Partitions)
	}
	return task, err
}

// MustRun is Run that fails the test on an error.
func (s *Setup) MustRun(t testing.TB) *stream.Task {
	t.Helper()
	task, err := s.Run(t)
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	return task
}

// Background runs something beside the test. stop ends it and returns its error; ended tells how it ended by itself.
// The end of the test waits for it: it uses the test's folder and cluster.
func Background(t testing.TB, run func(context.Context) error) (stop func() error, ended <-chan error) {
	ctx, cancel := context.WithCancel(context.Background())
	result, finished := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(finished)
		result <- run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-finished
	})
	return func() error { cancel(); return <-result }, result
}

// Timeout is a context that ends what hangs: a time in which this process does not run does not count.
func Timeout(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := awake.Timeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// Await polls until cond holds, for at most two minutes: other work may slow a test down.
func Await(t testing.TB, what string, cond func() bool) {
	t.Helper()
	late, cancel := awake.Timeout(context.Background(), 2*time.Minute)
	defer cancel()
	for ; !cond(); time.Sleep(2 * time.Millisecond) {
		if late.Err() != nil {
			t.Fatalf("waited two minutes for: %s", what)
		}
	}
}
