package checkpoint

import (
	"cmp"
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

func tempName(seq uint64) string { return fileName(seq) + tempEnding() }

// tempEnding is the random end of a temporary file's name.
func tempEnding() string {
	var b [tempRandom]byte
	_, _ = rand.Read(b[:]) // never fails
	return fmt.Sprintf(".%x%s", b, tempSuffix)
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

// corruptName is the name under which a file is set aside: <name>.corrupt, then <name>.2.corrupt and so on.
func corruptName(name string, taken []string) string {
	seq, _ := parseName(name)
	last := 0
	for _, other := range corrupt(taken) {
		if other.seq == seq {
			last = max(last, other.n)
		}
	}
	if last == 0 {
		return name + corruptSuffix
	}
	return fmt.Sprintf("%s.%d%s", name, last+1, corruptSuffix)
}

// corruptFile is a file that was set aside, the nth one of its seq.
type corruptFile struct {
	name string
	seq  uint64
	n    int
}

// corrupt returns the files that were set aside, the newest first.
func corrupt(names []string) (found []corruptFile) {
	for _, name := range names {
		body, ok := strings.CutSuffix(name, corruptSuffix)
		file, number, numbered := strings.Cut(body, ".")
		seq, ours := parseName(file)
		n := 1
		if numbered {
			n, _ = strconv.Atoi(number)
			ours = ours && n > 1 && strconv.Itoa(n) == number
		}
		if ok && ours {
			found = append(found, corruptFile{name, seq, n})
		}
	}
	slices.SortFunc(found, func(x, y corruptFile) int {
		return cmp.Or(cmp.Compare(y.seq, x.seq), cmp.Compare(y.n, x.n))
	})
	return found
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
