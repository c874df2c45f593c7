package login

import (
	"context"
	"fmt"

	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"
)

// Password is PLAIN or SCRAM.
type Password struct {
	Mechanism string // plain, scram-sha-256 or scram-sha-512
	User      string
	Read      func() (string, error) // returns the password
}

// Name implements sasl.Mechanism.
func (p Password) Name() string {
	switch p.Mechanism {
	case "scram-sha-256":
		return scram.SHA256.Name()
	case "scram-sha-512":
		return scram.SHA512.Name()
	}
	return plain.Mechanism{}.Name()
}

// Start implements sasl.Mechanism.
func (p Password) Start(ctx context.Context) (sasl.StateMachine, []byte, error) {
	password, err := p.Read()
	if err != nil {
		return nil, nil, fmt.Errorf("no password: %w", err)
	}
	m, err := p.with(password)
	if err != nil {
		return nil, nil, fmt.Errorf("no usable user or password: %w", err)
	}
	return m.Start(ctx)
}

func (p Password) with(password string) (sasl.Mechanism, error) {
	switch p.Mechanism {
	case "scram-sha-256":
		return scram.Mechanism(scram.SHA256, p.User, password)
	case "scram-sha-512":
		return scram.Mechanism(scram.SHA512, p.User, password)
	}
	return plain.Mechanism{Username: p.User, Password: password}, nil
}

// Check reads the password once.
func (p Password) Check() error {
	password, err := p.Read()
	if err == nil {
		_, err = p.with(password)
	}
	return err
}
