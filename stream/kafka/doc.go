// Package kafka reads and writes Kafka for a task. A [Cluster] is the brokers; it knows no task. A [Client] is the
// topics of a task on a cluster: a stream.Log and a stream.Committer. Its [Journal], the stream.Journal, fences and
// writes predictions, outcomes and dead letters. A [Sender] writes to a topic outside of a task, with the same
// idempotent producer.
//
// A pool keeps connections, a metadata cache knows the leaders, and a fetcher requests all partitions that a broker
// leads at once; package wire is one connection, TLS and SASL included. The messages are franz-go's kmsg. kafka-go, of
// which only SASL is used here, has no topic ids, decompresses without a limit, and cannot be idempotent. Package
// recordbatch makes record batches.
//
// What an error means depends on its code, the operation and the phase: see judge.go.
//
// Caveats: Kafka 2.8 or later is needed (topic ids in Metadata). From 3.1 on every fetch names the topic's id, so the
// broker refuses a recreated topic; before that the id is looked up every five seconds.
package kafka
