// Package topics has what a task knows of its topics: their ids and bounds, runs of records, and the producer id and
// fence under which it writes.
//
// A Log reads them, a Journal writes them, and a Committer keeps the task's positions in a consumer group. These are
// what a task needs of a cluster. Package stream/kafka implements them with brokers, tests without one.
package topics
