package registry

import (
	"context"
	"math/rand/v2"
	"time"

	"rosenblatt/stream/schema"
)

// found is what an answer says.
type found struct {
	schema *schema.Schema // nil: the registry does not know the id
	lacks  bool           // it does not know the id, or one that the schema refers to
}

// answer asks for a schema until there is an answer; nil if the registry does not know it. What it does not know is
// asked again before that counts: one that is begun anew may answer before it has read its schemas.
func (c *Client) answer(ctx context.Context, id schema.ID) (*schema.Schema, error) {
	pause, lacked := firstPause, 0
	for {
		got, err := c.ask(ctx, id)
		wait := confirm
		switch {
		case err != nil:
			c.trouble.failed(id, err)
			wait = pause/2 + rand.N(pause/2+1)
			pause = min(2*pause, mostPause)
		//mutation:unknown-confirmed
		case got.lacks && lacked == 0 && !c.manyUnknown():
			lacked++
		default:
			return got.schema, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}

// ask asks for a schema.
func (c *Client) ask(ctx context.Context, id schema.ID) (got found, err error) {
	err = c.inTurn(ctx, func(e *errand) (err error) {
		got, err = e.schema(ctx, id)
		return err
	})
	return got, err
}

// inTurn asks the addresses in turn, from the one on that responded last. The error is that of the first that gave no
// answer.
func (c *Client) inTurn(ctx context.Context, ask func(*errand) error) (failed error) {
	begin := int(c.begin.Load())
	for i := range c.clients {
		at := (begin + i) % len(c.clients)
		err := ask(&errand{client: c, at: at, room: mostBytes})
		if err == nil {
			c.begin.Store(int32(at))
			return nil
		}
		if failed == nil {
			failed = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return failed
}
