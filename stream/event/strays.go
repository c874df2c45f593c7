package event

// Strays counts the words in the columns of numbers of a table (Options.Numeric).
type Strays []Stray

// Stray is a column of numbers that has words.
type Stray struct {
	Column string
	Count  int64
	First  string // where the first of them is
}

// Add adds a word of a column.
func (s *Strays) Add(column string, where func() string) {
	for i := range *s {
		if x := &(*s)[i]; x.Column == column {
			x.Count++
			return
		}
	}
	*s = append(*s, Stray{column, 1, where()})
}

// AddEvent adds the words of the event that was decoded last.
func (s *Strays) AddEvent(d *Decoder, where func() string) {
	for _, column := range d.strays {
		s.Add(d.options.Columns[column], where)
	}
}

// strayWord is a word of an example of a batch.
type strayWord struct{ example, column int }

// AddBatch adds the words of a batch that was decoded with these columns.
func (s *Strays) AddBatch(b *Batch, columns []string, where func(example int) string) {
	for _, x := range b.strays {
		s.Add(columns[x.column], func() string { return where(x.example) })
	}
}
