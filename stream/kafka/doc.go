// Package kafka reads and writes Kafka for a task. A [Cluster] is the brokers; it knows no task. A [Client] is the
// topics of a task on a cluster: a topics.Log and a topics.Committer. Its [Journal], the topics.Journal, fences and
// writes predictions, outcomes, dead letters and checkpoints. A [Sender] writes to a topic outside of a task, with the
// same idempotent producer.
//
// A pool keeps connections, a metadata cache knows the leaders, and a fetcher requests all partitions that a broker
// leads at once. Package broker is one connection, TLS and SASL included. The messages are franz-go's kmsg, the logins
// kafka-go's. Package recordbatch makes record batches.
//
// No client's producer can continue with a given producer id and epoch, write plain batches under a transactional id
// and read on to its own marker. No client's consumer gives positions behind markers, and the offsets of a batch that
// cannot be read. The connections are our own so that no request waits behind a long poll and responses use memory
// again. And `check` can name the step that fails. .github/CONTRIBUTING.md, "Decisions", has what was measured.
//
// What an error means depends on its code, the operation and the phase: see judge.go.
//
// Caveats: Kafka 2.8 or later is needed (topic ids in Metadata). From 3.1 on every fetch names the topic's id, so the
// broker refuses a recreated topic. Before that the id is looked up every five seconds.
package kafka
