package registry

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/sr"

	"rosenblatt/stream/schema"
)

// Options are how a registry is reached.
type Options struct {
	URLs    []string          // of one registry: they are asked in turn where one fails
	HTTP    http.RoundTripper // nil: http.DefaultTransport
	Timeout time.Duration     // of a request
	// Login adds a user or a token to a request; nil for none. It is called for each, so a file may have changed.
	Login  func(*http.Request) error
	Logger zerolog.Logger
}

// Limits of what is asked.
const (
	requests   = 16                     // at a time
	confirm    = time.Second            // between the two answers that make an id unknown
	remembered = time.Minute            // for which an unknown id is not asked again
	confirmed  = 16                     // unknown ids in that time: further ones are asked once
	firstPause = 100 * time.Millisecond // behind what is no answer; it doubles up to the longest
	mostPause  = 10 * time.Second
)

// Client asks a registry. Any goroutine may use it.
type Client struct {
	clients []*sr.Client // of each URL
	urls    []string
	slots   chan struct{}
	trouble trouble
	counts  [outcomes]atomic.Int64
	begin   atomic.Int32 // the URL that responded last

	mu      sync.Mutex
	known   map[schema.ID]*schema.Schema
	unknown map[schema.ID]time.Time // when it was said
	calls   map[schema.ID]*call
}

// Outcomes of requests.
const (
	Known   = iota // a schema
	Unknown        // no such schema
	Failed         // no answer
	outcomes
)

// New returns a client. The error is about a URL.
func New(o Options) (*Client, error) {
	c := &Client{urls: o.URLs, slots: make(chan struct{}, requests), trouble: trouble{logger: o.Logger},
		known: map[schema.ID]*schema.Schema{}, unknown: map[schema.ID]time.Time{}, calls: map[schema.ID]*call{}}
	over := o.HTTP
	if over == nil {
		over = http.DefaultTransport
	}
	h := &http.Client{Transport: limited{over}, Timeout: o.Timeout,
		//mutation:registry-redirect
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, u := range o.URLs {
		if err := CheckURL(u); err != nil {
			return nil, err
		}
		options := []sr.ClientOpt{sr.URLs(u), sr.HTTPClient(h), sr.UserAgent("rosenblatt")}
		if o.Login != nil {
			options = append(options, sr.PreReq(o.Login))
		}
		client, err := sr.NewClient(options...)
		if err != nil {
			return nil, err
		}
		c.clients = append(c.clients, client)
	}
	if len(c.clients) == 0 {
		return nil, errors.New("no address of a registry")
	}
	return c, nil
}

// Requests returns how many requests ended in an outcome.
func (c *Client) Requests(outcome int) int64 { return c.counts[outcome].Load() }

// Trouble is why the registry gives no answer, and since when: that of the id that waits longest. It is nil where no
// id waits for more than its first answer.
func (c *Client) Trouble() *Trouble { return c.trouble.oldest() }

// Ask asks once; nil without an error if the registry does not know the id.
func (c *Client) Ask(ctx context.Context, id schema.ID) (*schema.Schema, error) {
	got, err := c.ask(ctx, id)
	return got.schema, err
}

// call is what several callers wait for.
type call struct {
	done    chan struct{}
	schema  *schema.Schema // nil: unknown
	waiting int
	cancel  context.CancelFunc
}

// Get returns the schema of an id, nil if the registry does not know it. It returns when there is an answer, however
// long that takes; the error is the context's.
func (c *Client) Get(ctx context.Context, id schema.ID) (*schema.Schema, error) {
	c.mu.Lock()
	if s := c.known[id]; s != nil {
		c.mu.Unlock()
		return s, nil
	}
	//mutation:unknown-remembered
	if at, ok := c.unknown[id]; ok && time.Since(at) < remembered {
		c.mu.Unlock()
		return nil, nil
	}
	//mutation:asked-once
	one := c.calls[id]
	if one == nil {
		one = &call{done: make(chan struct{})}
		var asking context.Context
		asking, one.cancel = context.WithCancel(context.WithoutCancel(ctx))
		c.calls[id] = one
		go c.run(asking, id, one)
	}
	one.waiting++
	c.mu.Unlock()
	select {
	case <-one.done:
		return one.schema, nil
	case <-ctx.Done():
		c.leave(id, one)
		return nil, ctx.Err()
	}
}

// leave ends a call for which nobody waits any more.
func (c *Client) leave(id schema.ID, one *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one.waiting--; one.waiting == 0 {
		one.cancel()
		if c.calls[id] == one {
			delete(c.calls, id)
		}
	}
}

// run asks until there is an answer.
func (c *Client) run(ctx context.Context, id schema.ID, one *call) {
	defer one.cancel()
	s, err := c.answer(ctx, id)
	c.trouble.ended(id, err == nil)
	if err != nil {
		return // nobody waits any more
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if one.schema = s; s != nil {
		c.known[id] = s
	} else {
		c.forget()
		c.unknown[id] = time.Now()
	}
	delete(c.calls, id)
	close(one.done)
}

// forget forgets unknown ids that may be asked again.
func (c *Client) forget() {
	if len(c.unknown) < 4*confirmed {
		return
	}
	for id, at := range c.unknown {
		if time.Since(at) >= remembered {
			delete(c.unknown, id)
		}
	}
}

// manyUnknown reports whether an id that is not known is so without being asked a second time.
func (c *Client) manyUnknown() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.unknown) <= confirmed {
		return false
	}
	recent := 0
	for _, at := range c.unknown {
		if time.Since(at) < remembered {
			recent++
		}
		if recent > confirmed {
			return true
		}
	}
	return false
}
