package checkpoint

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// Version is the format that Save writes and Open reads; a file of another one is refused.
//
// The layout. All integers are little-endian and unsigned; CRC32C is Castagnoli's (RFC 3720 B.4).
//
//	first line   "rosenblatt checkpoint 10 " + sum + "\n" of a self-contained file, or of one that builds on another
//	             "rosenblatt checkpoint 10 since " + seq + " " + that file's last 4 bytes + " " + sum + "\n"
//	             sum is the CRC32C of what precedes the blank before it; sums are 8 lower-case hex digits
//	header       4 bytes   H, the length of the JSON text
//	             4 bytes   N, the number of sections, at most 65,536
//	             H bytes   JSON text
//	             4 bytes   CRC32C of the 8+H bytes above
//	N sections   1 byte    L, the length of the name, 1 to 64
//	             L bytes   the name: ASCII letters, digits, '.', '_' and '-'; unique
//	             8 bytes   S, the size of the section
//	             4 bytes   P, the number of pieces in this file
//	             4 bytes   CRC32C of the 1+L+8+4 bytes above
//	P pieces     8 bytes   the offset in the section
//	             4 bytes   D, the length of the data, 1 to 65,536
//	             D bytes   the data
//	             4 bytes   CRC32C of the 8+4+D bytes above
//	trailer      8 bytes   the length of the whole file, trailer included
//	             4 bytes   CRC32C of everything before these 4 bytes but the sums of header, sections and pieces: with
//	                       them it would depend on lengths only, as the CRC of bytes and their CRC does
//
// Pieces are in the order of their offsets and do not overlap. A piece that begins where the one before ends follows
// one of 65,536 bytes. A byte that is in no piece is that of the same section in the file that this one builds on; if
// there is none, the file is invalid. A file builds on one of a lower seq in the same folder. It lists all sections:
// those of the other file that it does not list are gone.
//
// Nothing follows the trailer. A file is valid only if it is exactly what Save would write, and the file that it builds
// on is valid.
//
// Formats 1 to 9 are of development versions before the first release.
//
// The first line of every format is of this form: the two words, the version, maybe more words, the sum of
// what precedes the last space; at most 128 bytes with its end.
const Version = 10

const (
	magic       = "rosenblatt checkpoint "
	maxLine     = 128
	maxSections = 1 << 16
	maxName     = 64
	maxPiece    = 1 << 16
	pieceHead   = 8 + 4
	sumSize     = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// reference is how a file names the one that it builds on.
type reference struct {
	seq uint64
	sum uint32 // its last 4 bytes
}

// firstLine is that of a file which builds on another, or on none if that is nil.
func firstLine(on *reference) string {
	text := magic + strconv.Itoa(Version)
	if on != nil {
		text += fmt.Sprintf(" since %d %08x", on.seq, on.sum)
	}
	return fmt.Sprintf("%s %08x\n", text, crc32.Checksum([]byte(text), castagnoli))
}

// parseLine reads a first line without its end, or says what is wrong with it.
func parseLine(line string) (version int, on *reference, reason string) {
	rest, ok := strings.CutPrefix(line, magic)
	//mutation:weights-as-checkpoint
	if !ok && strings.HasPrefix(line, "{") {
		return 0, nil, "it is json: --weights reads what `inspect --weights` writes"
	}
	if !ok {
		return 0, nil, "the first line does not begin with \"" + magic + "\""
	}
	cut := strings.LastIndexByte(line, ' ')
	if sum := fmt.Sprintf("%08x", crc32.Checksum([]byte(line[:cut]), castagnoli)); line[cut+1:] != sum {
		return 0, nil, fmt.Sprintf("the CRC32C of the first line is %[2]s, the file says %.16[1]q", line[cut+1:], sum)
	}
	words := strings.Fields(rest)
	version, err := strconv.Atoi(words[0])
	if err != nil || version < 1 || strconv.Itoa(version) != words[0] {
		return 0, nil, fmt.Sprintf("the version %.20q is not a number", words[0])
	}
	if version != Version {
		return version, nil, ""
	}
	if len(words) == 5 {
		on = parseReference(words[2], words[3])
	}
	if line+"\n" != firstLine(on) {
		return 0, nil, "the first line has more than its version and the file that this one builds on"
	}
	return version, on, ""
}

// parseReference returns nil if these are not the numbers of a reference.
func parseReference(seq, sum string) *reference {
	n, err := strconv.ParseUint(seq, 10, 64)
	s, err2 := strconv.ParseUint(sum, 16, 32)
	if err != nil || err2 != nil {
		return nil
	}
	return &reference{n, uint32(s)}
}

// checkName says what is wrong with the name of a section, if anything.
func checkName(name string) string {
	if len(name) == 0 || len(name) > maxName {
		return fmt.Sprintf("a section's name has %d bytes, not 1 to %d", len(name), maxName)
	}
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-' {
			return fmt.Sprintf("the section name %q has a byte other than letter, digit, '.', '_' or '-'", name)
		}
	}
	return ""
}
