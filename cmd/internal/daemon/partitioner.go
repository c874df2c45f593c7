package daemon

import (
	kafkago "github.com/segmentio/kafka-go"

	"rosenblatt/cmd/internal/cli"
)

// What Keys.Partitioner may be. There is no fnv1a: two forms of it are in use, which differ in the sign.
const (
	murmur2 = "murmur2"
	crc32   = "crc32"
)

// Keys says how the partition of a record with a key is chosen.
type Keys struct {
	Partitioner string `default:"murmur2" placeholder:"murmur2|crc32"`
}

// FlagHelp implements cli.Documented.
func (Keys) FlagHelp() cli.Help {
	return `
partitioner: How the partition of a key is chosen: murmur2, as Java's producers do, or crc32, as those on librdkafka
	(default: ${default}).
`
}

// CheckKeys adds what is wrong with the setting.
func (k *Keys) CheckKeys(f *cli.Faults) { f.OneOf("partitioner", k.Partitioner, murmur2, crc32) }

// PartitionOf returns in which of the partitions 0, 1 ... records with a key are. It returns false where they may be in
// any: without a key and, by crc32, with an empty one, which librdkafka takes for none.
func (k *Keys) PartitionOf(key []byte, partitions []int) (partition int, fixed bool) {
	m := kafkago.Message{Key: key}
	//mutation:crc32
	if k.Partitioner == crc32 {
		return kafkago.CRC32Balancer{Consistent: true}.Balance(m, partitions...), len(key) > 0
	}
	return kafkago.Murmur2Balancer{Consistent: true}.Balance(m, partitions...), key != nil
}

// allOf are so many partitions.
func allOf(partitions int) []int {
	all := make([]int, partitions)
	for p := range all {
		all[p] = p
	}
	return all
}
