package preflight

import (
	"errors"
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/kafka/broker"
)

// loginAdvice never prints a password or a token.
func loginAdvice(err error, s *daemon.Connection) (found, do string) {
	var (
		unsupported *broker.UnsupportedMechanism
		none        *broker.NoCredentials
	)
	switch {
	case errors.As(err, &none):
		return none.Text, noCredentialsAdvice(s)
	case errors.Is(err, kerr.SaslAuthenticationFailed):
		return refusedAdvice(err, s)
	case errors.As(err, &unsupported):
		return "the broker does not know " + s.SASL + ": it offers " + strings.Join(unsupported.Offered, ", "),
			"give one of those with --sasl"
	case errors.Is(err, kerr.IllegalSaslState):
		return "this port wants no login", "leave --sasl... away, or use the port that does"
	case closed(err):
		return "the broker closed the connection during the login",
			"check " + credentials(s) + "; this is also how some brokers refuse them. See the broker's log"
	case timedOut(err):
		return "the broker does not respond to the login", seeLog
	}
	return fmt.Sprintf("login by %s%s failed: %v", s.SASL, as(s.SASLUser), err), "check mechanism, " + credentials(s)
}

// credentials names what a login is made with.
func credentials(s *daemon.Connection) string {
	switch s.SASL {
	case "oauthbearer":
		return "the token"
	case "aws-msk-iam":
		return "the keys of AWS"
	}
	return "user and password"
}

func noCredentialsAdvice(s *daemon.Connection) string {
	switch {
	case s.SASL == "aws-msk-iam":
		return "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE with a file of `aws configure`," +
			" or run where a role is given"
	case s.SASLTokenURL != "":
		return "check --sasl-token-url, --sasl-client-id, the secret's file and --sasl-scope"
	case s.SASL == "oauthbearer":
		return "check --sasl-token-file and what writes it"
	}
	return "check the password's file"
}

func refusedAdvice(err error, s *daemon.Connection) (found, do string) {
	said := ""
	var refused *broker.RefusedLogin
	if errors.As(err, &refused) && refused.Said != "" {
		said = fmt.Sprintf(" (it says %q)", refused.Said)
	}
	switch s.SASL {
	case "oauthbearer":
		return "the broker refuses the token" + said,
			"has it ended, and are its issuer, audience and signature those that the broker wants? See the broker's log"
	case "aws-msk-iam":
		return "the broker refuses the keys of AWS" + said,
			"does their policy allow kafka-cluster:Connect for this cluster, and is this machine's clock right?"
	}
	do = "check --sasl-user and the password's file"
	if s.SASL != "plain" {
		do += "; a password for scram has to be set for " + s.SASL + " itself"
	}
	return fmt.Sprintf("the broker does not let %s in: user or password are wrong", s.SASLUser), do
}
