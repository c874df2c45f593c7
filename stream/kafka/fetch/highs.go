package fetch

import (
	"slices"
	"sync"
)

// highs are the high watermarks of the topics that are read as of the last fetches, 0 before there is one.
type highs struct {
	mu sync.Mutex
	of map[string][]int64
}

func (h *highs) note(topic string, partition int32, high int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.of == nil {
		h.of = map[string][]int64{}
	}
	for int(partition) >= len(h.of[topic]) {
		h.of[topic] = append(h.of[topic], 0)
	}
	h.of[topic][partition] = high
}

func (h *highs) copy(topic string, partitions int) []int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append(slices.Clone(h.of[topic]), make([]int64, max(0, partitions-len(h.of[topic])))...)
}

// High are the high watermarks of a topic's partitions.
func (f *Fetcher) High(topic string, partitions int) []int64 { return f.highs.copy(topic, partitions) }
