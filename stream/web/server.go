package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	stdlog "log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/kafka"
)

// Task is what the server shows: a *stream.Task. Its methods are called from many goroutines at once.
type Task interface {
	// Status returns an immutable copy. It does not block.
	Status() *board.Status
	// Copy copies the model into c and reuses its memory. An error means that no model is live.
	Copy(ctx context.Context, c *stream.ModelCopy) error
	// SetFieldReference makes what the fields of events hold now the reference that they are compared with.
	SetFieldReference(ctx context.Context) error
	// Promote makes a learner the champion, and returns when its first prediction is published.
	Promote(ctx context.Context, name string) (stream.Promoted, error)
}

// Server serves one task over HTTP, or several. Call Listen and Serve, or Serve alone, or use Handler.
type Server struct {
	Addr    string // host:port; "": 127.0.0.1:8080. Port 0 takes a free one
	Task    Task
	Tasks   *Tasks // in place of Task
	Version string // the program's, for /status and /metrics

	// Trouble describes an outage of the brokers, as (*kafka.Client).Trouble does. It may be nil.
	Trouble func() (text string, since time.Time)

	// Throttles are what brokers have asked for, as (*kafka.Client).Throttles does. It may be nil.
	Throttles func() []kafka.Throttle

	// Nearby are the partitions that are not read from their leaders, as (*kafka.Client).Nearby does. It may be nil.
	Nearby func() []kafka.Nearby

	// Registry is asked for schemas of events to predict that the model does not know; nil: nobody is.
	Registry Registry

	Token string // if set, all paths but /healthz require "Authorization: Bearer TOKEN", or it as the password of Basic
	Open  bool   // allows an address that is not loopback without a token
	PProf bool   // serves /debug/pprof
	Log   zerolog.Logger

	// Hosts are names by which requests may be made, besides localhost and IP addresses: --http-host.
	Hosts []string

	// When /readyz returns 503. Zero values mean the defaults named here.
	TroubleAfter time.Duration // an outage of the brokers lasts longer: 10 s
	StallAfter   time.Duration // there are records to read and no position has advanced for as long: 30 s
	HeldAfter    time.Duration // an open transaction holds a partition's last stable offset for as long: 1 min
	LateAfter    time.Duration // a prediction has not been acknowledged for as long: 30 s
	// CheckpointAfter is how long predictions may be unsaved: 100 s, and at least a hundred times the duration of the
	// last save, since saving may take up to a tenth of the time.
	CheckpointAfter time.Duration

	// Zero values mean the defaults named here.
	ReadTimeout  time.Duration // for a whole request: 10 s; half of it for its header
	WriteTimeout time.Duration // from the end of the header to the end of the response: 30 s
	Grace        time.Duration // for requests under way when the server ends: 2 s

	once     sync.Once
	handler  http.Handler
	paths    http.Handler // without handler's checks
	listener net.Listener
	watch    watch
	past     history
	weights  weightHistory
	pages    chan struct{}   // one element for each open page
	running  context.Context // ended when the server ends
	stop     func()          // ends it
	models   models
	logged   logged
	clock    func() time.Time // time.Now except in tests

	pageEvery, pagePatience time.Duration // the constants of these names except in tests
}

const (
	defaultAddr = "127.0.0.1:8080"
	idleTimeout = 60 * time.Second
	maxHeader   = 16 << 10 // bytes
	maxConns    = 256      // at one time; see limitedListener
)

// ErrExposed is about an address that is not loopback, with neither a token nor Open.
var ErrExposed = errors.New("everybody who reaches this address can read the model: set a token, or allow open access")

// Listen opens the port and returns its address. Errors: ErrExposed; *net.OpError, which wraps syscall.EADDRINUSE
// when the port is taken.
func (s *Server) Listen() (net.Addr, error) {
	s.init()
	addr := cmp.Or(s.Addr, defaultAddr)
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("http address %q: %w", addr, err)
	}
	if !tcp.IP.IsLoopback() && s.Token == "" && !s.Open {
		return nil, fmt.Errorf("http address %q: %w", addr, ErrExposed)
	}
	l, err := net.Listen("tcp", tcp.String()) // the checked address: the name may resolve to another one
	if err != nil {
		return nil, fmt.Errorf("http: %w", err)
	}
	s.listener = l
	return l.Addr(), nil
}

