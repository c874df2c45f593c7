package login

import (
	"context"
	"fmt"

	"github.com/segmentio/kafka-go/sasl"
	"github.com/twmb/franz-go/pkg/sasl/oauth"
)

// Tokens give a token for a login.
type Tokens interface {
	Token(ctx context.Context) (string, error)
	Refused() // the broker has refused the last one: do not give it again
}

// Bearer is OAUTHBEARER (RFC 7628).
type Bearer struct {
	Tokens     Tokens
	Extensions map[string]string // some brokers want them beside the token (KIP-342)
}

// Name implements sasl.Mechanism.
func (b Bearer) Name() string { return "OAUTHBEARER" }

// Start implements sasl.Mechanism.
func (b Bearer) Start(ctx context.Context) (sasl.StateMachine, []byte, error) {
	_, first, err := adapter{oauth.Oauth(func(ctx context.Context) (oauth.Auth, error) {
		token, err := b.Tokens.Token(ctx)
		return oauth.Auth{Token: token, Extensions: b.Extensions}, err
	})}.Start(ctx)
	return bearerState{b.Tokens}, first, err
}

// bearerState takes the broker's refusal the way that RFC 7628 wants: the client acknowledges what it says, and then
// the broker responds with an error code. franz-go's own state ends there without the code.
type bearerState struct{ tokens Tokens }

func (s bearerState) Next(_ context.Context, challenge []byte) (bool, []byte, error) {
	if len(challenge) == 0 {
		return true, nil, nil
	}
	s.tokens.Refused()
	//mutation:bearer-refused
	return false, []byte{1}, nil
}

// TokenFile gives the token in a file, which something else renews.
type TokenFile struct {
	Path string
	Read func(path string) (string, error)
}

// Token implements Tokens.
func (t TokenFile) Token(context.Context) (string, error) {
	token, err := t.Read(t.Path)
	if err != nil {
		return "", fmt.Errorf("no token: %w", err)
	}
	return token, nil
}

// Refused implements Tokens: the file is read again anyway.
func (t TokenFile) Refused() {}
