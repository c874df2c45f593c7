package daemon

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/board"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/web"
)

// Daemon is one task, or one for each partition of the input, with its Kafka client and its web server. It runs once.
type Daemon struct {
	// Progress, if set before Run, is called at 1, 2, 4, 8 ... predictions, from the goroutine that learns. Otherwise
	// they are logged.
	Progress func(*board.Status)

	with     *Resolved
	log      zerolog.Logger
	client   *kafka.Client
	registry *registry.Client // nil without one
	member   *member          // nil without --standby
	server   *web.Server      // nil without HTTP
	addr     net.Addr         // of server, nil before Listen
	had      int              // so many partitions had the input at the start
	begun    begun

	sharing atomic.Int64 // so many tasks share --waiting-memory

	ensuring sync.Mutex // held while topics are created
	named    bool       // under ensuring: topics that may be the output of a daemon with an id of this one
	mu       sync.Mutex
	running  []*task                    // with a model for each partition by partition, else one
	stopped  int                        // so many of them have ended with a stop for good
	stop     error                      // the first of these
	keys     map[topics.Topic]KeyPlaces // as of the last look
}

// New checks the settings and builds a daemon, without connecting or listening. The error is cli.Faults if the settings
// are wrong.
func New(s Settings, log zerolog.Logger) (*Daemon, error) {
	r, err := s.Resolve()
	if err != nil {
		return nil, err
	}
	r.Kafka.Log = log
	client, err := kafka.New(r.Kafka)
	if err != nil {
		return nil, err
	}
	d := &Daemon{with: r, log: log, client: client}
	if r.Registry != nil {
		r.Registry.Logger = log
		if d.registry, err = registry.New(*r.Registry); err != nil {
			return nil, err
		}
	}
	if s.Standby.Standby {
		if d.member, err = d.newMember(); err != nil {
			return nil, err
		}
	}
	if s.HTTP != httpOff {
		w := r.Settings.Web
		d.server = &web.Server{
			Addr: w.HTTP, Version: Build().Version, Trouble: client.Outage,
			Throttles: client.Throttles, Nearby: client.Nearby,
			Token: r.Token, Open: w.HTTPOpen, Hosts: w.HTTPHost, PProf: w.PProf, Log: log,
			CheckpointAfter: 10 * r.Task.CheckpointInterval,
		}
		//mutation:predict-registry
		if d.registry != nil {
			d.server.Registry = d.registry
		}
	}
	d.show()
	return d, nil
}

// show makes the only task, or lets the server show those that are made.
func (d *Daemon) show() {
	split := d.with.Settings.Split()
	if !split {
		d.add(d.newTask(every, 1))
	}
	switch {
	case d.server == nil:
	case split:
		d.server.Tasks = &web.Tasks{Name: d.with.Settings.Model, All: d.webTasks, Of: d.taskOf,
			Notices: d.keyNotices}
	default:
		d.server.Task = d.tasks()[0]
	}
}

// Settings returns the settings, with those that follow from others filled in.
func (d *Daemon) Settings() Settings { return d.with.Settings }

// Status returns a copy of the status of the only task. Any goroutine may call it.
func (d *Daemon) Status() *board.Status { return d.tasks()[0].Status() }

// Statuses returns those of all tasks, in the order of their partitions. Any goroutine may call it.
func (d *Daemon) Statuses() (all []*board.Status) {
	for _, t := range d.tasks() {
		all = append(all, t.Status())
	}
	return all
}

// Listen opens the web server's address and returns it; nil without HTTP. Run calls it if nobody has.
func (d *Daemon) Listen() (net.Addr, error) {
	if d.server == nil || d.addr != nil {
		return d.addr, nil
	}
	addr, err := d.server.Listen()
	if errors.Is(err, syscall.EADDRINUSE) {
		if !d.with.Settings.AnyPort {
			return nil, fmt.Errorf("%w: choose another address with --http HOST:PORT, or none with --http off", err)
		}
		host, _, _ := net.SplitHostPort(d.server.Addr) // Resolve has checked it
		d.server.Addr = net.JoinHostPort(host, "0")
		addr, err = d.server.Listen()
	}
	if err != nil {
		return nil, err
	}
	d.addr = addr
	return addr, nil
}

// Run recovers, then predicts and learns until the context ends, the end is reached, or a named stop. It returns when
// its goroutines have ended: nil if every prediction is acknowledged and saved.
func (d *Daemon) Run(ctx context.Context) error {
	defer d.client.Close()
	if _, err := d.Listen(); err != nil {
		return err
	}
	d.announce()
	work, stopWork := context.WithCancel(ctx)
	leave := func() {}
	if d.member != nil { // share ends the work
		d.member.staying, leave = context.WithCancel(ctx)
		work, stopWork = context.WithCancel(context.WithoutCancel(ctx))
	}
	defer stopWork()
	// The web server ends last: it shows how the task ends.
	serving, stopServing := context.WithCancel(context.WithoutCancel(ctx))
	defer stopServing()
	var g errgroup.Group
	g.Go(func() error {
		defer stopServing()
		defer leave()
		return d.runTasks(work)
	})
	if d.member != nil {
		g.Go(func() error {
			defer stopWork()
			return d.share()
		})
	}
	if d.server != nil {
		g.Go(func() error {
			defer stopWork()
			return d.server.Serve(serving)
		})
	}
	return g.Wait()
}

func (d *Daemon) announce() {
	s := &d.with.Settings
	e := d.log.Info().Str("model", s.Model).Str("input", s.Input).Str("output", s.Output).
		Str("dead-letter", s.DeadLetter).
		Str("learner", d.with.Task.ModelConfig.Learner.String()).Str("state", d.with.Folder)
	if s.Split() {
		e = e.Str("model-per", s.ModelPer)
	}
	if s.Labels != "" {
		e = e.Str("labels", s.Labels).Str("outcomes", s.Outcomes)
	}
	if s.CheckpointTopic != "" {
		e = e.Str("checkpoint-topic", s.CheckpointTopic)
	}
	if s.Standby.Standby {
		e = e.Str("instance", s.Instance)
	}
	if d.addr != nil {
		e = e.Str("http", "http://"+d.addr.String()+"/")
	}
	e.Msg("starting")
	if text := s.AdviseLabel(&d.with.Task.ModelConfig.Decode); text != "" && !s.NoLearn && s.Labels == "" {
		d.log.Warn().Msg(text)
	}
	if found, do := s.AdviseSettledIDs(); found != "" && s.Labels != "" {
		d.log.Warn().Str("do", do).Msg(found)
	}
	for _, text := range s.inTheClear() {
		d.log.Warn().Msg(text)
	}
	if d.with.Settings.Registry.sendsPassword() {
		d.log.Warn().Msg("a login at the schema registry over http:// is sent in the clear")
	}
}

func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }
