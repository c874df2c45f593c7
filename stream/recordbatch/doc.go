// Package recordbatch encodes and decodes Kafka's record batches, version 2 ("magic 2"), the only format that brokers
// since 4.0 store and send. It does not depend on connections or topics.
//
// A Builder encodes records for a Produce request. Next splits a Fetch response into batches and verifies their
// checksums, an Unpacker decompresses a batch within a limit, and Records iterates over its records. Neither writing
// nor reading a record allocates memory.
//
// # Layout
//
// All integers of the header are big-endian. The checksum covers everything from the attributes on, as on the wire.
//
//	 0  int64   base offset                      set by the broker
//	 8  int32   length of what follows           total - 12
//	12  int32   partition leader epoch           set by the broker
//	16  int8    magic                            2
//	17  uint32  CRC32C of what follows
//	21  int16   attributes                       bits 0-2 codec, 3 log append time, 4 transactional, 5 control,
//	                                             6 delete horizon
//	23  int32   last offset - base offset
//	27  int64   first timestamp, ms
//	35  int64   maximum timestamp, ms
//	43  int64   producer id                      -1 if none
//	51  int16   producer epoch
//	53  int32   sequence of the first record
//	57  int32   number of records
//	61          the records, together compressed with the codec
//
// A record is made of zigzag varints and bytes; a length of -1 means null.
//
//	varint  length of what follows
//	int8    attributes, unused
//	varint  timestamp - first timestamp (64 bits)
//	varint  offset - base offset
//	varint  length of the key, and the key
//	varint  length of the value, and the value
//	varint  number of headers, and for each
//	        varint length of its key, and the key; varint length of its value, and the value
//
// This follows Kafka's documentation ("Message Format", KIP-98) and, where that is incomplete, the Java client's
// DefaultRecordBatch and DefaultRecord.
//
// # Caveats
//
// The checksum does not cover base offset, length, leader epoch and magic. A flipped bit there shows as an offset out
// of order, as ErrPartial, not at all, or as Corrupt, respectively.
//
// Offsets within a batch may have gaps, and a batch may hold no record at all: compaction causes both.
//
// Snappy is written in the framing of snappy-java, the only one that the Java client reads; bare blocks are read too.
// LZ4 is the frame format with independent blocks.
package recordbatch
