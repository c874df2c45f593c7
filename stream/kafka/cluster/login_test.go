package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/internal/check"
	"rosenblatt/stream/kafka/verdict"
)

// loginPool is a pool to a broker in the test's process, which decides about each login.
func loginPool(authenticate func() *kmsg.SASLAuthenticateResponse) *pool {
	dial := func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go check.Login(theirs, func([]byte) *kmsg.SASLAuthenticateResponse { return authenticate() })
		return ours, nil
	}
	return &pool{dialer: broker.Dialer{Dial: dial, SASL: plain.Mechanism{Username: "ann", Password: "right"}},
		limit: time.Second, grace: time.Minute}
}

// TestLastTenth: a connection is given out as long as a request that is sent at once comes within its session, and not
// in the last tenth of it.
func TestLastTenth(t *testing.T) {
	t.Parallel()
	for length, ends := range map[int64]bool{0: false, 1000: true, 3600_000: false, -1: false, 1<<63 - 1: false} {
		synctest.Test(t, func(t *testing.T) {
			p := loginPool(func() *kmsg.SASLAuthenticateResponse {
				return &kmsg.SASLAuthenticateResponse{SessionLifetimeMillis: length}
			})
			defer p.close()
			use := func() *broker.Conn {
				c, err := p.get(t.Context(), "broker:9092")
				if err != nil {
					t.Fatal(err)
				}
				p.put(c)
				return c
			}
			first := use()
			time.Sleep(900 * time.Millisecond)
			if use() != first {
				t.Errorf("session of %d ms: another connection before its last tenth", length)
			}
			time.Sleep(time.Millisecond)
			if again := use() == first; again == ends {
				t.Errorf("session of %d ms: the same connection in its last tenth: %v", length, again)
			}
		})
	}
}

// TestRefusalLasts: of a client that has worked for a minute, a broker may refuse the login for a minute: a password
// may be changed there before it is changed here. At a start a refusal is final.
func TestRefusalLasts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var refuses atomic.Bool
		p := loginPool(func() *kmsg.SASLAuthenticateResponse {
			res := &kmsg.SASLAuthenticateResponse{SessionLifetimeMillis: 100}
			if refuses.Load() {
				res.ErrorCode = kerr.SaslAuthenticationFailed.Code
			}
			return res
		})
		defer p.close()
		class := func(after time.Duration) verdict.Class {
			t.Helper()
			time.Sleep(after)
			c, err := p.get(t.Context(), "broker:9092")
			if err == nil {
				p.put(c)
				return 99
			}
			return verdict.Classify(err)
		}
		const in = verdict.Class(99)
		for i, step := range []struct {
			after   time.Duration
			refuses bool
			want    verdict.Class
		}{
			{0, true, verdict.Fatal}, {time.Second, false, in}, {time.Second, true, verdict.Fatal}, // a start
			{time.Second, false, in}, {2 * time.Minute, false, in},
			{time.Second, true, verdict.Retriable}, {59 * time.Second, true, verdict.Retriable},
			{time.Second, false, in}, // changed in time
			{time.Second, true, verdict.Retriable}, {30 * time.Second, true, verdict.Retriable},
			{30 * time.Second, true, verdict.Fatal},
			{time.Hour, true, verdict.Retriable}, // it was forgotten
		} {
			refuses.Store(step.refuses)
			if got := class(step.after); got != step.want {
				t.Errorf("step %d: class %d, want %d", i, got, step.want)
			}
		}
	})
}

// TestRefusedCertificateLasts: so it is with a certificate.
func TestRefusedCertificateLasts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &pool{grace: time.Minute}
		refused := &tls.CertificateVerificationError{Err: errors.New("ended")}
		if err := p.judge("broker:9092", refused); !errors.Is(err, refused) {
			t.Errorf("at a start: %v", err)
		}
		_ = p.judge("broker:9092", nil)
		time.Sleep(time.Hour)
		if err := p.judge("broker:9092", refused); verdict.Classify(err) != verdict.Retriable {
			t.Errorf("later: %v", err)
		}
	})
}
