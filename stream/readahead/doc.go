// Package readahead reads partitions ahead of the goroutine that uses their records, and prepares them in others: it
// decodes events and parses predictions. Recovery and verify use it.
//
// The partitions of a Group share the memory of a few: each reads ahead at least two blocks of records, and the more
// partitions there are, the smaller the blocks.
package readahead
