package checkpoint

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	prefix        = "checkpoint-"
	corruptSuffix = ".corrupt"
	tempSuffix    = ".tmp"
	tempRandom    = 8 // bytes
)

func fileName(seq uint64) string { return prefix + strconv.FormatUint(seq, 10) }

// parseName gives the seq of a checkpoint's name. Only what fileName makes is one: checkpoint-007 is not.
func parseName(name string) (seq uint64, ok bool) {
	digits, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return 0, false
	}
	seq, err := strconv.ParseUint(digits, 10, 64)
	return seq, err == nil && fileName(seq) == name
}

// tempName gives a name that no other save has: a leftover of a dead process cannot be in the way.
func tempName(seq uint64) string {
	var b [tempRandom]byte
	_, _ = rand.Read(b[:]) // it never returns an error (its documentation)
	return fmt.Sprintf("%s.%x%s", fileName(seq), b, tempSuffix)
}

func isTemp(name string) bool {
	body, ok := strings.CutSuffix(name, tempSuffix)
	if !ok {
		return false
	}
	file, random, _ := strings.Cut(body, ".")
	_, ours := parseName(file)
	b, err := hex.DecodeString(random)
	return ours && err == nil && len(b) == tempRandom && strings.ToLower(random) == random
}

func isCorrupt(name string) bool {
	return strings.HasPrefix(name, prefix) && strings.HasSuffix(name, corruptSuffix)
}

// corruptName gives the name under which an invalid checkpoint is kept: name.corrupt, or name.2.corrupt and so on if
// that is taken.
func corruptName(name string, taken []string) string {
	to := name + corruptSuffix
	for n := 2; slices.Contains(taken, to); n++ {
		to = fmt.Sprintf("%s.%d%s", name, n, corruptSuffix)
	}
	return to
}

// seqs gives the numbers of the checkpoints among the names, highest first.
func seqs(names []string) []uint64 {
	var found []uint64
	for _, name := range names {
		if seq, ok := parseName(name); ok {
			found = append(found, seq)
		}
	}
	slices.Sort(found)
	slices.Reverse(found)
	return found
}
