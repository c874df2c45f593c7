package group

import (
	"context"
	"errors"
	"time"

	"rosenblatt/stream/stops"
)

// beatEvery is the pause between heartbeats: how long a change of the group takes to reach its members.
const beatEvery = 100 * time.Millisecond

// beat sends heartbeats until the member has to join again: the group has changed, or what it would tell the group has.
func (m *Member) beat(ctx context.Context) error {
	t := time.NewTimer(beatEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-m.wake:
			return nil
		case <-t.C:
		}
		if time.Since(m.since) >= m.config.Session/20 && m.changed() {
			return nil
		}
		err := m.config.Transport.Heartbeat(ctx)
		m.note(err)
		if errors.Is(err, ErrRejoin) || errors.As(err, new(*stops.Error)) || m.over(m.config.Session) {
			return err
		}
		t.Reset(beatEvery)
	}
}
