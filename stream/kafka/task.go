package kafka

import (
	"fmt"

	"rosenblatt/stream/kafka/cluster"
)

// Task returns the view of a task that has one partition alone, of each topic that of the same number, with Skip and a
// transactional id of its own: nothing that another task does touches it. The partitions below it seem empty, those
// above it are not there. Connections and fetches are the client's, which is closed for all.
func (c *Client) Task(partition int32) *Client {
	t := &Client{cluster: c.cluster, opt: c.opt, names: c.names, portion: cluster.Portion(partition),
		fetcher: c.fetcher, look: c.look}
	//mutation:task-transactional-id
	t.opt.TransactionalID = fmt.Sprintf("%s.%d", c.opt.TransactionalID, partition)
	t.Skip(nil)
	return t
}
