package stream

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

func (s *session) startReaders(intake context.Context) (*errgroup.Group, error) {
	var all []decoders
	for range s.t.Config.Decoders {
		d, err := newDecoders(&s.st.Fixed)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	group := new(errgroup.Group)
	fetchers := new(errgroup.Group)
	for _, topic := range []topics.Topic{topics.Input, topics.Labels} {
		for _, p := range s.st.Partitions(topic) {
			from, reader := s.st.PositionsOf(topic)[p], s.st.Open(s.t.Log, topic, p)
			fetchers.Go(func() error {
				err := s.fetch(intake, topic, p, from, reader)
				if err != nil {
					s.stop(err)
				}
				return err
			})
		}
	}
	for _, d := range all {
		group.Go(func() error {
			s.chunks.decode(d)
			return nil
		})
	}
	group.Go(func() error {
		err := fetchers.Wait()
		s.chunks.close()
		return err
	})
	group.Go(func() error {
		s.t.board.ProfileFields(intake)
		return nil
	})
	group.Go(func() error {
		err := s.t.schemas.compareOn(intake)
		if err != nil {
			s.stop(err)
		}
		return err
	})
	group.Go(func() error {
		err := s.t.board.Watch(intake, s.t.Log, s.t.Config.WatchEvery, s.st.CompareTopics())
		if err != nil {
			s.stop(err)
		}
		return err
	})
	return group, nil
}

// noteSeconds notes whether timestamps of a chunk seem to be in seconds.
func (s *session) noteSeconds(c *chunk) {
	noted := &s.t.board.Seconds[c.topic]
	for i := range c.Records {
		//mutation:times-in-seconds
		if labels.InSeconds(c.Records[i].Timestamp) && !noted.Load() {
			noted.Store(true)
		}
	}
}

// fetch reads one partition into chunks.
func (s *session) fetch(
	ctx context.Context, topic topics.Topic, partition int32, from int64, reader topics.Reader,
) error {
	own := s.chunks.own()
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
			return fmt.Errorf("topic %s partition %d: the reader returned an offset below %d",
				s.st.Topology.Of(topic).Name, partition, from)
		case run.Next == from && !continued:
			run.Release()
			behind = false // an empty response does not use up this partition's turn
			continue
		}
		if !continued {
			s.t.board.Timings.Fetch.Observe(arrived.Sub(asked).Seconds())
		}
		//mutation:schemas-awaited
		if turn, err = s.awaitSchemas(ctx, topic, &run, turn, continued && own == nil); ctx.Err() != nil {
			return nil
		} else if err != nil {
			return err
		}
		alone, first, last := !continued && !run.More && !run.Behind, !continued && run.More, continued && !run.More
		from, continued, behind = run.Next, run.More, run.Behind
		if own == nil && first && !s.chunks.begin(ctx) {
			return nil
		}
		c := s.chunks.take(ctx, alone, own)
		if c == nil {
			return nil
		}
		if own == nil && last {
			s.chunks.end()
		}
		c.Run, run = run, c.Run
		c.topic, c.handled, c.ready = topic, 0, false
		if c.arrived = arrived; own != nil { // it is merged with others
			c.findTimes(s.ahead)
			s.noteSeconds(c)
		}
		s.chunks.put(c, alone)
	}
}
