// Package stream is the heart of Rosenblatt: the loop that reads labelled events, answers each one before it sees the label,
// learns from it, and publishes the answer, so that after any crash the topic of answers and the newest checkpoint give back
// the very same model, to the bit.
//
// A Task is one model with its input, its journal (the output topic) and its checkpoints; Run is its life. Each life begins
// with recovery, in one path: load the newest checkpoint, fence every other writer, learn again from the journal what was
// answered since, save, go on. The same path is taken in process whenever a write ends in doubt.
//
// A Processor is predict, score, learn: the one place where an example meets the model.
//
// A Log, a Journal and a Committer are what a task needs of a cluster; package stream/kafka has them. A Stop is a state of the
// world in which the promise cannot be kept: it has a name, and says what is safe and what to do.
//
// # The invariant
//
// Below every saved position each record was answered (and learned if labelled) or dead-lettered, and that is acknowledged.
// The order that keeps it: dead letters of a chunk and of all before it, then the chunk's answers, then a checkpoint, then group
// offsets, each acknowledged before the next. One batch of answers is in flight, so the answers readable at any moment are
// a prefix of seq 1, 2, 3 ...
//
// # Goroutines
//
// One reader for each partition fills chunks, decoders decode them side by side, one goroutine answers and learns in the order
// in which chunks came and owns model, score and positions, one writes, one saves. Everybody else reads copies (Status, Copy).
//
// # Caveats
//
// The order between partitions is the order of arrival: two runs over several partitions learn in different orders, and each
// one's journal says in which. What another writer puts into the output topic stops the task.
package stream
