// Package kafka reads and writes Kafka for a task. A [Client] is one task's view of a cluster: a topics.Log, a
// topics.Committer, and what a start and an operator look up. Its readers deliver the records of a partition.
//
// What is below it stands alone, each package on those before:
//
//   - broker is one connection to one broker.
//   - verdict says what an error means: repeat, stop, recover.
//   - cluster makes a request of the right broker, and repeats it.
//   - fetch reads all partitions that readers want, and shares the memory of responses.
//   - produce writes: the task's journal under a fence, its checkpoints, and a topic outside of a task.
//
// The messages are franz-go's kmsg, the logins kafka-go's. Package recordbatch makes record batches.
//
// No client's producer can continue with a given producer id and epoch, write plain batches under a transactional id
// and read on to its own marker. No client's consumer gives positions behind markers, and the offsets of a batch that
// cannot be read. The connections are our own so that no request waits behind a long poll and responses use memory
// again. And `check` can name the step that fails. .github/CONTRIBUTING.md, "Decisions", has what was measured.
//
// Caveats: Kafka 2.8 or later is needed (topic ids in Metadata). From 3.1 on every fetch names the topic's id, so the
// broker refuses a recreated topic. Before that the id is looked up every five seconds.
package kafka
