package topics

// SkipRange passes records From to To (both included) of an input partition by, once.
type SkipRange struct {
	Partition int32 `json:"partition"`
	From      int64 `json:"from"`
	To        int64 `json:"to"`
}
