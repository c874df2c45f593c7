package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/board"
)

type demo struct {
	Options
	events    int64                // of the synthetic stream, over all runs on one state; 0: endless
	out, logs io.Writer            // results, and the daemon's log
	started   func(*daemon.Daemon) // called before the daemon runs; may be nil
}

// saveEvery is the number of predictions between checkpoints when events come fast. See unsaved.
const saveEvery = 10_000

// run ends with ctx or when a finite source is predicted. All predictions are then saved, and all goroutines have
// ended.
func (d *demo) run(ctx context.Context) (err error) {
	feed := newSynthetic(d.events)
	if d.Rare {
		feed = newPayments(d.events)
	}
	if d.Input != "" {
		if feed, err = d.openFile(); err != nil {
			return err
		}
	}
	defer feed.close()
	h, err := openHome(d.State)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	b, err := openBroker(h.broker())
	if err != nil {
		return err
	}
	defer b.close()
	return d.on(ctx, feed, h, b)
}

func (d *demo) on(ctx context.Context, feed *feedable, h *home, b *broker) error {
	labels, err := d.withLabels(feed)
	if err != nil {
		return err
	}
	worker, err := daemon.New(d.settings(feed, h, b))
	if err != nil {
		return err
	}
	s := worker.Settings()
	if err := openTopics(b, &s); err != nil {
		return err
	}
	before := b.end(s.Input)
	if labels != nil {
		labels.taken, labels.end = before, b.end(s.Labels)
	}
	if err := feed.skip(before); err != nil {
		return err
	}
	page, err := worker.Listen()
	if err != nil {
		return err
	}
	t := &table{out: d.out, terminal: cli.IsTerminal(d.out), rare: d.Rare}
	d.printStart(feed, h, b, &s, page, before)
	if d.started != nil {
		d.started(worker)
	}
	began := time.Now()
	done, err := d.work(ctx, worker, newFeeder(feed, b, s.Group, d.Rate, labels, worker.Status), t)
	if err != nil {
		return err
	}
	d.printResult(worker.Status(), h, done, time.Since(began))
	return nil
}

func openTopics(b *broker, s *daemon.Settings) error {
	input := map[string]string{"max.message.bytes": strconv.Itoa(maxMessage)}
	errs := []error{b.topic(s.Input, input), b.topic(s.Output, nil), b.topic(s.DeadLetter, nil)}
	if s.Labels != "" {
		errs = append(errs, b.topic(s.Labels, nil), b.topic(s.Outcomes, nil))
	}
	return errors.Join(errs...)
}

func (d *demo) settings(feed *feedable, h *home, b *broker) (daemon.Settings, zerolog.Logger) {
	s := daemon.Defaults()
	s.Brokers, s.Input, s.State = b.ListenAddrs(), feed.topic, h.models()
	s.Events = feed.reading
	if d.LabelDelay > 0 {
		s.Labels = labelsOf(feed)
		if s.Columns != nil {
			s.LabelsColumns = []string{s.IDField, s.LabelField}
		}
	}
	if d.Rare {
		s.Learner, s.By = "logistic", []string{"country", "device"}
		s.Decide = "cost=" + rareCost
	}
	s.CheckpointEvery = saveEvery
	s.HTTP, s.AnyPort = d.HTTP, true
	s.LogLevel = "warn"
	if d.Verbose {
		s.LogLevel = "info"
	}
	return s, s.Logging.Logger(d.logs)
}

// work returns when daemon, feeder and table have ended. It is done if all of a finite source is predicted and saved.
func (d *demo) work(ctx context.Context, worker *daemon.Daemon, f *feeder, t *table) (done bool, err error) {
	defer f.close()
	parent := ctx
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	marks := make(chan *board.Status, 64) // there are no more powers of two
	worker.Progress = func(s *board.Status) { marks <- s }
	var g errgroup.Group
	g.Go(func() error {
		defer stop()
		err := worker.Run(ctx)
		if parent.Err() != nil && errors.Is(err, context.Canceled) {
			return nil // interrupted before it began
		}
		return err
	})
	g.Go(func() (err error) {
		defer stop()
		done, err = f.run(ctx)
		return err
	})
	g.Go(func() error {
		t.run(ctx, worker.Status, marks)
		return nil
	})
	err = g.Wait()
	t.flush(marks)
	return done && err == nil, err
}

func (d *demo) printStart(feed *feedable, h *home, b *broker, s *daemon.Settings, page net.Addr, before int64) {
	say := func(word, format string, args ...any) {
		fmt.Fprintf(d.out, "  %-8s"+format+"\n", append([]any{word}, args...)...)
	}
	pace := "flat out"
	if d.Rate > 0 {
		pace = strconv.FormatFloat(d.Rate, 'f', -1, 64) + " a second"
	}
	learns := "A perceptron"
	if d.Rare {
		learns = "A logistic regression"
	}
	fmt.Fprintf(d.out, "%s predicts each event before it learns its label, %s, from\n%s\n\n", learns, pace, feed.title)
	if feed.note != "" {
		say("label", "%s", feed.note)
	}
	switch {
	case page == nil:
		say("page", "none")
	case page.String() != s.HTTP && !anyPort(s.HTTP):
		say("page", "http://%s/  (%s is taken)", page, s.HTTP)
	default:
		say("page", "http://%s/", page)
	}
	say("broker", "%s", s.Brokers[0])
	say("topics", "%s, %s, %s", s.Input, s.Output, s.DeadLetter)
	if s.Labels != "" {
		say("labels", "%s, %v later; outcomes: %s", s.Labels, d.LabelDelay, s.Outcomes)
	}
	switch {
	case h.temporary:
		say("state", "%s  (temporary; --state FOLDER keeps it)", h.path)
	case before > 0:
		say("state", "%s  (continues after %s events)", h.path, humanize.Comma(before))
	default:
		say("state", "%s  (kept)", h.path)
	}
	say("stop", "Ctrl-C")
	if d.Rare {
		fmt.Fprintf(d.out, "\n%s\n\n", rareLegend)
		return
	}
	fmt.Fprintf(d.out, "\n%s\n\n", legend)
}

// anyPort reports port 0, or a host name in the place of an IP address.
func anyPort(addr string) bool {
	host, port, _ := net.SplitHostPort(addr)
	return port == "0" || net.ParseIP(host) == nil
}

func (d *demo) printResult(s *board.Status, h *home, done bool, took time.Duration) {
	head := "Stopped, all predictions saved"
	if done {
		head = "Done, predicted and saved to the end"
	}
	fmt.Fprintf(d.out, "\n%s: %s examples in %s, %s checkpoints.\n", head,
		humanize.Comma(s.Acknowledged), took.Round(100*time.Millisecond), humanize.Comma(s.Checkpoints))
	if s.Counts.Predictions > s.Acknowledged {
		fmt.Fprintf(d.out, "With those of earlier runs it is %s examples.\n", humanize.Comma(s.Counts.Predictions))
	}
	summary(d.out, s)
	if !h.temporary {
		fmt.Fprintf(d.out, "\nThe same --state continues from here; to read the model:\n  go run "+
			"./cmd/rosenblatt inspect %s\n", filepath.Join(h.models(), s.Model))
	}
}
