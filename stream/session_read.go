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
	continued := false // the chunk before had More
	for {
		c := s.chunks.take(ctx)
		if c == nil {
			return nil
		}
		c.Reset(partition, from)
		asked := time.Now()
		err := reader.Read(ctx, &c.Run, s.chunks.records)
		c.arrived = time.Now()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		//mutation:reader-position
		case c.Next < from || len(c.Records) > 0 && c.Records[0].Offset < from:
			return fmt.Errorf("input partition %d: the reader returned an offset below %d", partition, from)
		case c.Next == from && !continued:
			s.chunks.release(c)
			continue
		}
		if !continued {
			s.t.timings.Fetch.Observe(c.arrived.Sub(asked).Seconds())
		}
		more := c.More
		from = c.Next
		s.chunks.put(c, !continued && !more)
		continued = more
	}
}
