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

// parseName inverts fileName; checkpoint-007 is not a name.
func parseName(name string) (seq uint64, ok bool) {
	digits, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return 0, false
	}
	seq, err := strconv.ParseUint(digits, 10, 64)
	return seq, err == nil && fileName(seq) == name
}

func tempName(seq uint64) string {
	var b [tempRandom]byte
	_, _ = rand.Read(b[:]) // never fails
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

func corruptName(name string, taken []string) string {
	to := name + corruptSuffix
	for n := 2; slices.Contains(taken, to); n++ {
		to = fmt.Sprintf("%s.%d%s", name, n, corruptSuffix)
	}
	return to
}

// seqs returns the checkpoints' numbers, highest first.
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
