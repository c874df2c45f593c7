package journal

import (
	"strconv"
	"strings"
)

// ModelAt is how predictions and dead letters name a model at an epoch: name@epoch.
func ModelAt(model string, epoch int64) string { return model + "@" + strconv.FormatInt(epoch, 10) }

// EpochOf is the epoch in name@epoch, 0 if there is none.
func EpochOf(nameAtEpoch string) int64 {
	n, err := strconv.ParseInt(nameAtEpoch[strings.LastIndexByte(nameAtEpoch, '@')+1:], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// IsModel reports whether name@epoch names this model.
func IsModel(nameAtEpoch, model string) bool {
	i := strings.LastIndexByte(nameAtEpoch, '@')
	return i >= 0 && nameAtEpoch[:i] == model
}
