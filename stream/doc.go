// Package stream is the loop that Rosenblatt runs. It reads labelled events, predicts each one before it uses its
// label, learns from it, and publishes the prediction. After any crash the output topic and the newest checkpoint give
// back the same model, to the bit.
//
// A Task is one model with its input, its journal (the output topic and, where labels come later, that of outcomes),
// and its checkpoints. Task.Run recovers first: it loads the newest checkpoint and fences every other writer. It learns
// again from the journal what was predicted since, saves, and goes live. It does the same, in process, when a write is
// indeterminate. A standby follows between loading and fencing, for as long as another member has the task.
//
// A topics.Log, a topics.Journal and a topics.Committer are what a task needs of a cluster. Package stream/kafka
// implements them. Package stream/model predicts and learns, stream/event decodes, stream/journal has the records that
// are written. What a task knows is in stream/state, and what waits for labels in stream/late. How it starts is decided
// in stream/plan; what others see of it is on the board of stream/board. Here are recovery, live handling and saving.
// PROTOCOL.md states the invariant and how it is kept.
//
// # Goroutines
//
// A session is the time between two recoveries, in which a task is live. Chunks of records, flights to be written and
// one snapshot of the state circulate between its goroutines:
//
//	          free chunks
//	   +------------------------+
//	   v                        |
//	readers --> scheduler --> learner --> queue --> writer --> saver
//	              |    ^        ^  ^                  |          |
//	              v    |        |  +-- spare flights -+          |
//	             decoders       +------- free snapshot ----------+
//
//	goroutine               owns
//	reader, one for each    its Reader and the chunk that it fills
//	  input partition
//	decoder, several        the examples of the chunk that it decodes
//	learner                 the state: model, score, counts, seq, positions; the chunk that
//	                        it learns, the queue's open flight, the snapshot while it copies
//	writer                  the Journal and its ends; the flight that it writes; the snapshot of
//	                        that flight, until all that it holds is acknowledged
//	saver                   the Store; the snapshot that it saves; the group's offsets
//	watcher                 nothing: it checks for added partitions and the lag
//
// Where labels come later there are also readers of their topic. One goroutine asks for the ends of topics while
// something waits for them, and one reads events back. While a task follows, one goroutine reads the journal and owns
// the state, one reads the checkpoint topic on, and the watcher works as while it is live.
//
// The order of the chunks is decided where readers put them, so decoders may work in any order. Where labels come
// later, labels.Merge then decides by time. A chunk of few records is decoded by the learner. The writer takes a
// flight when it has nothing to write, and until then the learner adds to it. Other goroutines get copies: Status and
// Copy.
//
// # Caveats
//
// Records of several partitions are learned in the order in which they arrive, or by time where labels come later. So
// two models on the same input may differ; the journal of each has its order. A record of another writer in the output
// topic stops the task.
package stream
