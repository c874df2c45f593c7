package stream

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

func (s *session) startReaders(intake context.Context) (*errgroup.Group, error) {
	var decoders []*event.Decoder
	for range s.t.Config.Decoders {
		d, err := event.New(s.st.fixed.Decode)
		if err != nil {
			return nil, err
		}
		decoders = append(decoders, d)
	}
	all := new(errgroup.Group)
	fetchers := new(errgroup.Group)
	for p, from := range s.st.positions {
		fetchers.Go(func() error {
			err := s.fetch(intake, int32(p), from)
			if err != nil {
				s.stop(err)
			}
			return err
		})
	}
	for _, d := range decoders {
		all.Go(func() error {
			s.chunks.decode(d)
			return nil
		})
	}
	all.Go(func() error {
		err := fetchers.Wait()
		s.chunks.close()
		return err
	})
	all.Go(func() error { return s.watch(intake) })
	return all, nil
}

// fetch reads one partition into chunks.
func (s *session) fetch(ctx context.Context, partition int32, from int64) error {
	reader := s.t.Log.Open(topics.Input, partition, from)
	if r, ok := reader.(topics.TurnReader); ok {
		r.InTurns()
	}
	continued := false // the chunk before had More
	var run topics.Run
	for turn, behind := false, false; ; {
		if turn = s.chunks.turn(ctx, turn, continued, behind); ctx.Err() != nil {
			return nil
		}
		run.Reset(partition, from)
		asked := time.Now()
		err := reader.Read(ctx, &run, s.chunks.records)
		arrived := time.Now()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		//mutation:reader-position
		case run.Next < from || len(run.Records) > 0 && run.Records[0].Offset < from:
			return fmt.Errorf("input partition %d: the reader returned an offset below %d", partition, from)
		case run.Next == from && !continued:
			run.Release()
			behind = false // of what its broker does not send, others need not wait for a turn
			continue
		}
		if !continued {
			s.t.timings.Fetch.Observe(arrived.Sub(asked).Seconds())
		}
		alone := !continued && !run.More && !run.Behind
		from, continued, behind = run.Next, run.More, run.Behind
		c := s.chunks.take(ctx, alone)
		if c == nil {
			return nil
		}
		c.Run, run = run, c.Run
		c.arrived = arrived
		s.chunks.put(c, alone)
	}
}
