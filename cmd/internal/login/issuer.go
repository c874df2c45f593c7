package login

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"rosenblatt/stream/kafka/broker"
)

// Issuer gives tokens of an authorization server, for the credentials of a client (RFC 6749, section 4.4). A token is
// used until ten seconds before its end, so that many connections need one request.
type Issuer struct {
	URL    string
	Client string
	Secret func() (string, error) // read again for each token
	Scopes []string
	HTTP   *http.Client

	mu     sync.Mutex
	config *clientcredentials.Config // it remembers how the server wants the secret
	last   *oauth2.Token
}

// mostWait is for how long the server may take. It is less than a connection may, so that the error names the server.
const mostWait = 5 * time.Second

// Token implements Tokens.
func (i *Issuer) Token(ctx context.Context) (string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.last.Valid() {
		return i.last.AccessToken, nil
	}
	secret, err := i.Secret()
	if err != nil {
		return "", fmt.Errorf("no secret for %s: %w", i.URL, err)
	}
	if i.config == nil {
		i.config = &clientcredentials.Config{ClientID: i.Client, TokenURL: i.URL, Scopes: i.Scopes}
	}
	i.config.ClientSecret = secret
	limit := mostWait
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)/2)
	}
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, oauth2.HTTPClient, i.HTTP), limit)
	defer cancel()
	token, err := i.config.Token(ctx)
	if err != nil {
		return "", i.explain(err)
	}
	i.last = token
	return token.AccessToken, nil
}

// explain tells a refusal from trouble: the server responds to a wrong client, secret or scope with a code of 4xx.
func (i *Issuer) explain(err error) error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) || refused.Response == nil {
		return &broker.NoCredentials{Text: fmt.Sprintf("no token from %s: %v", i.URL, err)}
	}
	status := refused.Response.StatusCode
	//mutation:issuer-refuses
	final := status/100 == 4 && status != http.StatusRequestTimeout && status != http.StatusTooManyRequests
	said := refused.ErrorCode
	if refused.ErrorDescription != "" {
		said += ": " + refused.ErrorDescription
	}
	text := fmt.Sprintf("no token from %s: it responds %s", i.URL, refused.Response.Status)
	if said != "" {
		text += fmt.Sprintf(" (%.200q)", said)
	}
	return &broker.NoCredentials{Text: text, Final: final}
}

// Refused implements Tokens.
func (i *Issuer) Refused() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.last = nil
}
