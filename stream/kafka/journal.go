package kafka

import "rosenblatt/stream/kafka/produce"

// Journal returns a new writer of the task's topics: predictions, outcomes, dead letters and checkpoints. It writes
// nothing before Takeover.
func (c *Client) Journal() *produce.Journal { return produce.NewJournal(c.view()) }

func (c *Client) view() *produce.View {
	return &produce.View{
		Cluster: c.cluster, Fetcher: c.fetcher, Reader: c, Names: c.names, Portion: c.portion,
		TransactionalID: c.opt.TransactionalID, Codec: c.opt.Codec, RenewEvery: c.opt.RenewEvery,
		TxnTimeout: c.opt.txnTimeout,
	}
}

// ReadCheckpoints opens a partition of a checkpoint topic outside of a task. The caller closes it.
func ReadCheckpoints(cluster ClusterOptions, topic string, partition int32) (*produce.CheckpointLog, error) {
	client, err := newClient(Options{ClusterOptions: cluster, Checkpoints: topic}, topic)
	if err != nil {
		return nil, err
	}
	return client.Task(partition).Journal().Checkpoints(), nil
}
