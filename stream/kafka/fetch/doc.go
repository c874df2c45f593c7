// Package fetch reads partitions. A [Fetcher] requests all that a broker leads at once, for readers that each follow
// one partition, and hands them the batches of records. It decides which partitions are in a request, and how many
// bytes of each. It uses the memory of responses again.
package fetch
