package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/segmentio/kafka-go"

	"rosenblatt/stream/group"
	streamkafka "rosenblatt/stream/kafka"
	"rosenblatt/stream/streamtest"
)

// TestFaultGroupCoordinator kills the coordinator of a group of three: its members keep their tasks, and the group goes
// on with another coordinator.
func TestFaultGroupCoordinator(t *testing.T) {
	n := threeNodes(t)
	const session = 10 * time.Second
	name := streamtest.Name(t) + ".tasks"
	news := make(chan struct{}, 100)
	var members []*group.Member
	var leave []context.CancelFunc
	for i := range 3 {
		client, err := streamkafka.New(streamkafka.Options{
			ClusterOptions: streamkafka.ClusterOptions{Brokers: n.brokers, ClientID: "test", Log: zerolog.Nop()},
			Input:          "in", Output: "out", DeadLetters: "dlq",
		})
		if err != nil {
			t.Fatal(err)
		}
		instance := fmt.Sprint("m", i)
		var held [6]group.Held
		for task := range held {
			held[task].Task = int32(task)
		}
		m := group.New(group.Config{
			Instance: instance, Session: session, Settings: "s", Format: 3, Standbys: 1,
			State:     func() group.State { return group.State{Tasks: len(held), Held: held[:]} },
			Transport: client.Member(name, instance, session),
			Log:       zerolog.New(zerolog.NewTestWriter(t)),
		})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			defer close(done)
			if err := m.Run(ctx); err != nil {
				t.Error(err)
			}
		}()
		go func() {
			for a, err := m.Next(ctx, 0); err == nil; a, err = m.Next(ctx, a.Number) {
				news <- struct{}{}
			}
		}()
		t.Cleanup(func() { cancel(); <-done; client.Close() })
		members, leave = append(members, m), append(leave, cancel)
	}
	before := awaitTasks(t, news, members, 6)

	node := coordinator(t, n, name)
	n.kill(t, node)
	t.Logf("node %d was the coordinator", node)
	began := time.Now()
	leave[0]()
	after := awaitTasks(t, news, members[1:], 6)
	t.Logf("a member that left was replaced after %v", time.Since(began))
	for i, tasks := range before[1:] {
		for _, task := range tasks {
			if !slices.Contains(after[i], task) {
				t.Errorf("task %d moved: %v, then %v", task, before, after)
			}
		}
	}
}

// awaitTasks waits until each of so many tasks has one owner, and each member as many.
func awaitTasks(t *testing.T, news <-chan struct{}, members []*group.Member, tasks int) (of [][]int32) {
	t.Helper()
	late := streamtest.Timeout(t, 2*time.Minute).Done()
	for {
		of = nil
		seen := map[int32]int{}
		for _, m := range members {
			a, err := m.Next(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			of = append(of, a.Active)
			for _, task := range a.Active {
				seen[task]++
			}
		}
		uneven := slices.ContainsFunc(of, func(a []int32) bool { return len(a) != tasks/len(members) })
		if len(seen) == tasks && !uneven {
			return of
		}
		select {
		case <-news:
		case <-late:
			t.Fatalf("the tasks are with %v", of)
		}
	}
}

// coordinator returns the node that coordinates a group.
func coordinator(t *testing.T, n *nodes, name string) (node int) {
	t.Helper()
	client := &kafka.Client{Addr: kafka.TCP(n.brokers...), Timeout: 10 * time.Second}
	res, err := client.FindCoordinator(t.Context(), &kafka.FindCoordinatorRequest{Key: name})
	if err != nil || res.Coordinator == nil {
		t.Fatal(res, err)
	}
	return 1 + slices.IndexFunc(n.brokers, func(b string) bool {
		return strings.HasSuffix(b, fmt.Sprint(":", res.Coordinator.Port))
	})
}
