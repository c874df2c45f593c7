package learner

import "fmt"

// Column is one of the long parts of a model's state. Exactly one of the slices is in use. They are the model's own
// memory: write into them only to load a state.
type Column struct {
	Name    string
	Float64 []float64 // of fixed length; filled to load it
	Uint16  []uint16  // of fixed length; filled to load it
	Bytes   []byte    // of any length; loaded by Restore

	width int        // elements of a slot
	group *group     // that it belongs to, or nil
	names *nameTable // that it holds, or nil
}

// The names of the columns. Each way of scaling has its own.
const (
	columnWeights = "weights"  // a float64 for each slot
	columnPrints  = "prints"   // a uint16 for each slot: 15 bits of the first name's print, and 1 if others came
	columnMoments = "moments"  // scale=standard: count, mean and sum of squared distances of each slot, as float64
	columnMaxima  = "maxima"   // scale=maxabs: the largest magnitude of each slot, as float64
	columnNames   = "names"    // for each name: slot (4 bytes), length (2 bytes), both little-endian, and the name
	columnKept    = "kept"     // dual: the kept examples, see supportHead
	columnTimes   = "mistakes" // dual: a uint64 for each kept example, little-endian

	columnKeptLags = "kept-lags" // dual with predict=mean: a float64 for each kept example, little-endian

	// Of these each is a float64 for each slot, and but for the first one more for the bias.
	columnPulled    = "pulled"    // l1, l2: the clock when the weight was last brought up to date
	columnVariances = "variances" // arow
	columnSquares   = "squares"   // logistic: the sum of squared gradients
	columnLags      = "lags"      // averaged, as are the next two: see mean
	columnStamps    = "stamps"
	columnBefore    = "before"
)

// slotError is about an invalid number. The bias follows the last slot.
func slotError(column string, slot int, x float64) error {
	return fmt.Errorf("learner: %s: slot %d: %v is out of range", column, slot, x)
}
