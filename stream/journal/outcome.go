package journal

// Outcome is what became of a prediction that was published without a label. It is an entry of the journal, in the
// outcomes topic.
type Outcome struct {
	Kind Kind
	ID   []byte // of the event, as a JSON value; nil without one
	Key  []byte // of the event's record

	Of         int64  // the prediction's seq
	Prediction []byte // as published, a JSON value
	Score      float64
	Untrained  bool // see model.Outcome

	Label    []byte  // a JSON value; nil if no label is known
	Scored   bool    // Mistake and ScoreNow are known
	Mistake  bool    // of that prediction
	ScoreNow float64 // of the moment of learning
	Updated  bool    // the weights changed

	Partition int32 // of the event's record, as are Offset and Time
	Offset    int64
	Time      int64 // ms

	LabelPartition int32 // of the label record, as is LabelOffset; if Kind.ByLabel
	LabelOffset    int64
	Delay          int64 // from the event's timestamp to the label record's, ms; if Kind.ByLabel

	Seq   int64
	Model string // name@epoch
}

// Run is the run of a layout that has the outcome alone.
func (o *Outcome) Run() Run {
	r := Run{Kind: o.Kind, N: 1}
	switch {
	case o.Kind == DuplicateID:
		r.Partition = o.Partition
	case o.Kind.ByLabel():
		r.Partition = o.LabelPartition
	}
	return r
}

// Home is the partition of the outcomes topic, which has this many, for an outcome.
func (o *Outcome) Home(partitions int) int32 {
	p := o.Partition
	if o.Kind.ByLabel() {
		p = o.LabelPartition
	}
	return p % int32(partitions)
}
