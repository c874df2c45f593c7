package login

import (
	"context"
	"net"
	"strconv"

	"github.com/segmentio/kafka-go/sasl"
	franz "github.com/twmb/franz-go/pkg/sasl"
)

// adapter makes one of franz-go's mechanisms one of kafka-go's.
type adapter struct{ franz.Mechanism }

// Start implements sasl.Mechanism.
func (a adapter) Start(ctx context.Context) (sasl.StateMachine, []byte, error) {
	at := sasl.MetadataFromContext(ctx)
	session, first, err := a.Authenticate(ctx, net.JoinHostPort(at.Host, strconv.Itoa(at.Port)))
	return state{session}, first, err
}

type state struct{ franz.Session }

// Next implements sasl.StateMachine.
func (s state) Next(_ context.Context, challenge []byte) (bool, []byte, error) {
	return s.Challenge(challenge)
}