// Serve serves requests until the context ends, then waits up to Grace for those under way. It calls Listen if
// necessary.
func (s *Server) Serve(ctx context.Context) error {
	if s.listener == nil {
		if _, err := s.Listen(); err != nil {
			return err
		}
	}
	l := newLimitedListener(s.listener, maxConns)
	server := s.server()
	server.ConnState = l.state
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("http: %w", err)
		}
		return nil
	})
	group.Go(func() error {
		s.watchTask(ctx)
		s.stop()
		return end(server, s.Grace)
	})
	return group.Wait()
}

func (s *Server) server() *http.Server {
	return &http.Server{
		Handler: s.Handler(),
		//mutation:read-header-timeout
		ReadHeaderTimeout: s.ReadTimeout / 2,
		//mutation:read-timeout
		ReadTimeout:    s.ReadTimeout,
		WriteTimeout:   s.WriteTimeout,
		IdleTimeout:    idleTimeout,
		MaxHeaderBytes: maxHeader,
		ErrorLog:       stdlog.New(s.Log, "http: ", 0),
	}
}

// end closes connections that are not finished in time.
func end(server *http.Server, grace time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(ctx); errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	} else if err != nil {
		return fmt.Errorf("http: %w", err)
	}
	return nil
}

func (s *Server) watchTask(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		for _, one := range s.shown() {
			one.note()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// logged is what was logged last: that something is so which deserves attention.
type logged struct {
	held, without, stalled bool
	unheard                bool
	later                  map[string]string
}

// note looks at the task and logs what is new.
func (s *Server) note() {
	v, was := s.look(), s.logged
	s.logged = logged{s.logHeld(v, was.held), s.logUnlabelled(v, was.without), s.logStalledLabels(v, was.stalled),
		s.logUnheard(v, was.unheard), s.logLater(v, was.later)}
}

func (s *Server) look() *view {
	st := s.Task.Status()
	now := s.clock()
	v := &view{Status: st, now: now, seen: s.watch.add(st, now)}
	if s.Trouble != nil {
		v.trouble, v.troubleSince = s.Trouble()
	}
	if s.Throttles != nil {
		v.throttles = s.Throttles()
	}
	v.lagKnown = s.listed(v)
	v.reasons, v.unlabelled = s.unready(v), unlabelled(v)
	v.later = s.laterNotices(v)
	v.summary = s.weights.add(v.Summary)
	if p, ok := pointOf(v); ok {
		s.past.add(p)
	}
	return v
}

// init sets the defaults, once.
func (s *Server) init() {
	s.once.Do(func() {
		s.TroubleAfter = cmp.Or(s.TroubleAfter, 10*time.Second)
		s.StallAfter = cmp.Or(s.StallAfter, 30*time.Second)
		s.HeldAfter = cmp.Or(s.HeldAfter, time.Minute)
		s.LateAfter = cmp.Or(s.LateAfter, 30*time.Second)
		s.CheckpointAfter = cmp.Or(s.CheckpointAfter, 100*time.Second)
		s.ReadTimeout = cmp.Or(s.ReadTimeout, 10*time.Second)
		s.WriteTimeout = cmp.Or(s.WriteTimeout, 30*time.Second)
		s.Grace = cmp.Or(s.Grace, 2*time.Second)
		if s.clock == nil {
			s.clock = time.Now
		}
		s.models.init()
		s.pageEvery, s.pagePatience = cmp.Or(s.pageEvery, pageEvery), cmp.Or(s.pagePatience, pagePatience)
		s.pages = make(chan struct{}, maxPages)
		s.running, s.stop = context.WithCancel(context.Background())
		s.paths = s.routes()
		s.handler = secure(s.checkHost(s.authorized(s.paths)))
	})
}
