package learner

// Kind decides whether a feature is scaled.
type Kind uint8

// The kinds of a feature.
const (
	Numeric   Kind = iota // a measured value, scaled when the model scales
	Indicator             // 1 for a word or a flag: never scaled
)

// Feature is one coordinate of an example.
type Feature struct {
	Slot  uint32 // index into the model's tables, below 2^bits
	Print uint16 // fingerprint of the feature's name, 1 to 32767
	Kind  Kind
	Value float64 // finite, at most 1e30 in magnitude
}
