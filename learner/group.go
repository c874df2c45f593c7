package learner

import "slices"

// group is tables with rows for the same slots, and which blocks of them were written to: since the newest replica
// began, in a replica and in a model without one since ClearChanged.
type group struct {
	slots   int
	tables  []Column
	changed blocks
	list    uint64  // of names: the blocks of its slots have all changed; or 0
	parts   []*part // of replicas, in which a block may be due to be copied before it is written to
}

// newGroup is a group all of which has changed. A table without a width has one element for each slot.
func newGroup(slots int, tables ...Column) *group {
	for i := range tables {
		tables[i].width = max(1, tables[i].width)
	}
	g := &group{slots: slots, tables: tables, changed: newBlocks(slots)}
	g.changed.fill(slots)
	return g
}

// columns lists the tables.
func (g *group) columns() []Column {
	columns := slices.Clone(g.tables)
	for i := range columns {
		columns[i].group = g
	}
	return columns
}

// touch precedes a write to the slots of x, whose list of names has a number, or 0 (see Model.LearnNamed).
func (g *group) touch(x []Feature, names uint64) {
	if names != 0 && names == g.list {
		return
	}
	changed := g.changed
	for i := range x {
		if b := x[i].Slot >> blockShift; !changed.has(b) {
			g.firstTouch(b)
		}
	}
	g.list = names
}

// touchNumeric is touch for the slots of numeric features.
func (g *group) touchNumeric(x []Feature, names uint64) {
	if names != 0 {
		g.touch(x, names)
		return
	}
	changed := g.changed
	for i := range x {
		if b := x[i].Slot >> blockShift; x[i].Kind == Numeric && !changed.has(b) {
			g.firstTouch(b)
		}
	}
}

func (g *group) clearChanged() {
	clear(g.changed)
	g.list = 0
}

// touchAll precedes a write to all slots.
func (g *group) touchAll() {
	for slot := 0; slot < g.slots; slot += blockSlots {
		g.touchSlot(uint32(slot))
	}
}

func (g *group) touchSlot(slot uint32) {
	if b := slot >> blockShift; !g.changed.has(b) {
		g.firstTouch(b)
	}
}

//go:noinline
func (g *group) firstTouch(b uint32) {
	g.changed.add(b)
	for _, p := range g.parts {
		//mutation:copy-before-write
		if p.due.has(b) {
			p.copyBlocks(int(b), int(b)+1)
			p.due.remove(b)
		}
	}
}

// rows returns the elements of a table that a run of blocks has. The element behind the last slot, a bias, belongs to
// no block.
func (c *Column) rows(slots, from, to int) (a, b int) {
	return from * blockSlots * c.width, min(to*blockSlots, slots) * c.width
}

// Changed yields the ranges from..to of elements outside of which the column is as it was at ClearChanged, or when it
// was loaded with MarkChanged.
func (c *Column) Changed(yield func(from, to int) bool) {
	switch {
	case c.group != nil:
		c.changedRows(yield)
	case c.names != nil && c.names.kept < len(c.Bytes):
		yield(c.names.kept, len(c.Bytes))
	case c.names == nil && len(c.Bytes) > 0:
		yield(0, len(c.Bytes))
	}
}

func (c *Column) changedRows(yield func(from, to int) bool) {
	g := c.group
	for from, to := g.changed.run(0); from < to; from, to = g.changed.run(to) {
		a, b := c.rows(g.slots, from, to)
		if !yield(a, b) {
			return
		}
	}
	if end, n := g.slots*c.width, len(c.Float64)+len(c.Uint16); end < n {
		yield(end, n)
	}
}

// MarkChanged adds a range of elements to Changed.
func (c *Column) MarkChanged(from, to int) {
	switch {
	case c.names != nil:
		c.names.kept = min(c.names.kept, from)
	case c.group != nil:
		for b := from / c.width / blockSlots; b*blockSlots*c.width < min(to, c.group.slots*c.width); b++ {
			c.group.changed.add(uint32(b))
		}
	}
}

// part is a replica's part of a group: due are the blocks that are not copied yet, later those written to since it
// began.
type part struct {
	from, to   *group
	due, later blocks
	next       int // no block below is due
}

// newPart is a part that has nothing yet.
func newPart(from, to *group) *part {
	p := &part{from: from, to: to, due: newBlocks(from.slots), later: newBlocks(from.slots)}
	p.due.fill(from.slots)
	from.parts = append(from.parts, p)
	return p
}

// begin makes what was written to since the replica began last due. The biases are copied at once.
func (p *part) begin() {
	p.from.list = 0
	for i, word := range p.from.changed {
		if word != 0 {
			for _, other := range p.from.parts {
				other.later[i] |= word
			}
			p.from.changed[i] = 0
		}
		if word = p.later[i]; word != 0 {
			p.due[i] |= word
			p.to.changed[i] |= word
			p.later[i] = 0
		}
	}
	p.next = 0
	for i := range p.from.tables {
		if from, to := &p.from.tables[i], &p.to.tables[i]; from.Uint16 == nil {
			copy(to.Float64[p.from.slots*from.width:], from.Float64[p.from.slots*from.width:])
		}
	}
}

// runBytes is what a run of blocks costs beside its bytes: they are in no cache.
const runBytes = 1 << 10

// step copies blocks of about so many bytes, and returns what is left of them: more than 0 if nothing is due.
func (p *part) step(bytes int) int {
	for bytes > 0 {
		from, to := p.due.run(p.next)
		if from == to {
			return bytes
		}
		to = min(to, from+1+bytes/p.blockBytes())
		p.copyBlocks(from, to)
		for b := from; b < to; b++ {
			p.due.remove(uint32(b))
		}
		p.next = to
		bytes -= runBytes + (to-from)*p.blockBytes()
	}
	return bytes
}

func (p *part) blockBytes() (n int) {
	for i := range p.from.tables {
		c := &p.from.tables[i]
		size := 8
		if c.Uint16 != nil {
			size = 2
		}
		n += size * c.width * blockSlots
	}
	return n
}

func (p *part) copyBlocks(from, to int) {
	for i := range p.from.tables {
		src, dst := &p.from.tables[i], &p.to.tables[i]
		a, b := src.rows(p.from.slots, from, to)
		if src.Uint16 != nil {
			copy(dst.Uint16[a:b], src.Uint16[a:b])
		} else {
			copy(dst.Float64[a:b], src.Float64[a:b])
		}
	}
}
