package group

import (
	"context"
	"errors"
	"time"

	"rosenblatt/stream/stops"
)

// beatEvery is the pause between heartbeats: how long a change of the group takes to reach its members.
const beatEvery = 100 * time.Millisecond

// rejoinAfter is how long after an assignment a member does not begin another rebalance: longer than brokers wait for
// members to sync. They drop those that have not, so a dead one is dropped however much there is to tell.
func rejoinAfter(session time.Duration) time.Duration { return max(session/10, 600*time.Millisecond) }

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
		case <-m.suspected:
			//mutation:suspicion-answered
			if m.isSuspecting() {
				return nil
			}
			continue
		case <-t.C:
		}
		//mutation:group-rejoin-after
		if time.Since(m.since) >= rejoinAfter(m.config.Session) && m.changed() {
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
