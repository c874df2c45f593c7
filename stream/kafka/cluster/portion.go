package cluster

import "math"

// A Portion is what a task has of each topic: every partition, or the one of this number alone.
type Portion int32

// Every is the portion of a task that has all partitions.
const Every Portion = -1

// away is the leader of a partition that another task has. Unlike one without a leader, nobody waits for it.
const away = math.MinInt32

// Has reports whether the task has a partition.
func (p Portion) Has(partition int) bool {
	//mutation:task-partition
	if p == Every {
		return true
	}
	return partition == int(p)
}

// OfCheckpoints is the partition of the checkpoint topic that the task has.
func (p Portion) OfCheckpoints() int32 { return max(0, int32(p)) }

// View is what the task has of topics. Its partition keeps its number, whatever partitions are added to a topic.
func (p Portion) View(of ...Topic) []Topic {
	if p == Every {
		return of
	}
	for i := range of {
		own := make([]int32, min(len(of[i].Leaders), int(p)+1))
		for n := range own {
			if own[n] = away; p.Has(n) {
				own[n] = of[i].Leaders[n]
			}
		}
		of[i].Leaders = own
	}
	return of
}

// Owned are the numbers of the task's partitions of so many.
func (p Portion) Owned(partitions int) (numbers []int32) {
	for n := range partitions {
		if p.Has(n) {
			numbers = append(numbers, int32(n))
		}
	}
	return numbers
}
