package topics

// Run is a run of consecutive records of one partition. A Reader fills it.
type Run struct {
	Partition int32
	Records   []Record // in order of offset; offsets may have gaps
	Next      int64    // the position past these records and the markers, aborted records and gaps after them
	More      bool     // the next Read returns at once, without a request to the broker
	Behind    bool     // more records were there when these were fetched

	// Leader is the leader epoch of the batch before each position in the run: behind a record, or Next. Unknown: it is
	// not known.
	Leader int32

	memory []Memory // what the records alias
}

// Memory is what a reader keeps for a run of records until they are no longer needed.
type Memory interface {
	// Release is called once, from any goroutine.
	Release()
}

// Hold releases m together with the records. Readers call it.
func (c *Run) Hold(m Memory) { c.memory = append(c.memory, m) }

// Reset empties the run for the next Read. Without a Release before it, the records may be kept.
func (c *Run) Reset(partition int32, at int64) {
	clear(c.memory)
	c.Partition, c.Records, c.Next, c.memory = partition, c.Records[:0], at, c.memory[:0]
	c.More, c.Behind, c.Leader = false, false, UnknownEpoch
}

// Release returns the memory of the records to the reader.
func (c *Run) Release() {
	for _, m := range c.memory {
		m.Release()
	}
	c.Reset(c.Partition, c.Next)
}
