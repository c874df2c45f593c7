package preflight

import (
	"context"
	"errors"

	"rosenblatt/stream/kafka"
	"rosenblatt/stream/stops"
)

// fence shows whether the brokers refuse a writer that was replaced, on which exactness rests.
func (l *checklist) fence(ctx context.Context, s *Settings, o kafka.ClusterOptions) {
	if !s.Fence {
		return
	}
	o.Patience, o.FewerFor = 2*s.Timeout, s.Timeout
	limited, cancel := context.WithTimeout(ctx, 6*s.Timeout)
	defer cancel()
	err := kafka.ProveFence(limited, o)
	var stop *stops.Error
	switch {
	case err == nil:
		l.ok("fence", "the brokers refuse a writer that was replaced")
	case errors.As(err, &stop) && stop.Name == stops.FenceIneffective:
		l.fail("fence", stop.What, "use brokers that fence as Apache Kafka does: here a process that was replaced and"+
			" wakes up late goes on writing")
	case errors.As(err, &stop):
		l.note("fence", "cannot tell: "+stop.What, "it needs the rights to create and delete the topics"+
			" rosenblatt-fence-*, and WRITE on a transactional id of this name")
	default:
		l.note("fence", "cannot tell: "+err.Error(), "try again with a longer --timeout")
	}
}
