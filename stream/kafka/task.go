package kafka

import (
	"fmt"
	"math"
)

// every is the partition of a Client whose task has all of them.
const every = -1

// away is the leader of a partition that another task has. Unlike one without a leader, nobody waits for it.
const away = math.MinInt32

// Task returns the view of a task that has one partition alone, of each topic that of the same number, with Skip and a
// transactional id of its own: nothing that another task does touches it. The partitions below it seem empty, those
// above it are not there. Connections and fetches are the client's, which is closed for all.
func (c *Client) Task(partition int32) *Client {
	t := &Client{Cluster: c.Cluster, fetches: c.fetches, opt: c.opt, partition: partition}
	//mutation:task-transactional-id
	t.opt.TransactionalID = fmt.Sprintf("%s.%d", c.opt.TransactionalID, partition)
	t.Skip(nil)
	return t
}

// has reports whether the task has a partition.
func (c *Client) has(partition int) bool {
	//mutation:task-partition
	if c.partition == every {
		return true
	}
	return partition == int(c.partition)
}

// checkpointPartition is the partition of the checkpoint topic that the task has.
func (c *Client) checkpointPartition() int32 { return max(0, c.partition) }

// view is what the task has of topics. Its partition keeps its number, whatever partitions are added to a topic.
func (c *Client) view(of ...topicMeta) []topicMeta {
	if c.partition == every {
		return of
	}
	for i := range of {
		own := make([]int32, min(len(of[i].leaders), int(c.partition)+1))
		for p := range own {
			if own[p] = away; c.has(p) {
				own[p] = of[i].leaders[p]
			}
		}
		of[i].leaders = own
	}
	return of
}

// owned are the numbers of the task's partitions of so many.
func (c *Client) owned(partitions int) (numbers []int32) {
	for p := range partitions {
		if c.has(p) {
			numbers = append(numbers, int32(p))
		}
	}
	return numbers
}
