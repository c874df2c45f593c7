// Package topics has what a task knows of its topics: which there are, their ids and bounds, runs of records read
// from one partition, and the producer id and fence under which it writes. Package stream/kafka implements it with
// brokers.
package topics
