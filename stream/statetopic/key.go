package statetopic

import (
	"fmt"
	"strconv"
	"strings"

	"rosenblatt/stream/schema"
)

// pieceKey is a place of a piece.
type pieceKey struct {
	number int // among those of a checkpoint
	place  int // 0 or 1
}

func (k pieceKey) of(output string) []byte {
	return fmt.Appendf(nil, "%s/piece/%d/%d", output, k.number, k.place)
}

func manifestKey(output string, place int) []byte {
	return fmt.Appendf(nil, "%s/manifest/%d", output, place)
}

// keptPieceKey is that of a piece of the kept checkpoint, which has one place.
func keptPieceKey(output string, number int) []byte {
	return fmt.Appendf(nil, "%s/kept/piece/%d", output, number)
}

func keptManifestKey(output string) []byte { return fmt.Appendf(nil, "%s/kept/manifest", output) }

// parseKeptPieceKey inverts keptPieceKey.
func parseKeptPieceKey(key []byte, output string) (number int, ok bool) {
	rest, ok := strings.CutPrefix(string(key), output+"/kept/piece/")
	if !ok {
		return 0, false
	}
	number, err := strconv.Atoi(rest)
	return number, err == nil && number >= 0 && string(keptPieceKey(output, number)) == string(key)
}

// schemaKey is that of an id of a schema, with a number where it is not the first one of the id.
func schemaKey(output string, of schema.Key) []byte {
	key := fmt.Appendf(nil, "%s/schema/%v", output, of.ID)
	if of.Number > 0 {
		key = fmt.Appendf(key, "/%d", of.Number)
	}
	return key
}

// isSchemaKey reports whether a key is one of schemaKey.
func isSchemaKey(key []byte, output string) bool {
	return strings.HasPrefix(string(key), output+"/schema/")
}

// parsePieceKey inverts pieceKey.of.
func parsePieceKey(key []byte, output string) (k pieceKey, ok bool) {
	rest, ok := strings.CutPrefix(string(key), output+"/piece/")
	if !ok {
		return k, false
	}
	number, place, _ := strings.Cut(rest, "/")
	var err, err2 error
	k.number, err = strconv.Atoi(number)
	k.place, err2 = strconv.Atoi(place)
	return k, err == nil && err2 == nil && string(k.of(output)) == string(key) && k.number >= 0 && k.place>>1 == 0
}

// parseManifestKey inverts manifestKey.
func parseManifestKey(key []byte, output string) (place int, ok bool) {
	for place := range 2 {
		if string(key) == string(manifestKey(output, place)) {
			return place, true
		}
	}
	return 0, false
}
