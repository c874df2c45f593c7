// Package readahead reads partitions ahead of the goroutine that uses their records. Recovery and verify use it.
//
// The records of the input are decoded when they are needed. Records that were decoded long before their turn would
// have to come from memory again, and not from a processor's cache. Where many of a partition follow one another, as in
// a topic of one, other goroutines decode the next ones meanwhile.
//
// The partitions of a Group share the memory of a few: each reads ahead at least two blocks of records, and the more
// partitions there are, the smaller the blocks.
package readahead
