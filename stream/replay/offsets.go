package replay

import "rosenblatt/stream/topics"

// offsets is the progress of a source of partitions.
type offsets struct {
	begin  int64 // where the parts begin, added up
	passed int64
	total  int64
}

// add adds a part, unless it is empty.
func (o *offsets) add(p topics.Part) bool {
	if p.To <= p.From {
		return false
	}
	o.begin += p.From
	o.total += p.To - p.From
	return true
}

// Done implements Source.
func (o *offsets) Done() (done, total int64) { return o.passed, o.total }
