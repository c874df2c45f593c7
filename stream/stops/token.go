package stops

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
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
	s.Do += offerBegins + tokens + offerEnds
}

// What is around the tokens in the advice of a stop.
const (
	offerBegins = "; --accept "
	offerEnds   = " accepts exactly this: it may stay in the settings, and does nothing once it is done"
)

// TokenForm says what a token looks like.
func TokenForm() string {
	return fmt.Sprintf("NAME, or NAME:TOKEN as a stop, and check, print it: %d digits from 0 to f", 2*digestBytes)
}

// IsDigest reports whether a text could be the digest of a token.
func IsDigest(text string) bool {
	_, err := hex.DecodeString(text)
	return err == nil && len(text) == 2*digestBytes && text == strings.ToLower(text)
}

// InVain says of a token that was given why it accepts nothing here.
func InVain(token string, done bool) string {
	name, _, _ := strings.Cut(token, ":")
	what, other := "loss", "loss"
	if name == ConfigDiffers || name == SchemaChanged {
		what, other = "change", "difference"
	}
	//mutation:token-told-done
	if done {
		return "the token " + token + " that was given is of a " + what + " that is done"
	}
	return "the token " + token + " that was given is of another " + other
}

// Token names the stop and, by a digest, what is given up with it. It is empty where nothing was offered.
func (s *Error) Token() string { return s.token }
