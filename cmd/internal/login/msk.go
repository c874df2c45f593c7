package login

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/segmentio/kafka-go/sasl"
	msk "github.com/twmb/franz-go/pkg/sasl/aws"

	"rosenblatt/stream/kafka/broker"
)

// MSK is AWS_MSK_IAM. Its keys are looked for where AWS's own tools do: in the environment, in the files of ~/.aws,
// then in the role of the pod, container or machine.
type MSK struct {
	mu   sync.Mutex
	last aws.Credentials // those that end; others are looked for again
}

// renewBefore is how long before their end keys are looked for again.
const renewBefore = 5 * time.Minute

// Name implements sasl.Mechanism.
func (m *MSK) Name() string { return "AWS_MSK_IAM" }

// Start implements sasl.Mechanism.
func (m *MSK) Start(ctx context.Context) (sasl.StateMachine, []byte, error) {
	session, first, err := adapter{msk.ManagedStreamingIAM(m.keys)}.Start(ctx)
	var none *broker.NoCredentials
	if err != nil && !errors.As(err, &none) { // what else it needs is the region, which it finds in the broker's name
		err = &broker.NoCredentials{Text: err.Error() + ": set AWS_REGION", Final: true}
	}
	return session, first, err
}

func (m *MSK) keys(ctx context.Context) (msk.Auth, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.last.CanExpire || time.Until(m.last.Expires) < renewBefore {
		keys, err := findKeys(ctx)
		if err != nil {
			return msk.Auth{}, &broker.NoCredentials{Text: fmt.Sprintf("no keys of AWS: %v", err)}
		}
		m.last = keys
	}
	return msk.Auth{
		AccessKey: m.last.AccessKeyID, SecretKey: m.last.SecretAccessKey, SessionToken: m.last.SessionToken,
		UserAgent: "rosenblatt",
	}, nil
}

func findKeys(ctx context.Context) (aws.Credentials, error) {
	limit := mostWait
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)/2)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	conf, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return aws.Credentials{}, err
	}
	return conf.Credentials.Retrieve(ctx)
}
