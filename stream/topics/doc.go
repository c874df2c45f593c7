// Package topics has what a task knows of its topics: their ids and bounds, runs of records, and the producer id and
// fence under which it writes. Package stream/kafka implements it with brokers.
package topics
