package stops

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// digestBytes are of the digest in a token: enough that no two decisions about a model share one.
const digestBytes = 6

// Offer says what a start gives up that accepts the stop, and tells the operator the token of exactly that. The same
// arguments make the same token. beside names a stop that has to be accepted together with it, or is empty.
func (s *Error) Offer(beside string, givenUp ...any) {
	text, err := json.Marshal(givenUp)
	if err != nil {
		panic(err) // of numbers and strings
	}
	sum := sha256.Sum256(text)
	digest := ":" + hex.EncodeToString(sum[:digestBytes])
	s.token = s.Name + digest
	tokens := s.token
	if beside != "" {
		tokens += "," + beside + digest
	}
	s.Do += fmt.Sprintf("; --accept %s accepts exactly this: it may stay in the settings, and does nothing once it is"+
		" done", tokens)
}

// IsDigest reports whether a text could be the digest of a token.
func IsDigest(text string) bool {
	_, err := hex.DecodeString(text)
	return err == nil && len(text) == 2*digestBytes
}

// Token names the stop and, by a digest, what is given up with it. It is empty where nothing was offered.
func (s *Error) Token() string { return s.token }
