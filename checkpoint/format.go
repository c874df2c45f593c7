package checkpoint

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// Version is the format that Save writes, and the highest that Open reads.
//
// The layout of format 1. All integers are little-endian and unsigned; CRC32C is Castagnoli's (RFC 3720 B.4).
//
//	first line   "rosenblatt checkpoint 1 " + 8 lower-case hex digits + "\n"
//	             the digits are the CRC32C of the 23 bytes before the last space
//	header       4 bytes   H, the length of the JSON text
//	             4 bytes   N, the number of sections, at most 65,536
//	             H bytes   JSON text
//	             4 bytes   CRC32C of the 8+H bytes above
//	N sections   1 byte    L, the length of the name, 1 to 64
//	             L bytes   the name: ASCII letters, digits, '.', '_' and '-'; unique
//	             8 bytes   S, the length of the data
//	             S bytes   the data
//	             4 bytes   CRC32C of the 1+L+8+S bytes above
//	trailer      8 bytes   the length of the whole file, trailer included
//	             4 bytes   CRC32C of everything before these 4 bytes
//
// Nothing follows the trailer. A file is valid only if it is exactly what Save would write.
//
// The first line of every later format is of this form too: the two words, the version, maybe more words, the sum of
// what precedes the last space; at most 128 bytes with its end.
const Version = 1

const (
	magic       = "rosenblatt checkpoint "
	maxLine     = 128
	maxSections = 1 << 16
	maxName     = 64
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func firstLine(version int) string {
	text := magic + strconv.Itoa(version)
	return fmt.Sprintf("%s %08x\n", text, crc32.Checksum([]byte(text), castagnoli))
}

// parseLine reads the version from a first line without its end, or says what is wrong with it.
func parseLine(line string) (version int, reason string) {
	rest, ok := strings.CutPrefix(line, magic)
	if !ok {
		return 0, "the first line does not begin with \"" + magic + "\""
	}
	cut := strings.LastIndexByte(line, ' ')
	if sum := fmt.Sprintf("%08x", crc32.Checksum([]byte(line[:cut]), castagnoli)); line[cut+1:] != sum {
		return 0, fmt.Sprintf("the CRC32C of the first line is %[2]s, the file says %.16[1]q", line[cut+1:], sum)
	}
	word, _, _ := strings.Cut(rest, " ")
	version, err := strconv.Atoi(word)
	if err != nil || version < 1 || strconv.Itoa(version) != word {
		return 0, fmt.Sprintf("the version %.20q is not a number", word)
	}
	if version <= Version && line+"\n" != firstLine(version) {
		return 0, "the first line has more than its version"
	}
	return version, ""
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
